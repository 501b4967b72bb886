use crate::dist::{Call, CommError, Number, Numbers, Reduce};
use core::fmt;
use core::ops::Deref;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Ranks that compute together.
///
/// Each rank asks for the same calls in the same order; only [`send`](Collective::send) and [`receive`](Collective::receive)
/// are between two. A call begins at once and runs beside the computation; [`Pending::wait`] brings its result.
///
/// An implementation has three methods. [`Alone`] is the only rank of its program, [`threads`](crate::dist::threads) makes ranks
/// out of threads for tests, and behind the feature `mpi` ranks are processes, which [`init`](crate::dist::init) finds.
pub trait Collective: Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Begins a call.
    fn start(&self, call: Call) -> Pending;

    /// Ends this rank and tells the others, because it cannot go on. They get a [`CommError::Failed`] or, where an engine cannot
    /// say why, end too.
    fn abort(&self, why: &str);

    /// Each rank gets the numbers of all ranks, reduced entry by entry.
    fn all_reduce(&self, x: Numbers, op: Reduce) -> Pending {
        self.start(Call::AllReduce(x, op))
    }

    /// Each rank gets the numbers of the rank `from`. The others bring as many of the same type, whose values do not matter.
    fn broadcast(&self, x: Numbers, from: usize) -> Pending {
        self.start(Call::Broadcast(x, from))
    }

    /// Each rank gets the numbers of all ranks, one after the other. All bring as many.
    fn all_gather(&self, part: Numbers) -> Pending {
        self.start(Call::AllGather(part))
    }

    /// Each rank gets its share of the numbers of all ranks, reduced: rank `r` of `n` the `r`-th of `n` equal parts.
    fn reduce_scatter(&self, all: Numbers, op: Reduce) -> Pending {
        self.start(Call::ReduceScatter(all, op))
    }

    /// Sends numbers to a rank. Messages between two ranks under one tag arrive in their order.
    fn send(&self, x: Numbers, to: usize, tag: u16) -> Pending {
        self.start(Call::Send { x, to, tag })
    }

    /// Receives what a rank sends under this tag.
    fn receive(&self, from: usize, tag: u16) -> Pending {
        let from = Some(from);
        self.start(Call::Receive { from, tag })
    }

    /// Receives what whichever rank sends first under this tag. A sender that must be known writes its number into the message.
    fn receive_any(&self, tag: u16) -> Pending {
        self.start(Call::Receive { from: None, tag })
    }

    /// Waits until all ranks have come.
    ///
    /// # Errors
    /// If a rank ended or did not come in time.
    fn barrier(&self) -> Result<(), CommError> {
        self.start(Call::Barrier).wait().map(drop)
    }
}

/// A call that has begun.
#[must_use = "a call has ended, and its result is there, after `wait`"]
pub struct Pending(State);

enum State {
    Done(Result<Numbers, CommError>),
    Running(Box<dyn Answer>),
}

/// The result of a call, as an implementation of [`Collective`] gives it.
pub trait Answer: Send {
    /// Whether the result is there: [`wait`](Answer::wait) will not block.
    fn is_done(&self) -> bool;
    /// Waits for the result. What is sent, and a barrier, give no numbers.
    fn wait(self: Box<Self>) -> Result<Numbers, CommError>;
}

impl Pending {
    /// A call that is done already.
    pub fn done(result: Result<Numbers, CommError>) -> Self {
        Pending(State::Done(result))
    }

    /// A call whose result comes later.
    pub fn running(answer: impl Answer + 'static) -> Self {
        Pending(State::Running(Box::new(answer)))
    }

    /// Whether [`wait`](Pending::wait) will not block.
    pub fn is_done(&self) -> bool {
        match &self.0 {
            State::Done(_) => true,
            State::Running(answer) => answer.is_done(),
        }
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or asked for something else.
    pub fn wait(self) -> Result<Numbers, CommError> {
        match self.0 {
            State::Done(result) => result,
            State::Running(answer) => answer.wait(),
        }
    }

    /// Waits for numbers of this type.
    ///
    /// # Errors
    /// As [`wait`](Pending::wait), and if they are of another type.
    pub fn wait_for<T: Number>(self) -> Result<Vec<T>, CommError> {
        self.wait()?.of()
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pending(done: {})", self.is_done())
    }
}

/// The ranks of a program, as one of them sees them. Clones are the same rank.
#[derive(Clone)]
pub struct Ranks(Arc<dyn Collective>);

impl Ranks {
    /// The ranks behind an implementation.
    pub fn new(collective: impl Collective + 'static) -> Self {
        Ranks(Arc::new(collective))
    }

    /// One rank.
    pub fn alone() -> Self {
        Ranks::new(Alone)
    }

    /// Whether this is rank 0, which logs and saves.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// The sum of a number over all ranks.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or asked for something else.
    pub fn sum(&self, x: f64) -> Result<f64, CommError> {
        self.sums(&[x]).map(|x| x[0])
    }

    /// The sums of numbers over all ranks.
    ///
    /// # Errors
    /// As [`sum`](Ranks::sum).
    pub fn sums(&self, x: &[f64]) -> Result<Vec<f64>, CommError> {
        self.all_reduce(Numbers::F64(x.to_vec()), Reduce::Sum)
            .wait_for()
    }

    /// The numbers of rank `from` on all ranks, of whatever length they are there.
    ///
    /// # Errors
    /// As [`sum`](Ranks::sum).
    pub fn broadcast_all<T: Number>(&self, x: &[T], from: usize) -> Result<Vec<T>, CommError> {
        let len = Numbers::I64(vec![x.len() as i64]);
        let len: Vec<i64> = self.broadcast(len, from).wait_for()?;
        let len = usize::try_from(len[0]).unwrap_or(0);
        let mut x = match self.rank() == from {
            true => x.to_vec(),
            false => Vec::new(),
        };
        x.resize(len, T::default());
        self.broadcast(T::wrap(x), from).wait_for()
    }

    /// The bytes of a file that rank 0 reads, on all ranks: other machines may not have it.
    ///
    /// # Errors
    /// If rank 0 cannot read it: the others get a [`CommError::Failed`] inside the error.
    pub fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.size() == 1 {
            return std::fs::read(path);
        }
        let own = match self.is_first() {
            true => std::fs::read(path).inspect_err(|e| self.abort(&e.to_string()))?,
            false => Vec::new(),
        };
        self.broadcast_all(&own, 0).map_err(io::Error::other)
    }

    /// The numbers of all ranks, by rank, of whatever lengths they are there.
    ///
    /// # Errors
    /// As [`sum`](Ranks::sum).
    pub fn gather_all<T: Number>(&self, x: &[T]) -> Result<Vec<Vec<T>>, CommError> {
        let lens: Vec<i64> = self
            .all_gather(Numbers::I64(vec![x.len() as i64]))
            .wait_for()?;
        let most = lens.iter().copied().max().unwrap_or(0) as usize;
        let mut x = x.to_vec();
        x.resize(most, T::default());
        let all: Vec<T> = self.all_gather(T::wrap(x)).wait_for()?;
        let of =
            |(rank, len): (usize, &i64)| all[rank * most..rank * most + *len as usize].to_vec();
        Ok(lens.iter().enumerate().map(of).collect())
    }
}

impl Deref for Ranks {
    type Target = dyn Collective;
    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.size())
    }
}

/// A rank without others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Collective for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn start(&self, call: Call) -> Pending {
        let checked = call.check(1).map(|()| match call {
            Call::AllReduce(x, _)
            | Call::Broadcast(x, _)
            | Call::AllGather(x)
            | Call::ReduceScatter(x, _) => Ok(x),
            Call::Barrier => Ok(Numbers::U8(Vec::new())),
            // Nobody else could receive it, or send.
            Call::Send { .. } | Call::Receive { .. } => Err(CommError::NoRank {
                rank: 1,
                size: 1,
                call: call.to_string(),
            }),
        });
        Pending::done(checked.and_then(|result| result))
    }

    fn abort(&self, _: &str) {}
}
