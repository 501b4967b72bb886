//! [`Differentiable`](crate::ad::Differentiable) for arrays: entry by entry. The tangent of a view is an array that
//! owns its entries.

use super::{Real, Storage};
use crate::ad::{Acc, Adj, Ct, Differentiable, JacobianOutput, Mode, NotBoxed, Scalar, Tangent};
use crate::interop::rule::Flat;
use ndarray::{Array, ArrayBase, ArrayRef, Dimension, OwnedRepr, RawData, ViewRepr};

/// ndarray repeats the shorter of two arrays; a tangent of another shape is a mistake.
#[track_caller]
fn same_shape<A, B, D: Dimension>(a: &ArrayRef<A, D>, b: &ArrayRef<B, D>) {
    assert_eq!(
        a.shape(),
        b.shape(),
        "a tangent or cotangent has another shape than its value"
    );
}

impl<S: RawData, D> NotBoxed for ArrayBase<S, D> {}

impl<T: Real> Storage for OwnedRepr<T> {
    type T = T;
    fn add_scaled<D: Dimension>(
        array: &mut ArrayBase<Self, D>,
        step: f64,
        tangent: &Array<T, D>,
    ) {
        same_shape(array, tangent);
        array.zip_mut_with(tangent, |x, t| x.add_scaled(step, t));
    }
}

/// Entries that belong to another array stay where they are.
impl<T: Real> Storage for ViewRepr<&T> {
    type T = T;
    #[track_caller]
    fn add_scaled<D: Dimension>(_: &mut ArrayBase<Self, D>, _: f64, _: &Array<T, D>) {
        panic!("the entries of a view cannot be moved: take an `Array`, or a reference to one")
    }
}

impl<S: Storage, D: Dimension> Differentiable for ArrayBase<S, D> {
    type Tangent = Array<S::T, D>;
    /// The shape.
    type Proto = D;
    type Adj<M: Mode> = Array<Adj<S::T, M>, D>;

    #[inline]
    fn proto(&self) -> D {
        self.raw_dim()
    }
    #[inline]
    fn zero_ct(shape: &D) -> Ct<Self> {
        Array::from_elem(shape.clone(), S::T::zero_ct(&()))
    }
    #[inline]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        self.map(|x| x.zero_adj(mode))
    }
    #[inline]
    fn zero_tangent(&self) -> Array<S::T, D> {
        Array::from_elem(self.raw_dim(), S::T::ZERO)
    }
    #[inline]
    fn finish(_: &D, ct: Ct<Self>) -> Array<S::T, D> {
        ct.mapv_into(|x| S::T::finish(&(), x))
    }
    #[inline]
    fn start(tangent: Array<S::T, D>) -> Ct<Self> {
        tangent
    }
    #[inline]
    #[track_caller]
    fn add_scaled(&mut self, step: f64, tangent: &Array<S::T, D>) {
        S::add_scaled(self, step, tangent);
    }
    #[inline]
    #[track_caller]
    fn difference(&self, other: &Self) -> Array<S::T, D> {
        same_shape(self, other);
        let mut difference = self.to_owned();
        difference.zip_mut_with(other, |a, b| *a -= *b);
        difference
    }
}

impl<S: Storage, A: Acc<S::T>, D: Dimension> Acc<ArrayBase<S, D>> for Array<A, D> {
    const ON: bool = A::ON;
    #[inline]
    #[track_caller]
    fn acc(&mut self, ct: Array<S::T, D>) {
        if A::ON {
            same_shape(self, &ct);
            self.zip_mut_with(&ct, |d, ct| d.acc(*ct));
        }
    }
}

impl<S: Storage, D: Dimension> Flat for ArrayBase<S, D> {
    #[inline(always)]
    fn flat(ct: Array<S::T, D>) -> Array<S::T, D> {
        ct
    }
}

impl<T: Real, D: Dimension> Tangent for Array<T, D> {
    #[inline]
    #[track_caller]
    fn add(mut self, other: Self) -> Self {
        same_shape(&self, &other);
        self.zip_mut_with(&other, |a, b| *a += *b);
        self
    }
    #[inline]
    fn scale(self, factor: f64) -> Self {
        self.mapv_into(|x| Tangent::scale(x, factor))
    }
    #[inline]
    #[track_caller]
    fn dot(&self, other: &Self) -> f64 {
        same_shape(self, other);
        let entries = self.iter().zip(other.iter());
        entries.map(|(a, b)| Tangent::dot(a, b)).sum()
    }
    #[inline]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        self.map(|x| Tangent::fill_with(x, next))
    }
}

/// A row for each entry, in the order of `iter`.
impl<'z, F: ?Sized, T: Real + JacobianOutput<'z, F, T>, D: Dimension>
    JacobianOutput<'z, F, Array<T, D>> for Array<T, D>
{
    type Rows<G> = Vec<G>;
    fn count(&self) -> usize {
        self.len()
    }
    fn zero(&self) -> Self {
        self.zero_tangent()
    }
    fn rows<G>(&self, mut pull: impl FnMut(Self) -> G) -> Vec<G> {
        let row = |i| {
            let mut ct = self.zero_tangent();
            ct.iter_mut().skip(i).take(1).for_each(|x| *x = T::ONE);
            pull(ct)
        };
        (0..self.len()).map(row).collect()
    }
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> Vec<G> {
        (0..self.len()).map(|_| next()).collect()
    }
}
