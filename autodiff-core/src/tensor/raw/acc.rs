//! Sums of untyped tensors, as cotangents are: what [`TensorAcc`](crate::tensor::TensorAcc) does, whatever the shape.

use super::Raw;
use crate::device::{Device, Dims, Float};
use std::sync::OnceLock;

/// Multiplications of a product from which it is not computed at once.
const WORTH_OWING: usize = 1 << 16;

/// A sum. Zero takes no room until something is added; the first contribution is moved in, later ones are added
/// in place.
pub(crate) struct RawAcc<T: Float, D: Device> {
    sum: OnceLock<Raw<T, D>>,
    /// What the sum is, until it is there.
    owed: Option<Box<Owed<T, D>>>,
}

/// A product of two matrices, in the sizes of a tensor.
pub(crate) struct Owed<T: Float, D: Device> {
    dims: Dims,
    pub(crate) left: Raw<T, D>,
    pub(crate) right: Raw<T, D>,
}

impl<T: Float, D: Device> Owed<T, D> {
    fn product(&self) -> Raw<T, D> {
        Raw::matmul(&self.left, &self.right).into_reshaped(self.dims)
    }
}

impl<T: Float, D: Device> RawAcc<T, D> {
    // Each use is a value of its own.
    #[allow(clippy::declare_interior_mutable_const)]
    pub(crate) const ZERO: Self = RawAcc {
        sum: OnceLock::new(),
        owed: None,
    };

    /// The sum; `None` if it is zero.
    #[inline]
    pub(crate) fn get(&self) -> Option<&Raw<T, D>> {
        match &self.owed {
            None => self.sum.get(),
            Some(owed) => Some(self.sum.get_or_init(|| owed.product())),
        }
    }

    /// The sum, for additions.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut Raw<T, D>> {
        self.get();
        self.owed = None;
        self.sum.get_mut()
    }

    /// The sum; `None` if it is zero.
    #[inline]
    pub(crate) fn into_inner(self) -> Option<Raw<T, D>> {
        self.get();
        self.sum.into_inner()
    }

    /// Adds another sum.
    pub(crate) fn add(&mut self, other: Self) {
        match self.get_mut() {
            None => *self = other,
            Some(sum) => {
                if let Some(other) = other.get() {
                    sum.add_assign(other);
                }
            }
        }
    }

    /// If this is zero and the product large, notes `left · right`, of the sizes `dims`, and says so.
    pub(crate) fn owe(&mut self, dims: Dims, left: &Raw<T, D>, right: &Raw<T, D>) -> bool {
        let depth = left.dims()[left.dims().rank() - 1];
        let some = self.owed.is_some() || self.sum.get().is_some();
        let small = dims.numel().saturating_mul(depth) < WORTH_OWING;
        if !T::OWES || some || small || left.dims().rank() > 2 || right.dims().rank() > 2 {
            return false;
        }
        self.owed = Some(Box::new(Owed {
            dims,
            left: left.clone(),
            right: right.clone(),
        }));
        true
    }

    /// The product that this is, if nobody has asked for its elements.
    pub(crate) fn owed(&self) -> Option<&Owed<T, D>> {
        match self.sum.get() {
            None => self.owed.as_deref(),
            Some(_) => None,
        }
    }
}

impl<T: Float, D: Device> From<Raw<T, D>> for RawAcc<T, D> {
    fn from(x: Raw<T, D>) -> Self {
        RawAcc {
            sum: x.into(),
            owed: None,
        }
    }
}
