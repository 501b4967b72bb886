//! Fourier transforms.

use super::*;

fn last(layout: &Layout) -> usize {
    layout.dims()[layout.dims().rank() - 1]
}

pub(super) fn fft<T: Float>(
    inverse: bool,
    scale: f64,
    x: [View<'_, T, Cpu>; 2],
    out: [ViewMut<'_, T, Cpu>; 2],
) {
    let n = last(&x[0].layout);
    T::fft(n, inverse, scale, x.map(flat), out.map(|o| dense(o).0));
}

pub(super) fn rfft<T: Float>(
    doubled: bool,
    scale: f64,
    x: View<'_, T, Cpu>,
    out: [ViewMut<'_, T, Cpu>; 2],
) {
    let n = last(&x.layout);
    T::rfft(n, doubled, scale, flat(x), out.map(|o| dense(o).0));
}

pub(super) fn irfft<T: Float>(
    doubled: bool,
    scale: f64,
    x: [View<'_, T, Cpu>; 2],
    out: ViewMut<'_, T, Cpu>,
) {
    let n = last(&out.layout);
    T::irfft(n, doubled, scale, x.map(flat), dense(out).0);
}
