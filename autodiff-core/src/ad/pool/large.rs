//! Large buffers: the thread keeps a few, and hands out the smallest that is large enough.

use super::{BUDGET, fresh};
use core::cell::RefCell;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use std::alloc::{Layout, dealloc};

/// The alignment of every buffer that is kept.
const KEPT_ALIGN: usize = 64;
/// How many a thread keeps at most.
const MAX_BUFFERS: usize = 64;

/// An unused buffer.
struct Buffer {
    ptr: NonNull<u8>,
    bytes: usize,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the buffer owns `ptr`, which `get` allocated with this layout.
        unsafe { dealloc(self.ptr.as_ptr(), layout(self.bytes, KEPT_ALIGN)) }
    }
}

thread_local! {
    static FREE: RefCell<Vec<Buffer>> = const { RefCell::new(Vec::new()) };
}

fn layout(bytes: usize, align: usize) -> Layout {
    Layout::from_size_align(bytes, align.max(KEPT_ALIGN)).expect("tape too long")
}

/// A buffer of at least `bytes` bytes, and its true size.
pub(super) fn get(bytes: usize, align: usize) -> (NonNull<u8>, usize) {
    let kept = (align <= KEPT_ALIGN)
        .then(|| FREE.try_with(|free| recycled(&mut free.borrow_mut(), bytes)))
        .and_then(|found| found.ok().flatten());
    match kept.map(ManuallyDrop::new) {
        Some(buffer) => (buffer.ptr, buffer.bytes),
        None => (fresh(layout(bytes, align)), bytes),
    }
}

/// The smallest free buffer that is large enough.
fn recycled(free: &mut Vec<Buffer>, bytes: usize) -> Option<Buffer> {
    let fitting = free
        .iter()
        .enumerate()
        .filter(|(_, buffer)| buffer.bytes >= bytes);
    let (index, _) = fitting.min_by_key(|(_, buffer)| buffer.bytes)?;
    let buffer = free.swap_remove(index);
    BUDGET.with(|budget| budget.give(buffer.bytes));
    Some(buffer)
}

/// Gives a buffer back.
///
/// # Safety
/// `ptr` and `bytes` are what [`get`] returned for this `align`, and the buffer is not used again.
pub(super) unsafe fn put(ptr: NonNull<u8>, bytes: usize, align: usize) {
    if align > KEPT_ALIGN {
        // SAFETY: by the contract, allocated by `get` with this layout.
        unsafe { dealloc(ptr.as_ptr(), layout(bytes, align)) };
        return;
    }
    let buffer = Buffer { ptr, bytes };
    // While the thread ends its list is gone; then, and when the list is full, the buffer is freed by
    // its own destructor.
    let _ = FREE.try_with(|free| {
        let mut free = free.borrow_mut();
        if free.len() < MAX_BUFFERS && BUDGET.with(|budget| budget.take(bytes)) {
            free.push(buffer);
        }
    });
}

/// Gives all free buffers back to the allocator.
pub(super) fn release() {
    let _ = FREE.try_with(|free| {
        for buffer in free.borrow_mut().drain(..) {
            BUDGET.with(|budget| budget.give(buffer.bytes));
        }
    });
}
