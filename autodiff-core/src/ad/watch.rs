//! Cotangents of tensors, seen while the reverse pass builds them.
//!
//! Whoever sends gradients to other machines begins while the reverse pass is under way: the gradient of the last layer is final
//! long before that of the first. So the accumulators of tensors show each contribution, with the sum so far. Which contribution
//! is the last one the observer learns from an earlier pass.
//!
//! Nothing here can make a gradient wrong. An observer that keeps a sum shares its buffer, and what is added later goes to a copy:
//! the gradient then has another [`storage_id`](crate::tensor::Raw::storage_id) than what was kept.

use core::any::Any;
use std::cell::{Cell, RefCell};

type See = dyn FnMut(&dyn Any);

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static SEE: RefCell<Option<Box<See>>> = const { RefCell::new(None) };
}

/// Calls `f`, and `see` at each contribution to a cotangent of a tensor on this thread: with the sum so far, a
/// [`Raw`](crate::tensor::Raw) of some type of elements on some device. Another `watch` inside hides this one.
#[doc(hidden)]
pub fn watch<R>(see: impl FnMut(&dyn Any) + 'static, f: impl FnOnce() -> R) -> R {
    struct Before(bool, Option<Box<See>>);
    impl Drop for Before {
        fn drop(&mut self) {
            ON.set(self.0);
            SEE.set(self.1.take());
        }
    }
    let _before = Before(ON.replace(true), SEE.replace(Some(Box::new(see))));
    f()
}

/// Shows a sum, if somebody watches.
#[inline(always)]
pub(crate) fn contributed<X: Any>(sum: impl FnOnce() -> Option<X>) {
    if ON.get() {
        show(sum().as_ref().map(|x| x as &dyn Any));
    }
}

#[cold]
fn show(sum: Option<&dyn Any>) {
    // Out of its place while it is called: what it does may have cotangents of its own.
    let Some(mut see) = SEE.take() else { return };
    if let Some(sum) = sum {
        see(sum);
    }
    SEE.set(Some(see));
}
