//! Where threads meet: what each rank has brought to each call, and the messages under way.

use crate::dist::call::Signature;
use crate::dist::{Call, CommError, Numbers, Reduce};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(super) struct Meeting {
    size: usize,
    limit: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The calls each rank has begun.
    begun: Vec<u64>,
    calls: BTreeMap<u64, Open>,
    /// Messages that nobody has asked for: to, from, tag.
    messages: BTreeMap<(usize, usize, u16), VecDeque<Numbers>>,
    /// What ranks have asked for, in their order.
    wanted: Vec<Wanted>,
    /// Messages for who asked, by ticket.
    delivered: BTreeMap<u64, Numbers>,
    tickets: u64,
    /// Ranks that have ended, with the reason if they failed.
    ended: BTreeMap<usize, Option<String>>,
    /// Calls that ranks disagreed about: nothing goes on after one.
    mismatch: Option<CommError>,
}

/// A message that a rank has asked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    ticket: u64,
    to: usize,
    from: Option<usize>,
    tag: u16,
}

impl Wanted {
    fn takes(&self, (to, from, tag): (usize, usize, u16)) -> bool {
        self.to == to && self.tag == tag && self.from.is_none_or(|f| f == from)
    }
}

/// A call that some ranks have begun.
struct Open {
    signature: Signature,
    first: usize,
    brought: BTreeMap<usize, Call>,
    /// For each rank, once all have come.
    results: BTreeMap<usize, Numbers>,
}

/// What a rank waits for.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Call { number: u64, rank: usize },
    Message(Wanted),
}

impl Meeting {
    pub(super) fn new(size: usize, limit: Duration) -> Self {
        let state = State {
            begun: vec![0; size],
            ..State::default()
        };
        Meeting {
            size,
            limit,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// A rank that panics leaves the state whole: nothing that can panic runs while it is locked.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn leave(&self, rank: usize) {
        self.lock().ended.entry(rank).or_insert(None);
        self.changed.notify_all();
    }

    pub(super) fn fail(&self, rank: usize, why: &str) {
        self.lock().ended.insert(rank, Some(why.to_string()));
        self.changed.notify_all();
    }

    pub(super) fn post(&self, from: usize, to: usize, tag: u16, x: Numbers) {
        let mut state = self.lock();
        let key = (to, from, tag);
        match state.wanted.iter().position(|w| w.takes(key)) {
            Some(at) => {
                let wanted = state.wanted.remove(at);
                state.delivered.insert(wanted.ticket, x);
            }
            None => state.messages.entry(key).or_default().push_back(x),
        }
        self.changed.notify_all();
    }

    /// Asks for a message. What is asked for first gets the first message.
    pub(super) fn want(&self, to: usize, from: Option<usize>, tag: u16) -> Place {
        let mut state = self.lock();
        state.tickets += 1;
        let wanted = Wanted {
            ticket: state.tickets,
            to,
            from,
            tag,
        };
        let there = state.messages.iter_mut();
        let mut there = there.filter(|(key, _)| wanted.takes(**key));
        match there.find_map(|(_, waiting)| waiting.pop_front()) {
            Some(x) => drop(state.delivered.insert(wanted.ticket, x)),
            None => state.wanted.push(wanted),
        }
        Place::Message(wanted)
    }

    /// Brings what a rank has for its next call; returns the number of the call.
    pub(super) fn bring(&self, rank: usize, call: Call) -> Result<u64, CommError> {
        let signature = call.signature().expect("messages are posted");
        let mut state = self.lock();
        if let Some(error) = state.failed() {
            return Err(error);
        }
        state.begun[rank] += 1;
        let number = state.begun[rank];
        let open = state.calls.entry(number).or_insert_with(|| Open {
            signature,
            first: rank,
            brought: BTreeMap::new(),
            results: BTreeMap::new(),
        });
        if open.signature != signature {
            let error = CommError::Mismatch {
                number,
                rank,
                call: signature.to_string(),
                other: open.first,
                other_call: open.signature.to_string(),
            };
            state.mismatch.get_or_insert(error.clone());
            self.changed.notify_all();
            return Err(error);
        }
        open.brought.insert(rank, call);
        if open.brought.len() == self.size {
            let brought = std::mem::take(&mut open.brought);
            open.results = results(brought.into_values().collect());
            self.changed.notify_all();
        }
        Ok(number)
    }

    pub(super) fn is_done(&self, place: Place) -> bool {
        let state = self.lock();
        state.is_there(place) || state.error(place, "", self.size).is_some()
    }

    pub(super) fn wait(&self, place: Place, text: &str) -> Result<Numbers, CommError> {
        let end = Instant::now() + self.limit;
        let mut state = self.lock();
        loop {
            if let Some(result) = state.take(place) {
                return Ok(result);
            }
            if let Some(error) = state.error(place, text, self.size) {
                return Err(error);
            }
            let rest = end.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return Err(CommError::TimedOut {
                    rank: state.missing(place, self.size),
                    call: text.to_string(),
                    limit: self.limit,
                });
            }
            let waited = self.changed.wait_timeout(state, rest);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn is_there(&self, place: Place) -> bool {
        match place {
            Place::Call { number, rank } => {
                let open = self.calls.get(&number);
                open.is_some_and(|open| open.results.contains_key(&rank))
            }
            Place::Message(wanted) => self.delivered.contains_key(&wanted.ticket),
        }
    }

    fn take(&mut self, place: Place) -> Option<Numbers> {
        match place {
            Place::Call { number, rank } => {
                let open = self.calls.get_mut(&number)?;
                let result = open.results.remove(&rank)?;
                if open.results.is_empty() && open.brought.is_empty() {
                    self.calls.remove(&number);
                }
                Some(result)
            }
            Place::Message(wanted) => self.delivered.remove(&wanted.ticket),
        }
    }

    /// Ranks that have not come.
    fn absent(&self, place: Place, size: usize) -> Vec<usize> {
        match place {
            Place::Call { number, .. } => (0..size).filter(|r| self.begun[*r] < number).collect(),
            Place::Message(Wanted {
                from: Some(from), ..
            }) => vec![from],
            Place::Message(Wanted { to, .. }) => (0..size).filter(|r| *r != to).collect(),
        }
    }

    fn missing(&self, place: Place, size: usize) -> usize {
        self.absent(place, size).first().copied().unwrap_or(0)
    }

    fn failed(&self) -> Option<CommError> {
        let mut ended = self.ended.iter();
        let (rank, why) = ended.find_map(|(rank, why)| Some((*rank, why.clone()?)))?;
        Some(CommError::Failed { rank, why })
    }

    fn error(&self, place: Place, text: &str, size: usize) -> Option<CommError> {
        if let Some(error) = &self.mismatch {
            return Some(error.clone());
        }
        if let Some(error) = self.failed() {
            return Some(error);
        }
        let absent = self.absent(place, size);
        let gone = |r: &usize| self.ended.contains_key(r);
        // A message from anybody may still come as long as one is left.
        let gone = match place {
            Place::Message(Wanted { from: None, .. }) if !absent.iter().all(gone) => None,
            _ => absent.iter().copied().find(gone),
        };
        gone.map(|rank| CommError::Gone {
            rank,
            call: text.to_string(),
        })
    }
}

/// What each rank gets of a call that all have come to. Reduced in the order of ranks, whoever came first.
fn results(brought: Vec<Call>) -> BTreeMap<usize, Numbers> {
    let size = brought.len();
    let reduced = |all: Vec<Numbers>, op: Reduce| {
        let mut all = all.into_iter();
        let mut sum = all.next().expect("there is a rank");
        all.for_each(|x| {
            sum.reduce(op, &x);
        });
        sum
    };
    let numbers = |calls: Vec<Call>| -> Vec<Numbers> {
        let of = |call| match call {
            Call::AllReduce(x, _)
            | Call::Broadcast(x, _)
            | Call::AllGather(x)
            | Call::ReduceScatter(x, _) => x,
            _ => Numbers::U8(Vec::new()),
        };
        calls.into_iter().map(of).collect()
    };
    let same = |x: Numbers| vec![x; size];
    let each = match brought[0] {
        Call::AllReduce(_, op) => same(reduced(numbers(brought), op)),
        Call::Broadcast(_, from) => same(numbers(brought).swap_remove(from)),
        Call::AllGather(_) => {
            let mut all = numbers(brought).into_iter();
            let mut joined = all.next().expect("there is a rank");
            all.for_each(|x| {
                joined.append(&x);
            });
            same(joined)
        }
        Call::ReduceScatter(_, op) => {
            let all = reduced(numbers(brought), op);
            let share = all.len() / size;
            (0..size).map(|r| all.part(r * share, share)).collect()
        }
        _ => same(Numbers::U8(Vec::new())),
    };
    each.into_iter().enumerate().collect()
}
