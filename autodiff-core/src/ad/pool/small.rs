//! Blocks of some kilobytes: a list of free ones for each size, linked through the blocks themselves.

use super::{BUDGET, fresh, stack};
use core::cell::Cell;
use core::ptr::{self, NonNull};
use std::alloc::{Layout, dealloc};

/// The alignment of every block.
const ALIGN: usize = stack::STEP;
/// The sizes are powers of two from twice [`stack::LARGEST`] to `LARGEST`.
const SMALLEST: usize = 2 * stack::LARGEST;
pub(super) const LARGEST: usize = 16 << 10;
const CLASSES: usize = (LARGEST / SMALLEST).ilog2() as usize + 1;

/// A free block begins with the address of the next one.
struct Free {
    next: *mut Free,
}

/// The free blocks of a thread.
struct Lists {
    first: [Cell<*mut Free>; CLASSES],
    state: Cell<State>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Nothing was kept so far.
    New,
    /// At its end the thread gives back what it keeps.
    Open,
    /// The thread ends: nothing is kept any more.
    Closed,
}

thread_local! {
    // Without a destructor, so that a block costs no check whether the lists are still there.
    static LISTS: Lists = const {
        Lists {
            first: [const { Cell::new(ptr::null_mut()) }; CLASSES],
            state: Cell::new(State::New),
        }
    };
    static END: End = const { End };
}

/// Empties the lists when the thread ends.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        LISTS.with(|lists| lists.state.set(State::Closed));
        release();
    }
}

/// The list for blocks of this size, which is more than [`stack::LARGEST`] and at most [`LARGEST`].
#[inline(always)]
pub(super) const fn class(bytes: usize) -> usize {
    ((bytes - 1) / stack::LARGEST).ilog2() as usize
}

/// The true size of the blocks of a list.
#[inline(always)]
const fn size(class: usize) -> usize {
    SMALLEST << class
}

const fn layout(class: usize) -> Layout {
    match Layout::from_size_align(size(class), ALIGN) {
        Ok(layout) => layout,
        Err(_) => unreachable!(),
    }
}

/// A block of the class, and its size.
#[inline]
pub(super) fn get(class: usize) -> (NonNull<u8>, usize) {
    LISTS.with(|lists| {
        let first = &lists.first[class];
        let Some(block) = NonNull::new(first.get()) else {
            return (fresh(layout(class)), size(class));
        };
        // SAFETY: a block of the list is free memory that `put` began with a `Free`, and nobody else
        // has its address.
        first.set(unsafe { block.as_ref() }.next);
        BUDGET.with(|budget| budget.give(size(class)));
        (block.cast(), size(class))
    })
}

/// Keeps a block for the next one that asks, or gives it back to the allocator.
///
/// # Safety
/// [`get`] returned it for this class, and it is not used again.
#[inline]
pub(super) unsafe fn put(block: NonNull<u8>, class: usize) {
    LISTS.with(|lists| {
        let open = lists.state.get() == State::Open || opened(lists);
        if !open || !BUDGET.with(|budget| budget.take(size(class))) {
            // SAFETY: `get` allocated it with this layout, and by the contract it is not used again.
            return unsafe { dealloc(block.as_ptr(), layout(class)) };
        }
        let block = block.cast::<Free>();
        let next = lists.first[class].get();
        // SAFETY: a block has room for a `Free`, is aligned for it, and belongs to the list now.
        unsafe { block.write(Free { next }) };
        lists.first[class].set(block.as_ptr());
    });
}

/// Sees to it that the lists are emptied when the thread ends. `false` if it ends already.
#[cold]
fn opened(lists: &Lists) -> bool {
    let open = lists.state.get() == State::New && END.try_with(|_| ()).is_ok();
    if open {
        lists.state.set(State::Open);
    }
    open
}

/// Gives all free blocks back to the allocator.
pub(super) fn release() {
    LISTS.with(|lists| {
        for (class, first) in lists.first.iter().enumerate() {
            let mut block = first.replace(ptr::null_mut());
            while !block.is_null() {
                // SAFETY: a block of the list is free memory that begins with a `Free`; it left the
                // list above, and `get` allocated it with this layout.
                block = unsafe {
                    let next = (*block).next;
                    dealloc(block.cast(), layout(class));
                    next
                };
                BUDGET.with(|budget| budget.give(size(class)));
            }
        }
    });
}
