//! Buffers that are recycled instead of freed.
//!
//! A fresh mapping costs a page fault for every 4 KiB that is touched; recycling a buffer costs
//! nothing. Each thread keeps lists of freed buffers by size class, up to a bound.
//!
//! Memory from the system is asked for zeroed and never returned to an uninitialised state, so a
//! recycled buffer holds unspecified but initialised bytes and can be handed out as a slice.

use crate::device::Elem;
use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// Bytes that one thread keeps at most.
const KEEP_BYTES: usize = 256 << 20;
/// Buffers of one class that a thread keeps at most.
const KEEP_COUNT: usize = 64;
const CLASSES: usize = 4 * 48;

/// The size class of a request: four steps for each power of two, from 64 bytes.
#[inline]
fn class_of(bytes: usize) -> usize {
    let b = bytes.max(64) - 1;
    let log = (usize::BITS - 1 - b.leading_zeros()) as usize;
    4 * (log - 5) + ((b >> (log - 2)) & 3) - 3
}

#[inline]
fn class_bytes(class: usize) -> usize {
    let quarters = class + 3;
    let (log, step) = (quarters / 4 + 5, quarters % 4);
    (5 + step) << (log - 2)
}

fn class_layout(class: usize) -> Layout {
    let bytes = class_bytes(class);
    // Small buffers come from malloc's own lists, which are faster without an unusual alignment.
    Layout::from_size_align(bytes, if bytes >= 4096 { 64 } else { 16 })
        .expect("a tensor of more than isize::MAX bytes")
}

struct Pool {
    free: Vec<Vec<NonNull<u8>>>,
    bytes: usize,
}

impl Drop for Pool {
    fn drop(&mut self) {
        for (class, list) in self.free.iter().enumerate() {
            for p in list {
                // SAFETY: the pool owns the block, which was allocated with this layout.
                unsafe { dealloc(p.as_ptr(), class_layout(class)) }
            }
        }
    }
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { free: Vec::new(), bytes: 0 }) };
}

fn take(class: usize) -> NonNull<u8> {
    let recycled = POOL.try_with(|p| {
        let mut p = p.borrow_mut();
        let block = p.free.get_mut(class)?.pop()?;
        p.bytes -= class_bytes(class);
        Some(block)
    });
    if let Ok(Some(block)) = recycled {
        return block;
    }
    let layout = class_layout(class);
    // SAFETY: the size is not 0.
    NonNull::new(unsafe { alloc_zeroed(layout) }).unwrap_or_else(|| handle_alloc_error(layout))
}

fn give(block: NonNull<u8>, class: usize) {
    let kept = POOL.try_with(|p| {
        let mut p = p.borrow_mut();
        let bytes = class_bytes(class);
        if p.free.is_empty() {
            p.free.resize_with(CLASSES, Vec::new);
        }
        if p.bytes + bytes > KEEP_BYTES || p.free[class].len() >= KEEP_COUNT {
            return false;
        }
        p.bytes += bytes;
        p.free[class].push(block);
        true
    });
    if kept != Ok(true) {
        // SAFETY: the caller owns the block, which was allocated with this layout.
        unsafe { dealloc(block.as_ptr(), class_layout(class)) }
    }
}

/// A pooled buffer of elements.
pub struct Buffer<T> {
    ptr: NonNull<T>,
    len: usize,
    class: usize,
    own: PhantomData<T>,
}

// SAFETY: the buffer owns its elements, like a `Box<[T]>`; the pool is touched only by the thread
// that allocates or drops.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Buffer<T> {}

impl<T: Elem> Buffer<T> {
    /// A buffer of `len` elements with unspecified values.
    pub fn unspecified(len: usize) -> Self {
        let bytes = len
            .checked_mul(size_of::<T>())
            .expect("a tensor of more than usize::MAX bytes");
        if bytes == 0 {
            return Buffer {
                ptr: NonNull::dangling(),
                len: 0,
                class: 0,
                own: PhantomData,
            };
        }
        let class = class_of(bytes);
        let mut b = Buffer {
            ptr: take(class).cast::<T>(),
            len,
            class,
            own: PhantomData,
        };
        if !T::ANY_BITS {
            // SAFETY: the block has room for `len` elements; no reference to them exists yet.
            unsafe { core::ptr::write_bytes(b.ptr.as_ptr(), 0, len) }
        }
        debug_assert!(b.as_mut_ptr().is_aligned());
        b
    }

    /// A buffer with a copy of `data`.
    pub fn from_slice(data: &[T]) -> Self {
        let mut b = Self::unspecified(data.len());
        b.copy_from_slice(data);
        b
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        if self.len > 0 {
            give(self.ptr.cast(), self.class);
        }
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` elements are allocated; the bytes are initialised, and valid for every
        // `Elem` (`bool` is cleared when taken).
        unsafe { core::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `&mut self` makes the access exclusive.
        unsafe { core::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer<{}>[{}]", core::any::type_name::<T>(), self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_cover_and_waste_at_most_a_quarter() {
        for bytes in (1..5000).chain([65535, 65536, 65537, 1 << 20, (1 << 20) + 1, 3 << 30]) {
            let c = class_of(bytes);
            assert!(
                class_bytes(c) >= bytes,
                "{bytes} in class {c} of {}",
                class_bytes(c)
            );
            if bytes > 64 {
                assert!(
                    class_bytes(c) * 4 <= bytes * 5 + 4,
                    "{bytes} wastes in {}",
                    class_bytes(c)
                );
                assert!(
                    class_bytes(c - 1) < bytes,
                    "{bytes} fits in the class below"
                );
            }
            assert!(c < CLASSES);
        }
    }

    #[test]
    fn a_freed_buffer_is_recycled_and_live_ones_are_distinct() {
        let a = Buffer::<f32>::from_slice(&[1.0; 3000]);
        let p = a.as_ptr();
        let b = Buffer::<f32>::unspecified(3000);
        assert_ne!(p, b.as_ptr());
        drop(a);
        let c = Buffer::<i64>::unspecified(1500);
        assert_eq!(p.cast(), c.as_ptr());
        assert!((c.as_ptr() as usize).is_multiple_of(64));
    }

    #[test]
    fn bools_are_valid_after_recycling() {
        drop(Buffer::<u8>::from_slice(&[77; 200]));
        assert!(Buffer::<bool>::unspecified(200).iter().all(|b| !b));
    }

    #[test]
    fn buffers_cross_threads_and_empty_ones_own_nothing() {
        let b = Buffer::<f64>::from_slice(&[2.0; 100]);
        std::thread::spawn(move || assert_eq!(b.iter().sum::<f64>(), 200.0))
            .join()
            .unwrap();
        assert!(Buffer::<f64>::unspecified(0).is_empty());
    }

    #[test]
    fn what_a_thread_keeps_is_bounded() {
        let many: Vec<_> = (0..2 * KEEP_COUNT)
            .map(|_| Buffer::<u8>::unspecified(100))
            .collect();
        drop(many);
        POOL.with(|p| assert!(p.borrow().free[class_of(100)].len() <= KEEP_COUNT));
    }
}
