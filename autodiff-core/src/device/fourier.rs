//! The seam for Fourier transforms.

use super::backend::declare_backend;
use super::*;

/// The methods of [`Fourier`], as [`methods_of_backend`](super::backend).
macro_rules! methods_of_fourier {
    ($then:ident [$($with:tt)*]) => { $then! { [$($with)*]
    on_host {
        /// `out ← scale · Σ_n x_n e^(∓2πi kn/N)`, with the plus sign if `inverse`.
        fn fft[T: Float](inverse: bool, scale: f64; x: [View<'_, T, Self>; 2], out: [ViewMut<'_, T, Self>; 2]);
        /// Of a real `x`, the first `N/2 + 1` entries; with `doubled`, those of them that stand for two, one of
        /// them a conjugate, count twice.
        fn rfft[T: Float](doubled: bool, scale: f64; x: View<'_, T, Self>, out: [ViewMut<'_, T, Self>; 2]);
        /// `out ← scale · Re Σ_k x_k e^(+2πi kn/N)` over a spectrum of `N/2 + 1` entries; with `doubled`, those of
        /// them that stand for two count twice. The imaginary parts of the others are not read.
        fn irfft[T: Float](doubled: bool, scale: f64; x: [View<'_, T, Self>; 2], out: ViewMut<'_, T, Self>);
    }
    } };
}
pub(crate) use methods_of_fourier;

methods_of_fourier!(declare_backend [
    /// A device that transforms along the last axis. Complex numbers are pairs of real and imaginary parts;
    /// all operands are dense.
    trait Fourier: [Backend] {}
]);
