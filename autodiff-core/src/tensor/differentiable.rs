//! Tensors as differentiable values.

use super::raw::acc::{Owed, RawAcc};
use super::{Raw, Tensor};
use crate::ad::{
    Acc, Ct, Differentiable, Factor, JacobianOutput, Leaf, Mode, ScalarOutput, SquareSum, Tangent,
    contributed,
};
use crate::device::{Backend, Device, Elem, Float};
use crate::shape::Shape;
use core::fmt;

/// A cotangent of a tensor. Zero takes no room until something is added; the first contribution is
/// moved in, later ones are added in place.
///
/// A large product of matrices of duals is computed when its elements are asked for: a product with a Hessian
/// needs only their tangents.
pub struct TensorAcc<S, T: Float = f32, D: Backend = Device> {
    /// Of the tensor, as soon as something was added.
    shape: Option<S>,
    sum: RawAcc<T, D>,
}

impl<S: Shape, T: Float, D: Backend> TensorAcc<S, T, D> {
    /// Zero.
    // Each use is a value of its own.
    #[allow(clippy::declare_interior_mutable_const)]
    pub const ZERO: Self = TensorAcc {
        shape: None,
        sum: RawAcc::ZERO,
    };

    /// The cotangent, which shares its elements with this; `None` if it is zero.
    #[inline]
    pub fn get(&self) -> Option<Tensor<S, T, D>> {
        Some(Tensor::new(self.shape?, self.raw()?.clone()))
    }

    #[inline]
    pub(crate) fn raw(&self) -> Option<&Raw<T, D>> {
        self.sum.get()
    }

    /// Whether nothing was added.
    #[inline]
    pub(crate) fn is_zero(&self) -> bool {
        self.shape.is_none()
    }

    /// The number that this is, if the host knows it without asking the device.
    #[inline]
    pub(crate) fn known(&self) -> Option<T> {
        self.sum.known()
    }

    /// The cotangent, for additions.
    #[inline]
    pub(crate) fn raw_mut(&mut self) -> Option<&mut Raw<T, D>> {
        self.sum.get_mut()
    }

    /// The cotangent, which is zero from now on.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Tensor<S, T, D>> {
        core::mem::take(self).into_inner()
    }

    /// Adds to one element. After the first this costs one addition, not one for each element.
    pub(crate) fn add_at(&mut self, x: &Tensor<S, T, D>, index: &[usize], ct: T) {
        let dims = x.dims();
        let device = x.device();
        let sum = match self.take() {
            Some(sum) => sum.into_raw().contiguous(),
            None => Raw::zeros(device, dims),
        };
        let at = index
            .iter()
            .zip(dims.iter())
            .fold(0, |at, (i, n)| at * n + i);
        let mut column = sum.into_reshaped([dims.numel(), 1]);
        column
            .scatter_add(
                &Raw::from_slice(device, [1], &[at as i64]),
                &Raw::full(device, [1, 1], ct),
            )
            .unwrap_or_else(|e| panic!("the forward pass accepted this index: {e}"));
        *self = Tensor::new(x.shape(), column.into_reshaped(dims)).into();
    }

    /// If this is zero and the product large, notes `left · right`, of the sizes of `shape`, and says so.
    pub(crate) fn owe(&mut self, shape: S, left: &Raw<T, D>, right: &Raw<T, D>) -> bool {
        let owes = self.sum.owe(shape.dims(), left, right);
        if owes {
            self.shape = Some(shape);
        }
        owes
    }

    /// The product that this is, if nobody has asked for its elements.
    pub(crate) fn owed(&self) -> Option<&Owed<T, D>> {
        self.sum.owed()
    }

    /// The cotangent; `None` if it is zero.
    #[inline]
    pub fn into_inner(self) -> Option<Tensor<S, T, D>> {
        Some(Tensor::new(self.shape?, self.sum.into_inner()?))
    }
}

impl<S: Shape, T: Float, D: Backend> Default for TensorAcc<S, T, D> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<S: Shape, T: Float, D: Backend> Clone for TensorAcc<S, T, D> {
    fn clone(&self) -> Self {
        self.get().into()
    }
}

impl<S: Shape, T: Float, D: Backend> fmt::Debug for TensorAcc<S, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            None => write!(f, "TensorAcc(0)"),
            Some(x) => write!(f, "TensorAcc({x:?})"),
        }
    }
}

impl<S: Shape, T: Float, D: Backend> From<Option<Tensor<S, T, D>>> for TensorAcc<S, T, D> {
    fn from(x: Option<Tensor<S, T, D>>) -> Self {
        x.map_or(Self::ZERO, Self::from)
    }
}

impl<S: Shape, T: Float, D: Backend> From<Tensor<S, T, D>> for TensorAcc<S, T, D> {
    fn from(x: Tensor<S, T, D>) -> Self {
        contributed(|| Some(x.raw().clone()));
        TensorAcc {
            shape: Some(x.shape()),
            sum: x.into_raw().into(),
        }
    }
}

impl<S: Shape, T: Float, D: Backend> Acc<Tensor<S, T, D>> for TensorAcc<S, T, D> {
    const ON: bool = true;
    fn acc(&mut self, ct: Self) {
        self.shape = self.shape.or(ct.shape);
        self.sum.add(ct.sum);
        contributed(|| self.sum.settled().cloned());
    }
}

impl<S: Shape, T: Float, D: Backend> crate::ad::NotBoxed for Tensor<S, T, D> {}

/// Of the elements; copies share them until one is changed.
impl<S: Shape, T: Elem, D: Backend> crate::ad::HeapSize for Tensor<S, T, D> {
    fn heap_size(&self) -> usize {
        let examples = self.raw().examples().map_or(1, |batch| batch.examples());
        self.len() * size_of::<T>() * examples
    }
}

impl<S: Shape, T: Float, D: Backend> Differentiable for Tensor<S, T, D> {
    type Tangent = Self;
    type Proto = (S, D);
    type Adj<M: Mode> = M::Leaf<Self>;
    type Others = crate::ad::On;

    fn proto(&self) -> Self::Proto {
        (self.shape(), self.device().clone())
    }
    fn zero_ct(_: &Self::Proto) -> Ct<Self> {
        TensorAcc::ZERO
    }
    fn zero_adj<M: Mode>(&self, _: M) -> Self::Adj<M> {
        M::leaf(self)
    }
    fn zero_tangent(&self) -> Self {
        Tensor::full_with_on(self.device(), self.shape(), T::ZERO)
    }
    fn finish((shape, device): &Self::Proto, ct: Ct<Self>) -> Self {
        ct.into_inner()
            .unwrap_or_else(|| Tensor::full_with_on(device, *shape, T::ZERO))
    }
    fn start(tangent: Self) -> Ct<Self> {
        tangent.into()
    }
    fn add_scaled(&mut self, step: f64, tangent: &Self) {
        self.raw_mut().add_scaled(T::lit(step), tangent.raw())
    }
    fn difference(&self, other: &Self) -> Self {
        self - other
    }
}

impl<S: Shape, T: Float, D: Backend> Leaf for Tensor<S, T, D> {
    type LeafAdj = TensorAcc<S, T, D>;
    fn zero_leaf(&self) -> Self::LeafAdj {
        TensorAcc::ZERO
    }
}

impl<S: Shape, T: Float, D: Backend> Tangent for Tensor<S, T, D> {
    fn add(mut self, other: Self) -> Self {
        self.raw_mut().add_assign(other.raw());
        self
    }
    fn scale(self, factor: f64) -> Self {
        self * T::lit(factor)
    }
    fn dot(&self, other: &Self) -> f64 {
        self.to_vec()
            .iter()
            .zip(other.to_vec())
            .map(|(a, b)| a.to_f64() * b.to_f64())
            .sum()
    }
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        let data: Vec<T> = (0..self.len()).map(|_| T::lit(next())).collect();
        Tensor::new(
            self.shape(),
            Raw::from_slice(self.device(), self.dims(), &data),
        )
    }
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        self.to_vec().iter().for_each(|x| entry(x.to_f64()));
    }
    fn add_squares(&self, to: &mut SquareSum) {
        self.raw().add_squares(to);
    }
    fn scale_by(self, factor: &Factor<'_>) -> Self {
        let shape = self.shape();
        Tensor::new(shape, self.into_raw().scale_by(factor))
    }
}

#[diagnostic::do_not_recommend]
impl<F: ?Sized, T: Float, D: Backend> ScalarOutput<'_, F, TensorAcc<(), T, D>>
    for Tensor<(), T, D>
{
    fn one(&self) -> TensorAcc<(), T, D> {
        TensorAcc {
            shape: Some(()),
            sum: RawAcc::number(T::ONE, self.device()),
        }
    }
}

// Tensors of indices and masks have no derivative.
crate::__discrete!([S: Shape, D: Backend] Tensor<S, i64, D>);
crate::__discrete!([S: Shape, D: Backend] Tensor<S, u32, D>);
crate::__discrete!([S: Shape, D: Backend] Tensor<S, u8, D>);
crate::__discrete!([S: Shape, D: Backend] Tensor<S, bool, D>);

/// One row for each entry, the last axis first.
impl<F: ?Sized, S: Shape, T: Float, D: Backend> JacobianOutput<'_, F, Tensor<S, T, D>>
    for Tensor<S, T, D>
{
    type Number = T;
    type Rows<G> = Vec<G>;
    fn number(x: f64) -> T {
        T::lit(x)
    }
    fn count(&self) -> usize {
        self.dims().numel()
    }
    fn zero(&self) -> Tensor<S, T, D> {
        self.zero_tangent()
    }
    fn rows<G>(&self, mut pull: impl FnMut(Tensor<S, T, D>) -> G) -> Vec<G> {
        let zero = self.zero_tangent();
        let row = |i: usize| {
            let mut entries = 0..;
            pull(zero.fill_with(&mut || f64::from(u8::from(entries.next() == Some(i)))))
        };
        (0..self.dims().numel()).map(row).collect()
    }
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> Vec<G> {
        (0..self.dims().numel()).map(|_| next()).collect()
    }
    fn each_row<G>(rows: &Vec<G>, row: &mut impl FnMut(&G)) {
        rows.iter().for_each(row);
    }
}
