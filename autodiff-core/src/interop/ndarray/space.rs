//! [`Differentiable`](crate::ad::Differentiable) for arrays: entry by entry.

use super::Real;
use crate::ad::{
    Acc, Adj, Ct, Differentiable, HeapSize, JacobianOutput, Mode, NotBoxed, Tangent, rows_of_units,
};
use crate::interop::rule::Flat;
use ndarray::{Array, ArrayRef, Dimension};

/// ndarray repeats the shorter of two arrays; a tangent of another shape is a mistake.
#[track_caller]
fn same_shape<A, B, D: Dimension>(a: &ArrayRef<A, D>, b: &ArrayRef<B, D>) {
    assert_eq!(
        a.shape(),
        b.shape(),
        "a tangent or cotangent has another shape than its value"
    );
}

impl<T, D> NotBoxed for Array<T, D> {}

/// A shape of more than four axes owns some bytes, which are not counted.
impl<T: Real, D: Dimension> HeapSize for Array<T, D> {
    fn heap_size(&self) -> usize {
        self.len() * size_of::<T>()
    }
}

impl<T: Real, D: Dimension> Differentiable for Array<T, D> {
    type Tangent = Array<T, D>;
    /// The shape.
    type Proto = D;
    type Adj<M: Mode> = Array<Adj<T, M>, D>;
    type Others = crate::ad::On;

    #[inline]
    fn proto(&self) -> D {
        self.raw_dim()
    }
    #[inline]
    fn zero_ct(shape: &D) -> Ct<Self> {
        Array::from_elem(shape.clone(), T::zero_ct(&()))
    }
    #[inline]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        self.map(|x| x.zero_adj(mode))
    }
    #[inline]
    fn zero_tangent(&self) -> Array<T, D> {
        Array::from_elem(self.raw_dim(), T::ZERO)
    }
    #[inline]
    fn finish(_: &D, ct: Ct<Self>) -> Array<T, D> {
        ct.mapv_into(|x| T::finish(&(), x))
    }
    #[inline]
    fn start(tangent: Array<T, D>) -> Ct<Self> {
        tangent
    }
    #[inline]
    #[track_caller]
    fn add_scaled(&mut self, step: f64, tangent: &Array<T, D>) {
        same_shape(self, tangent);
        self.zip_mut_with(tangent, |x, t| x.add_scaled(step, t));
    }
    #[inline]
    #[track_caller]
    fn difference(&self, other: &Self) -> Array<T, D> {
        same_shape(self, other);
        let mut difference = self.to_owned();
        difference.zip_mut_with(other, |a, b| *a -= *b);
        difference
    }
}

impl<T: Real, A: Acc<T>, D: Dimension> Acc<Array<T, D>> for Array<A, D> {
    const ON: bool = A::ON;
    #[inline]
    #[track_caller]
    fn acc(&mut self, ct: Array<T, D>) {
        if A::ON {
            same_shape(self, &ct);
            self.zip_mut_with(&ct, |d, ct| d.acc(*ct));
        }
    }
}

impl<T: Real, D: Dimension> Flat for Array<T, D> {
    #[inline(always)]
    fn flat(ct: Array<T, D>) -> Array<T, D> {
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
        // In the order of `each`; that of `map` is the one in memory.
        let mut filled = self.clone();
        filled.iter_mut().for_each(|x| *x = x.fill_with(next));
        filled
    }
    #[inline]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        self.iter().for_each(|x| Tangent::each(x, entry));
    }
}

/// A row for each entry, in the order of `iter`.
impl<'z, F: ?Sized, T: Real + JacobianOutput<'z, F, T>, D: Dimension>
    JacobianOutput<'z, F, Array<T, D>> for Array<T, D>
{
    type Number = T;
    type Rows<G> = Vec<G>;
    fn number(x: f64) -> T {
        T::lit(x)
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn zero(&self) -> Self {
        self.zero_tangent()
    }
    fn rows<G>(&self, pull: impl FnMut(Self) -> G) -> Vec<G> {
        rows_of_units(self.len(), &self.zero_tangent(), pull)
    }
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> Vec<G> {
        (0..self.len()).map(|_| next()).collect()
    }
    fn each_row<G>(rows: &Vec<G>, row: &mut impl FnMut(&G)) {
        rows.iter().for_each(row);
    }
}
