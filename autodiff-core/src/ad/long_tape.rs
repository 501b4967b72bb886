//! The tape of a loop whose number of trips is not known beforehand.

use super::tape::Tape;
use core::mem;

/// The first buffer at least, so that short loops do not grow theirs step by step.
const FIRST_BYTES: usize = 256;

/// Each buffer is as large as those before it up to this size, then an eighth of them.
const DOUBLED_BYTES: usize = 1 << 20;

/// A [`Tape`] that goes on in another buffer when one is full, and moves nothing: it takes at most an
/// eighth (and a megabyte) more than its entries, at every moment.
#[derive(Clone, Debug)]
pub struct LongTape<T> {
    top: Tape<T>,
    /// The full buffers before that one.
    below: Vec<Tape<T>>,
    /// How many entries those hold.
    under: usize,
}

impl<T> LongTape<T> {
    /// An empty tape, without a buffer.
    #[inline(always)]
    pub const fn new() -> Self {
        LongTape {
            top: Tape::new(),
            below: Vec::new(),
            under: 0,
        }
    }

    /// The number of entries.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.under + self.top.len()
    }

    /// Whether there is no entry.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many entries can be put on it by [`push_reserved`](Self::push_reserved): one at least.
    #[inline(always)]
    pub fn room(&mut self) -> usize {
        if self.top.is_full() {
            self.go_on();
        }
        self.top.room()
    }

    /// Adds an entry for which there is [`room`](Self::room).
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub fn push_reserved(&mut self, value: T) {
        self.top.push_reserved(value);
    }

    /// Adds an entry.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        if self.top.is_full() {
            self.go_on();
        }
        self.top.push(value);
    }

    /// Drops all entries but the first `n`.
    #[inline(always)]
    pub fn truncate(&mut self, n: usize) {
        while self.len() > n {
            self.pop();
        }
    }

    /// Removes the last entry.
    ///
    /// # Panics
    /// If the tape is empty: a reverse pass pops exactly what the forward pass pushed.
    #[inline(always)]
    pub fn pop(&mut self) -> T {
        if self.top.is_empty() {
            self.go_back();
        }
        self.top.pop()
    }

    #[cold]
    #[inline(never)]
    fn go_on(&mut self) {
        let size = size_of::<T>().max(1);
        let (all, doubled) = (self.len(), DOUBLED_BYTES / size);
        let room = all.min(doubled.max(all / 8)).max(FIRST_BYTES / size).max(4);
        let mut next = Tape::new();
        next.reserve(room);
        let full = mem::replace(&mut self.top, next);
        self.under += full.len();
        if !full.is_empty() {
            self.below.push(full);
        }
    }

    #[cold]
    #[inline(never)]
    fn go_back(&mut self) {
        if let Some(full) = self.below.pop() {
            self.under -= full.len();
            self.top = full;
        }
    }
}

impl<T> Default for LongTape<T> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}
