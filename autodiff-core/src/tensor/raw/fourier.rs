//! Fourier transforms of untyped tensors along an axis.

use super::Raw;
use crate::device::{Dims, Float, Fourier};

impl<T: Float, D: Fourier> Raw<T, D> {
    /// Complex numbers along each of `axes`.
    #[must_use]
    #[track_caller]
    pub fn fft(x: [&Self; 2], axes: &[usize], inverse: bool, scale: f64) -> [Self; 2] {
        let mut x = x.map(Raw::clone);
        for (i, &axis) in axes.iter().enumerate() {
            let scale = if i == 0 { scale } else { 1.0 };
            let turned = x.each_ref().map(|x| x.axis_last(axis).contiguous());
            let mut out = pair(x[0].device(), turned[0].dims());
            x[0].device().fft(
                inverse,
                scale,
                turned.each_ref().map(Raw::view),
                out.each_mut().map(Raw::view_mut),
            );
            x = out.map(|o| o.last_to_axis(axis));
        }
        x
    }

    /// The spectra of real numbers along `axis`.
    #[must_use]
    #[track_caller]
    pub fn rfft(&self, axis: usize, doubled: bool, scale: f64) -> [Self; 2] {
        let x = self.axis_last(axis).contiguous();
        let last = x.dims().rank() - 1;
        let dims = x.dims().with(last, x.dims()[last] / 2 + 1);
        let mut out = pair(x.device(), &dims);
        x.device()
            .rfft(doubled, scale, x.view(), out.each_mut().map(Raw::view_mut));
        out.map(|o| o.last_to_axis(axis))
    }

    /// `n` real numbers along `axis` from their spectra.
    #[must_use]
    #[track_caller]
    pub fn irfft(x: [&Self; 2], axis: usize, n: usize, doubled: bool, scale: f64) -> Self {
        let x = x.map(|x| x.axis_last(axis).contiguous());
        let dims = x[0].dims().with(x[0].dims().rank() - 1, n);
        let mut out = Raw::unspecified(x[0].device(), dims);
        let views = x.each_ref().map(Raw::view);
        x[0].device().irfft(doubled, scale, views, out.view_mut());
        out.last_to_axis(axis)
    }
}

#[track_caller]
fn pair<T: Float, D: Fourier>(device: &D, dims: &Dims) -> [Raw<T, D>; 2] {
    [(); 2].map(|()| Raw::unspecified(device, *dims))
}
