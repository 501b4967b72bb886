//! The loop tape: a stack of what each iteration saves for the reverse pass.

use super::tape_pool as pool;
use core::marker::PhantomData;
use core::mem;
use core::ptr::NonNull;

/// A stack whose words stay in registers in a hot loop.
///
/// `Vec::push` passes the address of the vector to its growth path, so that its length lives in
/// memory (measured: 2.5 to 3 times slower). Here the growth path takes and returns the tape by
/// value. Large buffers are recycled by a pool of the thread, which spares a gradient the page
/// faults of a fresh allocation (1.8 to 1.1 times a hand-written gradient).
///
/// A tape that is full goes on in another buffer and moves nothing: what a loop of unknown length
/// takes is at most an eighth (and a megabyte) more than its entries, at every moment.
pub struct Tape<T> {
    /// `len` initialised entries, in an allocation of `bytes` bytes if `bytes > 0`.
    ptr: NonNull<T>,
    len: usize,
    /// `usize::MAX` for a zero-sized `T`.
    cap: usize,
    bytes: usize,
    /// The entries before those.
    below: Option<Box<Tape<T>>>,
    owns: PhantomData<T>,
}

// SAFETY: a tape owns its entries and its buffer, as a `Vec<T>` does; buffers of the pool may change
// threads.
unsafe impl<T: Send> Send for Tape<T> {}
// SAFETY: `&Tape<T>` gives access to no entry.
unsafe impl<T: Sync> Sync for Tape<T> {}

/// Reserved at most: a loop may end early by a panic.
const MAX_RESERVED_BYTES: usize = 256 << 20;

/// The first buffer at least of a loop whose trips are not known beforehand, so that short loops do
/// not grow theirs step by step.
const FIRST_BYTES: usize = 256;

/// Each buffer is as large as those before it up to this size, then an eighth of them.
const DOUBLED_BYTES: usize = 1 << 20;

impl<T> Tape<T> {
    const ALIGN: usize = if align_of::<T>() > 16 {
        align_of::<T>()
    } else {
        16
    };
    const SIZE: usize = size_of::<T>();

    /// An empty tape, without a buffer.
    #[inline(always)]
    pub const fn new() -> Self {
        Tape {
            ptr: NonNull::dangling(),
            len: 0,
            cap: if Self::SIZE == 0 { usize::MAX } else { 0 },
            bytes: 0,
            below: None,
            owns: PhantomData,
        }
    }

    /// Makes room for `n` more entries: exactly that in an empty tape, so that a loop whose trips
    /// are known allocates once. Room beyond 256 MiB is left to `push`.
    #[inline(always)]
    pub fn reserve(&mut self, n: usize) {
        if n > self.cap - self.len {
            self.enlarge(n);
        }
    }

    #[inline(always)]
    fn enlarge(&mut self, n: usize) {
        let n = n.min(MAX_RESERVED_BYTES / Self::SIZE.max(1));
        if n > self.cap - self.len {
            *self = mem::take(self).continued(n);
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.len + self.below.as_ref().map_or(0, |t| t.len())
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an entry.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        if self.len == self.cap {
            *self = mem::take(self).grown();
        }
        // SAFETY: `len < cap`, so the slot is inside the buffer (or `T` is zero-sized and any
        // aligned pointer will do), and it holds no initialised entry.
        unsafe { self.ptr.add(self.len).write(value) };
        self.len += 1;
    }

    /// Removes the last entry.
    ///
    /// # Panics
    /// If the tape is empty: a reverse pass pops exactly what the forward pass pushed.
    #[inline(always)]
    pub fn pop(&mut self) -> T {
        match self.try_pop() {
            Some(value) => value,
            None => empty(),
        }
    }

    /// Removes the last entry, if there is one.
    #[inline(always)]
    pub fn try_pop(&mut self) -> Option<T> {
        if self.len == 0 {
            self.below.as_ref()?;
            *self = mem::take(self).back();
            if self.len == 0 {
                return None;
            }
        }
        self.len -= 1;
        // SAFETY: the entry at the old `len - 1` is initialised, and with the new `len` it is out of
        // the tape, so it is read once.
        Some(unsafe { self.ptr.add(self.len).read() })
    }

    /// Removes the last `n` entries together, in the order in which they were added.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn last(&mut self, n: usize) -> &[T]
    where
        T: Copy,
    {
        if n > self.len {
            *self = mem::take(self).joined(n);
        }
        self.len -= n;
        // SAFETY: the `n` entries from the new `len` on are initialised; they are copied, never
        // dropped, and the borrow keeps them from being overwritten.
        unsafe { core::slice::from_raw_parts(self.ptr.as_ptr().add(self.len), n) }
    }

    /// Drops the last `n` entries, or all.
    #[inline(always)]
    pub fn drop_last(&mut self, n: usize) {
        for _ in 0..n {
            if self.try_pop().is_none() {
                return;
            }
        }
    }

    /// The tape with room for another entry, and for some more.
    #[cold]
    #[inline(never)]
    fn grown(self) -> Self {
        assert!(Self::SIZE != 0, "a tape of zero-sized entries never grows");
        let all = self.len();
        let doubled = DOUBLED_BYTES / Self::SIZE;
        let extra = all.min(doubled.max(all / 8));
        self.continued(extra.max(FIRST_BYTES / Self::SIZE).max(4))
    }

    /// The tape with room for `extra` more entries, in another buffer.
    #[inline(never)]
    fn continued(self, extra: usize) -> Self {
        let bytes = extra.checked_mul(Self::SIZE).expect("tape too long");
        let (ptr, bytes) = pool::get(bytes, Self::ALIGN);
        let below = if self.len > 0 {
            Some(Box::new(self))
        } else {
            let mut empty = self;
            empty.below.take()
        };
        Tape {
            ptr: ptr.cast(),
            len: 0,
            cap: bytes / Self::SIZE,
            bytes,
            below,
            owns: PhantomData,
        }
    }

    /// The tape before its last buffer, which is empty.
    #[cold]
    #[inline(never)]
    fn back(mut self) -> Self {
        debug_assert_eq!(self.len, 0, "entries would be lost");
        self.below.take().map_or(Tape::new(), |below| *below)
    }

    /// The tape with its last `n` entries in one buffer.
    #[cold]
    #[inline(never)]
    fn joined(mut self, n: usize) -> Self
    where
        T: Copy,
    {
        let mut entries = Vec::with_capacity(n);
        for _ in 0..n {
            entries.push(self.pop());
        }
        let mut joined = self.continued(n);
        for entry in entries.into_iter().rev() {
            joined.push(entry);
        }
        joined
    }
}

impl<T> Default for Tape<T> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Drop for Tape<T> {
    #[inline(always)]
    fn drop(&mut self) {
        if mem::needs_drop::<T>() {
            while self.len > 0 {
                self.try_pop();
            }
        }
        if self.bytes > 0 {
            // SAFETY: `ptr` came from `pool::get` with this alignment and `bytes`; its entries are
            // gone, and the tape is not used after this.
            unsafe { pool::put(self.ptr.cast(), self.bytes, Self::ALIGN) };
        }
    }
}

impl<T> core::fmt::Debug for Tape<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tape")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

#[cold]
#[inline(never)]
fn empty() -> ! {
    panic!("the reverse pass popped more than the forward pass pushed")
}
