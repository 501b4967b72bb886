//! The seam for Fourier transforms.

use super::cpu::{dense, flat};
use super::*;

/// A device that transforms along the last axis. Complex numbers are pairs of real and imaginary parts;
/// all operands are dense.
pub trait Fourier: Device {
    /// `out ← scale · Σ_n x_n e^(∓2πi kn/N)`, with the plus sign if `inverse`.
    fn fft<T: Float>(
        &self,
        inverse: bool,
        scale: f64,
        x: [View<'_, T, Self>; 2],
        out: [ViewMut<'_, T, Self>; 2],
    );
    /// Of a real `x`, the first `N/2 + 1` entries; with `doubled`, those of them that stand for two, one of
    /// them a conjugate, count twice.
    fn rfft<T: Float>(
        &self,
        doubled: bool,
        scale: f64,
        x: View<'_, T, Self>,
        out: [ViewMut<'_, T, Self>; 2],
    );
    /// `out ← scale · Re Σ_k x_k e^(+2πi kn/N)` over a spectrum of `N/2 + 1` entries; with `doubled`, those of
    /// them that stand for two count twice. The imaginary parts of the others are not read.
    fn irfft<T: Float>(
        &self,
        doubled: bool,
        scale: f64,
        x: [View<'_, T, Self>; 2],
        out: ViewMut<'_, T, Self>,
    );
}

fn last(layout: &Layout) -> usize {
    layout.dims()[layout.dims().rank() - 1]
}

impl Fourier for Cpu {
    fn fft<T: Float>(
        &self,
        inverse: bool,
        scale: f64,
        x: [View<'_, T, Self>; 2],
        out: [ViewMut<'_, T, Self>; 2],
    ) {
        let n = last(&x[0].layout);
        T::fft(n, inverse, scale, x.map(flat), out.map(|o| dense(o).0));
    }
    fn rfft<T: Float>(
        &self,
        doubled: bool,
        scale: f64,
        x: View<'_, T, Self>,
        out: [ViewMut<'_, T, Self>; 2],
    ) {
        let n = last(&x.layout);
        T::rfft(n, doubled, scale, flat(x), out.map(|o| dense(o).0));
    }
    fn irfft<T: Float>(
        &self,
        doubled: bool,
        scale: f64,
        x: [View<'_, T, Self>; 2],
        out: ViewMut<'_, T, Self>,
    ) {
        let n = last(&out.layout);
        T::irfft(n, doubled, scale, x.map(flat), dense(out).0);
    }
}
