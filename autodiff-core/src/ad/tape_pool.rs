//! Buffers of tapes. Those of 32 KiB and more are kept by the thread for the next gradient.

use core::cell::RefCell;
use core::ptr::NonNull;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

/// Smaller buffers are left to the allocator, which has them at hand.
const POOLED_BYTES: usize = 32 << 10;
/// The alignment of every pooled buffer.
const POOLED_ALIGN: usize = 64;
/// What a thread keeps at most.
const MAX_BUFFERS: usize = 32;
const MAX_KEPT_BYTES: usize = 256 << 20;

/// An unused buffer.
struct Buffer {
    ptr: NonNull<u8>,
    bytes: usize,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the buffer owns `ptr`, which `get` allocated with this layout (pooled buffers have
        // `POOLED_ALIGN`).
        unsafe { dealloc(self.ptr.as_ptr(), layout(self.bytes, POOLED_ALIGN)) }
    }
}

thread_local! {
    static FREE: RefCell<Vec<Buffer>> = const { RefCell::new(Vec::new()) };
}

const fn is_pooled(bytes: usize, align: usize) -> bool {
    bytes >= POOLED_BYTES && align <= POOLED_ALIGN
}

fn layout(bytes: usize, align: usize) -> Layout {
    let align = if is_pooled(bytes, align) {
        POOLED_ALIGN
    } else {
        align
    };
    Layout::from_size_align(bytes, align).expect("tape too long")
}

/// A buffer of at least `bytes` bytes, and its true size. `bytes` is not 0.
pub(super) fn get(bytes: usize, align: usize) -> (NonNull<u8>, usize) {
    assert!(bytes > 0, "an empty buffer needs no allocation");
    if is_pooled(bytes, align)
        && let Some(buffer) = FREE
            .try_with(|free| recycled(&mut free.borrow_mut(), bytes))
            .ok()
            .flatten()
    {
        let buffer = core::mem::ManuallyDrop::new(buffer);
        return (buffer.ptr, buffer.bytes);
    }
    let layout = layout(bytes, align);
    // SAFETY: the size is not 0.
    let ptr = unsafe { alloc(layout) };
    match NonNull::new(ptr) {
        Some(ptr) => (ptr, bytes),
        None => handle_alloc_error(layout),
    }
}

/// The smallest free buffer that is large enough.
fn recycled(free: &mut Vec<Buffer>, bytes: usize) -> Option<Buffer> {
    let fitting = free
        .iter()
        .enumerate()
        .filter(|(_, buffer)| buffer.bytes >= bytes);
    let (index, _) = fitting.min_by_key(|(_, buffer)| buffer.bytes)?;
    Some(free.swap_remove(index))
}

/// Gives a buffer back.
///
/// # Safety
/// `ptr` and `bytes` are what [`get`] returned for this `align`, and the buffer is not used again.
pub(super) unsafe fn put(ptr: NonNull<u8>, bytes: usize, align: usize) {
    if !is_pooled(bytes, align) {
        // SAFETY: by the contract, allocated by `get` with this layout.
        unsafe { dealloc(ptr.as_ptr(), layout(bytes, align)) };
        return;
    }
    let buffer = Buffer { ptr, bytes };
    // While the thread ends its pool is gone; then, and when the pool is full, the buffer is freed
    // by its own destructor.
    let _ = FREE.try_with(|free| {
        let mut free = free.borrow_mut();
        let kept: usize = free.iter().map(|buffer| buffer.bytes).sum();
        if free.len() < MAX_BUFFERS && kept + bytes <= MAX_KEPT_BYTES {
            free.push(buffer);
        }
    });
}
