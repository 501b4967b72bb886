//! Memory that gradients use again: buffers of tapes, and boxes of pullbacks.
//!
//! A gradient takes thousands of small blocks one after the other and gives them back in reverse
//! order. General allocators are at their slowest then: they keep a few blocks of a size at hand, join
//! the others with their neighbours, and give large ones back to the system, which must clear their
//! pages again for the next gradient. So each thread keeps what it was given back, in chunks ([`stack`]), in lists by size
//! ([`small`]) and as whole buffers ([`large`]), whatever the allocator of the program is. Vectors belong to the program;
//! for them the allocator is told to keep its pages ([`pages`]).
//!
//! A block may be given back by another thread than the one that took it: a chunk knows its owner, and each larger block is
//! an allocation of its own.

mod large;
mod pages;
mod small;
mod stack;

use core::cell::Cell;
use core::ptr::NonNull;
pub(in crate::ad) use pages::keep_for;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

/// What a thread keeps at most, unless [`limit_kept_memory`] says otherwise: 256 MiB.
const MAX_KEPT_BYTES: usize = 256 << 20;

/// How many bytes a thread keeps, in small blocks and large buffers together, and how many it may.
struct Budget {
    kept: Cell<usize>,
    limit: Cell<usize>,
}

impl Budget {
    /// Counts memory that is to be kept; false, and not counted, where that would be too much.
    #[inline(always)]
    fn take(&self, bytes: usize) -> bool {
        let kept = self.kept.get() + bytes;
        let fits = kept <= self.limit.get();
        if fits {
            self.kept.set(kept);
        }
        fits
    }

    /// Memory that was kept is in use again, or goes back to the allocator.
    #[inline(always)]
    fn give(&self, bytes: usize) {
        self.kept.set(self.kept.get() - bytes);
    }
}

thread_local! {
    static BUDGET: Budget = const {
        Budget {
            kept: Cell::new(0),
            limit: Cell::new(MAX_KEPT_BYTES),
        }
    };
}

/// Who has blocks of a size.
enum Home {
    Stack,
    /// A list of [`small`].
    List(usize),
    Large,
}

/// Who has blocks of this size and alignment.
#[inline(always)]
const fn home(bytes: usize, align: usize) -> Home {
    if align > stack::STEP || bytes > small::LARGEST {
        Home::Large
    } else if bytes > stack::LARGEST {
        Home::List(small::class(bytes))
    } else {
        Home::Stack
    }
}

/// Memory for at least `bytes` bytes, and its true size. `bytes` is not 0.
#[inline]
pub(super) fn get(bytes: usize, align: usize) -> (NonNull<u8>, usize) {
    match home(bytes, align) {
        Home::Stack => stack::get(bytes),
        Home::List(class) => small::get(class),
        Home::Large => large::get(bytes, align),
    }
}

/// Gives memory back.
///
/// # Safety
/// `ptr` and `bytes` are what [`get`] returned for this `align`, and the memory is not used again.
#[inline]
pub(super) unsafe fn put(ptr: NonNull<u8>, bytes: usize, align: usize) {
    // SAFETY: by the contract; a true size has the same home.
    unsafe {
        match home(bytes, align) {
            Home::Stack => stack::put(ptr, bytes),
            Home::List(class) => small::put(ptr, class),
            Home::Large => large::put(ptr, bytes, align),
        }
    }
}

/// Memory for a value of this layout, which is not empty. Only small ones are of the pool.
#[inline(always)]
pub(super) fn get_block(layout: Layout) -> NonNull<u8> {
    match home(layout.size(), layout.align()) {
        Home::Stack => stack::get(layout.size()).0,
        Home::List(class) => small::get(class).0,
        Home::Large => fresh(layout),
    }
}

/// Gives it back.
///
/// # Safety
/// `ptr` is what [`get_block`] returned for this layout, and the memory is not used again.
#[inline(always)]
pub(super) unsafe fn put_block(ptr: NonNull<u8>, layout: Layout) {
    // SAFETY: by the contract.
    unsafe {
        match home(layout.size(), layout.align()) {
            Home::Stack => stack::put(ptr, layout.size()),
            Home::List(class) => small::put(ptr, class),
            Home::Large => dealloc(ptr.as_ptr(), layout),
        }
    }
}

/// New memory from the allocator of the program.
fn fresh(layout: Layout) -> NonNull<u8> {
    assert!(layout.size() > 0, "an empty buffer needs no allocation");
    // SAFETY: the size is not 0.
    let ptr = unsafe { alloc(layout) };
    NonNull::new(ptr).unwrap_or_else(|| handle_alloc_error(layout))
}

/// How many bytes this thread keeps for its next gradient: memory of tapes and pullbacks that is not
/// in use.
pub fn kept_memory() -> usize {
    BUDGET.with(|budget| budget.kept.get())
}

/// Gives the memory that this thread keeps for its next gradient back to the allocator, and with glibc what the allocator
/// keeps back to the system.
///
/// A program that is done with gradients, or keeps many threads, may call it; the next gradient
/// allocates again.
///
/// ```
/// use differentiable::prelude::*;
///
/// #[differentiable]
/// fn product(x: &[f64]) -> f64 {
///     let mut p = 1.0;
///     for i in 0..x.len() {
///         p *= x[i];
///     }
///     p
/// }
///
/// product::grad(&vec![1.0; 100_000]);
/// assert!(differentiable::ad::kept_memory() > 0);
/// differentiable::ad::release_memory();
/// assert_eq!(differentiable::ad::kept_memory(), 0);
/// ```
pub fn release_memory() {
    stack::release();
    small::release();
    large::release();
    pages::release();
}

/// Sets how many bytes this thread keeps at most for its next gradient, instead of 256 MiB. What it
/// keeps already beyond that is given back.
///
/// With glibc it also sets how much freed memory the allocator keeps, for all threads of the process: the first gradient
/// with a vector of 128 KiB or more has set that to 256 MiB, unless the environment (`MALLOC_TRIM_THRESHOLD_`,
/// `GLIBC_TUNABLES`) says otherwise.
pub fn limit_kept_memory(bytes: usize) {
    BUDGET.with(|budget| budget.limit.set(bytes));
    pages::limit(bytes);
    if kept_memory() > bytes {
        release_memory();
    }
}

#[cfg(test)]
mod tests;
