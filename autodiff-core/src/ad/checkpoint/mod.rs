//! Loops that keep snapshots of their state and no tape: `#[checkpoint]` on a loop.
//!
//! A loop is a map `x ↦ F(x)` of its state, applied `n` times. Its reverse needs `x_{n-1}`, `x_{n-2}`, …,
//! `x_0`, in this order. The tape has all of it. With checkpoints the forward run keeps some of the states;
//! the reverse copies one back, runs `F` from there on to where it is wanted, once more with the tape for
//! the steps up to what is reversed already, and reverses these.
//!
//! | attribute | snapshots | steps run again |
//! |---|---|---|
//! | `every = k` | `n / k`, and the tape of `k` steps | `n` |
//! | none of these | `√n`, and the tape of `√n` steps; `√(2n)` where `n` is not known | `n` |
//! | `snapshots = s` | at most `s`, and the tape of one step | the least possible, see below |
//! | `memory = bytes` | as many as these bytes hold, at least one | as with that `s` |
//!
//! With `s` snapshots and `n` known when the loop starts, the snapshots are taken by the binomial schedule
//! *revolve* of Griewank and Walther, which runs the fewest steps again: fewer than `r n` for
//! `C(s + r, s) ≥ n`; ten snapshots do a thousand steps with `r` = 5. Where `n` is not known, every `2^m`th
//! state is kept and, when there is no more room, every other one given up; between two that are left the
//! reverse takes new ones by the same schedule where it has room. That may run more steps again.

mod binomial;
mod heap;
#[cfg(test)]
mod tests;

pub use heap::HeapSize;

use binomial::split;

/// The attribute and the number that it was given, for messages.
#[cold]
#[inline(never)]
fn zero(attribute: &str) -> ! {
    panic!("`#[checkpoint({attribute} = ..)]` of a loop is 0: it has to be 1 at least")
}

/// Which states are kept.
#[derive(Clone, Debug)]
enum Policy<S> {
    /// One for each so many steps.
    Every(usize),
    /// One after 1, 2, 3, … more steps.
    Growing,
    /// At most so many.
    Slots(usize),
    /// At most so many bytes; `largest` is the largest snapshot so far.
    Memory {
        bytes: usize,
        largest: usize,
        heap: fn(&S) -> usize,
    },
}

/// What is known of how often a loop runs.
#[derive(Clone, Copy, Debug)]
enum Length {
    Known(usize),
    /// Every so many steps a state is kept.
    Open(usize),
}

/// What the reverse does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Copies the state back from the last snapshot: [`Checkpoints::state`].
    Restore,
    /// Runs the steps from the first up to the second, without it.
    Advance(usize, usize),
    /// Keeps the state: [`Checkpoints::store`].
    Store,
    /// Runs these steps with the tape, and reverses them.
    Reverse(usize, usize),
}

/// The snapshots of a loop, and what is done with them.
#[derive(Clone, Debug)]
pub struct Checkpoints<S> {
    policy: Policy<S>,
    length: Length,
    /// Each with the number of steps before it.
    snapshots: Vec<(usize, S)>,
    /// The steps that have run, and are not reversed.
    end: usize,
    /// After how many steps the next snapshot is taken.
    due: usize,
    /// After how many steps the state of the reverse is what it is.
    at: Option<usize>,
}

impl<S> Checkpoints<S> {
    /// Of a loop with this number of steps, with room for the snapshots of the forward run, where they are known.
    fn new(policy: Policy<S>, steps: Option<usize>, snapshots: Option<usize>) -> Self {
        Checkpoints {
            policy,
            length: steps.map_or(Length::Open(1), Length::Known),
            snapshots: Vec::with_capacity(snapshots.unwrap_or(0)),
            end: 0,
            due: 0,
            at: None,
        }
    }

    /// One snapshot for each `apart` steps, of a loop with this number of steps, if that is known.
    ///
    /// # Panics
    /// If `apart` is 0.
    pub fn every(apart: usize, steps: Option<usize>) -> Self {
        if apart == 0 {
            zero("every");
        }
        Self::new(
            Policy::Every(apart),
            steps,
            steps.map(|n| n.div_ceil(apart)),
        )
    }

    /// About as many snapshots as there are steps between two of them.
    pub fn balanced(steps: Option<usize>) -> Self {
        match steps {
            // Rounded up.
            Some(n) => Self::every(n.saturating_sub(1).isqrt() + 1, steps),
            None => Self::new(Policy::Growing, None, None),
        }
    }

    /// At most so many snapshots, of a loop with this number of steps, if that is known.
    ///
    /// # Panics
    /// If `slots` is 0.
    pub fn slots(slots: usize, steps: Option<usize>) -> Self {
        if slots == 0 {
            zero("snapshots");
        }
        Self::new(Policy::Slots(slots), steps, steps.map(|n| n.min(slots)))
    }

    /// As many snapshots as `bytes` hold, and one at least. `heap` is what a snapshot has on the heap.
    ///
    /// # Panics
    /// If `bytes` is 0.
    pub fn memory(bytes: usize, steps: Option<usize>, heap: fn(&S) -> usize) -> Self {
        if bytes == 0 {
            zero("memory");
        }
        let policy = Policy::Memory {
            bytes,
            largest: 0,
            heap,
        };
        Self::new(policy, steps, None)
    }

    // ---- the forward run -------------------------------------------------------------------

    /// Counts a step that is about to run, and keeps the state before it if that is one to keep.
    #[inline(always)]
    pub fn step(&mut self, state: impl FnOnce() -> S) {
        if self.end == self.due {
            self.keep(state);
        }
        self.end += 1;
    }

    #[cold]
    #[inline(never)]
    fn keep(&mut self, state: impl FnOnce() -> S) {
        let (at, kept) = (self.end, self.snapshots.len());
        let apart = match self.policy {
            Policy::Every(steps) => steps,
            Policy::Growing => kept + 1,
            Policy::Slots(slots) => return self.keep_one_of(slots, state()),
            Policy::Memory { .. } => {
                let state = state();
                self.measure(&state);
                let slots = self.block_and_slots().1;
                // A state that has grown leaves room for fewer.
                if kept < slots || matches!(self.length, Length::Open(_)) {
                    self.keep_one_of(slots, state);
                } else {
                    self.due = usize::MAX;
                }
                return;
            }
        };
        self.due = at.saturating_add(apart);
        self.snapshots.push((at, state()));
    }

    /// Notes the size of a snapshot, where that says how many there may be.
    fn measure(&mut self, state: &S) {
        if let Policy::Memory { largest, heap, .. } = &mut self.policy {
            *largest = (*largest).max(size_of::<(usize, S)>() + heap(state));
        }
    }

    /// Keeps a state where there is room for `slots`.
    fn keep_one_of(&mut self, slots: usize, state: S) {
        let at = self.end;
        match self.length {
            Length::Known(steps) => {
                self.make_room(slots.min(steps));
                self.snapshots.push((at, state));
                let (left, free) = (steps.saturating_sub(at), slots - self.snapshots.len());
                self.due = match left > 1 && free > 0 {
                    true => at + split(left, free + 1),
                    false => usize::MAX,
                };
            }
            Length::Open(mut apart) => {
                while self.snapshots.len() >= slots {
                    apart = apart.saturating_mul(2);
                    // That of the start always stays.
                    self.snapshots.retain(|(k, _)| k % apart == 0);
                    if slots == 1 {
                        break;
                    }
                }
                if at.is_multiple_of(apart) && self.snapshots.len() < slots {
                    self.make_room(slots.min((2 * self.snapshots.len()).max(4)));
                    self.snapshots.push((at, state));
                }
                self.due = (at / apart + 1).saturating_mul(apart);
                self.length = Length::Open(apart);
            }
        }
    }

    /// Makes room for so many snapshots in all, and no more: room counts too.
    fn make_room(&mut self, slots: usize) {
        if self.snapshots.len() == self.snapshots.capacity() {
            let more = slots.saturating_sub(self.snapshots.len());
            self.snapshots.reserve_exact(more.max(1));
        }
    }

    // ---- the reverse -----------------------------------------------------------------------

    /// Whether all is reversed: there is no state then.
    pub fn is_done(&self) -> bool {
        self.end == 0
    }

    /// How many snapshots there are.
    pub fn len(&self) -> usize {
        self.snapshots.len()
    }

    /// Whether there is no snapshot.
    pub fn is_empty(&self) -> bool {
        self.snapshots.is_empty()
    }

    /// What is done next; nothing once all is reversed. The state is that of the last snapshot at first.
    pub fn next_action(&mut self) -> Option<Action> {
        if self.end == 0 {
            return None;
        }
        let Some(at) = self.at else {
            return Some(Action::Restore);
        };
        let left = self.end - at;
        let stored = self.snapshots.last().is_some_and(|(k, _)| *k == at);
        let (block, slots) = self.block_and_slots();
        if left <= block {
            if stored {
                self.snapshots.pop();
            }
            let all = Action::Reverse(at, self.end);
            (self.end, self.at) = (at, None);
            return Some(all);
        }
        if !stored {
            return Some(Action::Store);
        }
        let ahead = match slots.saturating_sub(self.snapshots.len()) {
            0 => left - block,
            free => split(left, free + 1),
        };
        self.at = Some(at + ahead);
        Some(Action::Advance(at, at + ahead))
    }

    /// How many steps are reversed at once, and how many snapshots there may be.
    fn block_and_slots(&self) -> (usize, usize) {
        match &self.policy {
            Policy::Every(_) | Policy::Growing => (usize::MAX, 0),
            Policy::Slots(slots) => (1, *slots),
            Policy::Memory { bytes, largest, .. } => (1, (bytes / (*largest).max(1)).max(1)),
        }
    }

    /// Keeps the state as it is now.
    pub fn store(&mut self, state: S) {
        self.measure(&state);
        let at = self.at.expect("a state");
        self.snapshots.push((at, state));
    }

    /// The state of the last snapshot, which is given up if it is not needed once more.
    ///
    /// # Panics
    /// If there is none.
    pub fn state(&mut self) -> S
    where
        S: Saved,
    {
        let (at, state) = self.snapshots.last().expect("a snapshot");
        self.at = Some(*at);
        match self.end - at <= self.block_and_slots().0 {
            true => self.snapshots.pop().expect("a snapshot").1,
            false => state.clone(),
        }
    }
}

/// What a part of a state has on the heap.
#[doc(hidden)]
#[inline(always)]
pub fn heap_size<T: HeapSize>(value: &T) -> usize {
    value.heap_size()
}

/// A copy of a part of the state of a loop, or of an argument.
#[doc(hidden)]
#[inline(always)]
pub fn saved<T: Saved>(value: &T) -> T {
    value.clone()
}

/// What a loop with `#[checkpoint]` may change, and what a function with it takes by value.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "what `#[checkpoint]` keeps is a copy, and `{Self}` is not `Clone`",
    label = "one is changed by a loop with it, or taken by value",
    note = "derive `Clone` for it, or make what changes it a part of the loop"
)]
pub trait Saved: Clone {}
impl<T: Clone> Saved for T {}

/// The item of a range with this number, counted from its start.
#[doc(hidden)]
#[inline(always)]
pub fn trip<I: Iterator + Clone>(range: &I, k: usize) -> I::Item {
    range.clone().nth(k).expect("a trip that the loop has made")
}
