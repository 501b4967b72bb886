//! Buffers of arguments over other scalars. Large ones are kept by the thread for the next product: the system
//! would take their pages back and clear new ones each time, which is slower than all that is computed with them.

use core::any::Any;
use core::cell::RefCell;

/// Smaller buffers are left to the allocator, which has them at hand.
const POOLED_BYTES: usize = 32 << 10;
/// What a thread keeps at most.
const MAX_BUFFERS: usize = 8;
const MAX_KEPT_BYTES: usize = 64 << 20;

thread_local! {
    static FREE: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

fn is_pooled<T>(entries: usize) -> bool {
    let bytes = entries.saturating_mul(size_of::<T>());
    (POOLED_BYTES..=MAX_KEPT_BYTES / MAX_BUFFERS).contains(&bytes)
}

/// An empty `Vec` with room for so many entries.
pub(super) fn take<T: 'static>(entries: usize) -> Vec<T> {
    if is_pooled::<T>(entries) {
        // While the thread ends its pool is gone.
        let found = FREE.try_with(|free| {
            let mut free = free.borrow_mut();
            let fits = |v: &Vec<T>| v.capacity() >= entries;
            let at = free
                .iter()
                .position(|b| b.downcast_ref::<Vec<T>>().is_some_and(fits))?;
            free.swap_remove(at).downcast::<Vec<T>>().ok()
        });
        if let Ok(Some(found)) = found {
            return *found;
        }
    }
    Vec::with_capacity(entries)
}

/// Keeps the memory of a `Vec`; the oldest one goes where there are too many.
pub(super) fn put<T: 'static>(mut entries: Vec<T>) {
    if is_pooled::<T>(entries.capacity()) {
        entries.clear();
        let _ = FREE.try_with(|free| {
            let mut free = free.borrow_mut();
            if free.len() == MAX_BUFFERS {
                free.remove(0);
            }
            free.push(Box::new(entries));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_buffers_come_back() {
        let mut first: Vec<f64> = take(10_000);
        first.push(1.0);
        let at = first.as_ptr();
        put(first);
        let other: Vec<f32> = take(10_000);
        assert_ne!(other.as_ptr().cast(), at);
        let again: Vec<f64> = take(9_000);
        assert_eq!((again.as_ptr(), again.len()), (at, 0));
    }

    #[test]
    fn few_are_kept() {
        for n in 0..20 {
            put(Vec::<f64>::with_capacity(10_000 + n));
        }
        put(Vec::<f64>::with_capacity(10));
        put(Vec::<f64>::with_capacity(MAX_KEPT_BYTES));
        FREE.with_borrow(|free| assert_eq!(free.len(), MAX_BUFFERS));
    }
}
