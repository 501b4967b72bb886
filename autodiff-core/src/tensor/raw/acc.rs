//! Sums of untyped tensors, as cotangents are: what [`TensorAcc`](crate::tensor::TensorAcc) does, whatever the shape.

use super::Raw;
use crate::device::{Backend, Dims, Float};
use std::sync::OnceLock;

/// Multiplications of a product from which it is not computed at once.
const WORTH_OWING: usize = 1 << 16;

/// A sum. Zero takes no room until something is added; the first contribution is moved in, later ones are added
/// in place.
pub(crate) struct RawAcc<T: Float, D: Backend> {
    sum: OnceLock<Raw<T, D>>,
    /// What the sum is, until it is there.
    lazy: Lazy<T, D>,
}

/// What a sum is before anybody asks for its elements.
enum Lazy<T: Float, D: Backend> {
    /// Zero, or there already.
    No,
    /// A product.
    Owed(Box<Owed<T, D>>),
    /// A number without axes that the host knows, such as the 1 that a gradient starts with.
    Number(T, D),
}

/// A product of two matrices, in the sizes of a tensor.
pub(crate) struct Owed<T: Float, D: Backend> {
    dims: Dims,
    pub(crate) left: Raw<T, D>,
    pub(crate) right: Raw<T, D>,
}

impl<T: Float, D: Backend> Owed<T, D> {
    #[track_caller]
    fn product(&self) -> Raw<T, D> {
        let (left, right) = (&self.left, &self.right);
        let product = Raw::summed_product(left, right);
        let product = product.unwrap_or_else(|| Raw::matmul(left, right));
        product.into_reshaped(self.dims)
    }
}

impl<T: Float, D: Backend> RawAcc<T, D> {
    // Each use is a value of its own.
    #[allow(clippy::declare_interior_mutable_const)]
    pub(crate) const ZERO: Self = RawAcc {
        sum: OnceLock::new(),
        lazy: Lazy::No,
    };

    /// A number without axes, which the device learns when it is needed there.
    #[inline]
    pub(crate) fn number(x: T, device: &D) -> Self {
        RawAcc {
            sum: OnceLock::new(),
            lazy: Lazy::Number(x, device.clone()),
        }
    }

    /// The number that this is, if the host knows it: without a copy from the device.
    #[inline]
    pub(crate) fn known(&self) -> Option<T> {
        match &self.lazy {
            Lazy::Number(x, _) => Some(*x),
            Lazy::No => self.sum.get()?.known(),
            Lazy::Owed(_) => None,
        }
    }

    /// The sum; `None` if it is zero.
    #[inline]
    pub(crate) fn get(&self) -> Option<&Raw<T, D>> {
        match &self.lazy {
            Lazy::No => self.sum.get(),
            Lazy::Owed(owed) => Some(self.sum.get_or_init(|| owed.product())),
            Lazy::Number(x, device) => Some(self.sum.get_or_init(|| Raw::scalar(device, *x))),
        }
    }

    /// The sum, if its elements are there.
    pub(crate) fn settled(&self) -> Option<&Raw<T, D>> {
        self.sum.get()
    }

    /// The sum, for additions.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut Raw<T, D>> {
        self.get();
        self.lazy = Lazy::No;
        self.sum.get_mut()
    }

    /// The sum; `None` if it is zero.
    #[inline]
    pub(crate) fn into_inner(self) -> Option<Raw<T, D>> {
        self.get();
        self.sum.into_inner()
    }

    /// Adds another sum.
    #[track_caller]
    pub(crate) fn add(&mut self, other: Self) {
        if let (Lazy::Number(x, _), Lazy::Number(y, _)) = (&mut self.lazy, &other.lazy) {
            *x = *x + *y;
            self.sum = OnceLock::new();
            return;
        }
        match self.get_mut() {
            None => *self = other,
            Some(sum) => {
                if let Some(other) = other.get() {
                    sum.add_assign(other);
                }
            }
        }
    }

    /// If this is zero and the product large, or one for each example of a batch, notes `left · right`, of the sizes `dims`, and
    /// says so.
    pub(crate) fn owe(&mut self, dims: Dims, left: &Raw<T, D>, right: &Raw<T, D>) -> bool {
        let depth = left.dims()[left.dims().rank() - 1];
        let some = !matches!(self.lazy, Lazy::No) || self.sum.get().is_some();
        let small = dims.numel().saturating_mul(depth) < WORTH_OWING;
        let matrices = left.dims().rank() <= 2 && right.dims().rank() <= 2;
        let worth = T::OWES && !small && matrices || Raw::is_owed_by_examples(left, right);
        if some || !worth {
            return false;
        }
        self.lazy = Lazy::Owed(Box::new(Owed {
            dims,
            left: left.clone(),
            right: right.clone(),
        }));
        true
    }

    /// The product that this is, if nobody has asked for its elements.
    pub(crate) fn owed(&self) -> Option<&Owed<T, D>> {
        match (&self.lazy, self.sum.get()) {
            (Lazy::Owed(owed), None) => Some(owed),
            _ => None,
        }
    }
}

impl<T: Float, D: Backend> From<Raw<T, D>> for RawAcc<T, D> {
    #[track_caller]
    fn from(x: Raw<T, D>) -> Self {
        RawAcc {
            sum: x.into(),
            lazy: Lazy::No,
        }
    }
}
