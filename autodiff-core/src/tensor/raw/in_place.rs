//! Changes of a tensor in place, as the steps of optimisers make them.

use super::Raw;
use super::examples::OfExamples;
use crate::ad::{Factor, SquareSum};
use crate::device::{Backend, BinaryOp, DType, Device, Float, Operand, ReduceOp, Write, together};
use core::any::Any;

/// Sums that are built side by side, so that one addition does not wait for the one before.
const LANES: usize = 8;

impl<T: Float, D: Backend> Raw<T, D> {
    /// `self ← op(self, x)`; `x` may be broadcast.
    #[track_caller]
    pub fn apply(&mut self, op: BinaryOp, x: &Self) {
        let device = self.device().clone();
        let x = x.operand();
        device.binary(op, Operand::Output, x, Write::Set, self.view_mut());
    }

    /// `self ← op(self, scalar)`.
    #[track_caller]
    pub fn apply_scalar(&mut self, op: BinaryOp, scalar: f64) {
        let device = self.device().clone();
        let scalar = Operand::Scalar(T::lit(scalar));
        device.binary(op, Operand::Output, scalar, Write::Set, self.view_mut());
    }

    /// `self ← keep·self + by·x`; `x` may be broadcast.
    #[track_caller]
    pub fn blend(&mut self, keep: f64, by: f64, x: &Self) {
        if keep != 1.0 {
            self.apply_scalar(BinaryOp::Mul, keep);
        }
        self.add_scaled(T::lit(by), x);
    }

    /// Adds the squares of the elements to a sum: on the device, if the host does not see them.
    #[track_caller]
    pub fn add_squares(&self, to: &mut SquareSum) {
        if self.is_on_host() || T::DTYPE == DType::Dual {
            return to.add(self.read(squares));
        }
        if let Some(one) = together::of_many(self) {
            return to.on_devices.push(one);
        }
        let wide = self.cast::<f64>();
        let sum = Raw::binary(BinaryOp::Mul, wide.clone(), wide).reduce_all(ReduceOp::Sum);
        // Only those of the device that is known at run time can be added up there.
        if (&sum as &dyn Any).is::<Raw<f64, Device>>() {
            to.on_devices.push(Box::new(sum));
        } else {
            to.add(sum.item());
        }
    }

    /// `factor · self`, where the host or a device knows the factor.
    #[must_use]
    #[track_caller]
    pub fn scale_by(mut self, factor: &Factor<'_>) -> Self {
        if factor.maps(&mut self) {
            return self;
        }
        if let Some(OfExamples(batch)) = factor.on_device.downcast_ref() {
            return self.sum_of_examples(*batch);
        }
        match factor.on_device.downcast_ref::<Raw<f64, D>>() {
            Some(by) if !self.is_on_host() => {
                let by = by.to(self.device()).cast::<T>().expand(*self.dims());
                Raw::binary(BinaryOp::Mul, self, by)
            }
            _ => self.binary_scalar(BinaryOp::Mul, T::lit(factor.number())),
        }
    }
}

/// The sum of squares in double precision.
fn squares<T: Float>(x: &[T]) -> f64 {
    let mut sums = [0.0; LANES];
    let chunks = x.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            let x = x.to_f64();
            *sum += x * x;
        }
    }
    let rest: f64 = rest.iter().map(|x| x.to_f64() * x.to_f64()).sum();
    sums.iter().sum::<f64>() + rest
}
