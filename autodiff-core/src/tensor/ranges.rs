//! Vectors of evenly spaced numbers, and identity matrices of a run-time size.

use super::{Raw, Tensor};
use crate::device::{Device, Elem, Float};
use crate::shape::{Dim, Shape, StaticDim};

impl<N: Dim, T: Float> Tensor<(N,), T> {
    /// `start`, `start + step`, `start + 2·step`, …
    pub fn arange_with(shape: (N,), start: T, step: T) -> Self {
        Self::from_fn_with(shape, |i| start + T::lit(i as f64) * step)
    }

    /// Evenly spaced numbers from `start` to `end`, both included; one number is `start`.
    pub fn linspace_with(shape: (N,), start: T, end: T) -> Self {
        let last = shape.0.size().saturating_sub(1);
        let step = (end - start) / T::lit(last.max(1) as f64);
        Self::from_fn_with(shape, |i| {
            if i == last && last > 0 {
                // Exact, whatever the step was rounded to.
                end
            } else {
                start + T::lit(i as f64) * step
            }
        })
    }
}

impl<N: StaticDim, T: Float> Tensor<(N,), T> {
    /// `start`, `start + step`, `start + 2·step`, …: `Tensor::<shape![4]>::arange(1.0, 0.5)`.
    pub fn arange(start: T, step: T) -> Self {
        Self::arange_with((N::default(),), start, step)
    }

    /// Evenly spaced numbers from `start` to `end`, both included: `Tensor::<shape![5]>::linspace(0.0, 1.0)`.
    pub fn linspace(start: T, end: T) -> Self {
        Self::linspace_with((N::default(),), start, end)
    }
}

impl<N: Dim, T: Elem> Tensor<(N, N), T> {
    /// The identity matrix of a run-time size: `Tensor::eye_with(Batch(3))`.
    pub fn eye_with(n: N) -> Self {
        let shape = (n, n);
        let ones = Raw::full(&Device::current(), [n.size()], T::ONE);
        let raw = Raw::placed(&ones, shape.dims(), |l| l.diagonal(0, 1));
        Tensor::new(shape, raw)
    }
}
