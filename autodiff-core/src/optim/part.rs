//! Tensors whose element type and device the code that holds them does not know.

use crate::ad::SquareSum;
use crate::device::{AnyStorage, Backend, BinaryOp, Device, Float, ReduceOp};
use crate::nn::{HostTensor, Kind};
use crate::tensor::raw::Raw;
use std::any::Any;

/// A [`Raw`] of some element type on some device.
///
/// Methods that take another one expect it to be of the same kind; a model gives the same kinds in each step.
pub(super) trait Part: Any + Send + Sync {
    fn copy(&self) -> Box<dyn Part>;
    fn download(&self) -> HostTensor;
    fn kind(&self) -> Kind;
    /// Its storage, if it is on a device that is chosen at run time.
    fn storage(&mut self) -> Option<&mut dyn AnyStorage>;
    fn add_squares(&self, to: &mut SquareSum);
    /// The sum of the products of the elements, in double precision.
    fn dot(&self, other: &AnyPart) -> f64;
    /// The largest absolute value, and the sum of them.
    fn sizes(&self) -> [f64; 2];
    /// `self ← keep·self + by·x`.
    fn blend(&mut self, keep: f64, by: f64, x: &AnyPart);
}

/// A part that borrows nothing, as a name for `dyn Part` behind any reference.
pub(super) type AnyPart = dyn Part;

impl<T: Float, D: Backend> Part for Raw<T, D> {
    fn copy(&self) -> Box<dyn Part> {
        Box::new(self.clone())
    }

    fn download(&self) -> HostTensor {
        HostTensor::download(self)
    }

    fn kind(&self) -> Kind {
        Kind::of(self)
    }

    fn storage(&mut self) -> Option<&mut dyn AnyStorage> {
        let this: &mut dyn Any = self;
        let raw = this.downcast_mut::<Raw<T, Device>>()?;
        Some(raw)
    }

    fn add_squares(&self, to: &mut SquareSum) {
        Raw::add_squares(self, to);
    }

    fn dot(&self, other: &AnyPart) -> f64 {
        let other = as_raw::<T, D>(other);
        let wide = |x: &Self| x.cast::<f64>();
        let product = Raw::binary(BinaryOp::Mul, wide(self), wide(other));
        product.reduce_all(ReduceOp::Sum).item()
    }

    fn sizes(&self) -> [f64; 2] {
        self.read(|x| {
            let sizes = x.iter().map(|x| x.to_f64().abs());
            sizes.fold([0.0, 0.0], |[most, sum], x| [larger(most, x), sum + x])
        })
    }

    fn blend(&mut self, keep: f64, by: f64, x: &AnyPart) {
        Raw::blend(self, keep, by, as_raw::<T, D>(x));
    }
}

/// The larger of two numbers; NaN, which `f64::max` loses, is larger than all.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// The tensor itself.
pub(super) fn as_raw<T: Float, D: Backend>(part: &AnyPart) -> &Raw<T, D> {
    let part: &dyn Any = part;
    part.downcast_ref()
        .expect("a model gives the same kinds of tensors in each step")
}
