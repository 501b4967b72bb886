//! Random numbers of functions that run again.
//!
//! A captured function has the seeds with which it was captured. Each call shifts all of them by a number of its own, on the
//! host where operations run one by one, and on the card in a graph.

use core::cell::Cell;

#[derive(Clone, Copy)]
enum Within {
    /// Nothing that is captured.
    Nothing,
    /// A call that runs its operations one by one.
    Call(u64),
    /// A function that is being captured: kernels add the shift.
    #[cfg(feature = "cuda")]
    Capture,
}

thread_local! {
    static WITHIN: Cell<Within> = const { Cell::new(Within::Nothing) };
}

/// Sets it back, also when `f` panics.
fn within<R>(new: Within, f: impl FnOnce() -> R) -> R {
    struct Before(Within);
    impl Drop for Before {
        fn drop(&mut self) {
            WITHIN.set(self.0);
        }
    }
    let _before = Before(WITHIN.replace(new));
    f()
}

/// What a call adds to seeds: the odd number next to 2⁶⁴/φ tells calls apart from seeds that count up.
pub(crate) fn shift(call: u64) -> u64 {
    call.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Runs a call of a captured function.
pub(super) fn shifted<R>(call: u64, f: impl FnOnce() -> R) -> R {
    within(Within::Call(shift(call)), f)
}

/// Runs a function while it is captured.
#[cfg(feature = "cuda")]
pub(crate) fn captured<R>(f: impl FnOnce() -> R) -> R {
    within(Within::Capture, f)
}

/// Whether the thread captures a function.
pub(crate) fn is_capturing() -> bool {
    match WITHIN.get() {
        #[cfg(feature = "cuda")]
        Within::Capture => true,
        _ => false,
    }
}

/// The seed that an operation is given.
pub(crate) fn seed(seed: u64) -> u64 {
    match WITHIN.get() {
        Within::Call(shift) => seed.wrapping_add(shift),
        _ => seed,
    }
}
