//! Ranks that are threads of one program: for tests, and to try a program without a launcher.

mod meeting;

use crate::dist::{Answer, Call, Collective, CommError, Numbers, Pending, Ranks};
use meeting::{Meeting, Place};
use std::panic;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Runs `f` on `size` threads, each of which is a rank, and returns what they gave, by rank.
///
/// ```
/// use differentiable::dist::threads;
///
/// let sums = threads(4, |ranks| ranks.sum(ranks.rank() as f64).unwrap());
/// assert_eq!(sums, [6.0; 4]);
/// ```
///
/// # Panics
/// If a rank panics, with its panic, after all have ended; if the variable of [`limit`](crate::dist::limit) makes no sense.
pub fn threads<R: Send>(size: usize, f: impl Fn(Ranks) -> R + Sync) -> Vec<R> {
    let limit = crate::dist::limit().unwrap_or_else(|e| panic!("{e}"));
    threads_within(size, limit, f)
}

/// As [`threads`], with the time after which a rank gives up waiting for others.
pub fn threads_within<R: Send>(
    size: usize,
    limit: Duration,
    f: impl Fn(Ranks) -> R + Sync,
) -> Vec<R> {
    let meeting = Arc::new(Meeting::new(size, limit));
    let results: Vec<_> = thread::scope(|scope| {
        let start = |rank| {
            let ranks = Threads {
                rank,
                meeting: Arc::clone(&meeting),
            };
            let f = &f;
            scope.spawn(move || {
                let ranks = Ranks::new(ranks);
                panic::catch_unwind(panic::AssertUnwindSafe(|| f(ranks)))
            })
        };
        let running: Vec<_> = (0..size).map(start).collect();
        running.into_iter().map(|r| r.join()).collect()
    });
    let result = |r: thread::Result<thread::Result<R>>| match r {
        Ok(Ok(x)) => x,
        Ok(Err(e)) | Err(e) => panic::resume_unwind(e),
    };
    results.into_iter().map(result).collect()
}

/// A rank that is a thread.
struct Threads {
    rank: usize,
    meeting: Arc<Meeting>,
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.meeting.leave(self.rank);
    }
}

impl Collective for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.meeting.size()
    }

    fn start(&self, call: Call) -> Pending {
        if let Err(error) = call.check(self.size()) {
            return Pending::done(Err(error));
        }
        let text = call.to_string();
        let place = match call {
            Call::Send { x, to, tag } => {
                self.meeting.post(self.rank, to, tag, x);
                return Pending::done(Ok(Numbers::U8(Vec::new())));
            }
            Call::Receive { from, tag } => self.meeting.want(self.rank, from, tag),
            call => match self.meeting.bring(self.rank, call) {
                Ok(number) => Place::Call {
                    number,
                    rank: self.rank,
                },
                Err(error) => return Pending::done(Err(error)),
            },
        };
        let meeting = Arc::clone(&self.meeting);
        Pending::running(Waiting {
            meeting,
            place,
            text,
        })
    }

    fn abort(&self, why: &str) {
        self.meeting.fail(self.rank, why);
    }
}

/// A call whose other ranks may not have come.
struct Waiting {
    meeting: Arc<Meeting>,
    place: Place,
    text: String,
}

impl Answer for Waiting {
    fn is_done(&self) -> bool {
        self.meeting.is_done(self.place)
    }

    fn wait(self: Box<Self>) -> Result<Numbers, CommError> {
        self.meeting.wait(self.place, &self.text)
    }
}
