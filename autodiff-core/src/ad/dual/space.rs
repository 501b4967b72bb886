//! Duals as values with a derivative: their tangents, of the level above, are duals.

use super::Dual;
use crate::ad::{Acc, Differentiable, Leaf, Mode, Scalar, Tangent};

impl<T: Scalar, const K: usize> Differentiable for Dual<T, K> {
    type Tangent = Self;
    type Proto = ();
    type Adj<M: Mode> = M::Leaf<Self>;

    #[inline(always)]
    fn proto(&self) {}
    // -0.0, the exact identity of addition, in every part.
    #[inline(always)]
    fn zero_ct((): &()) -> Self {
        Dual {
            value: T::zero_ct(&()),
            tangents: [T::zero_ct(&()); K],
        }
    }
    #[inline(always)]
    fn zero_adj<M: Mode>(&self, _: M) -> M::Leaf<Self> {
        M::leaf(self)
    }
    #[inline(always)]
    fn zero_tangent(&self) -> Self {
        Dual::ZERO
    }
    // Users see an ordinary zero.
    #[inline(always)]
    fn finish((): &(), ct: Self) -> Self {
        ct + Dual::ZERO
    }
    // An accumulator starts at `0.0` and sums from there never give `-0.0`.
    #[inline(always)]
    fn finish_all(_: &[()], cts: Vec<Self>) -> Vec<Self> {
        cts
    }
    #[inline(always)]
    fn start(tangent: Self) -> Self {
        tangent
    }
    #[inline(always)]
    fn add_scaled(&mut self, step: f64, tangent: &Self) {
        *self += tangent.scale(step);
    }
    #[inline(always)]
    fn difference(&self, other: &Self) -> Self {
        *self - *other
    }
}

impl<T: Scalar, const K: usize> Leaf for Dual<T, K> {
    type LeafAdj = Self;
    #[inline(always)]
    fn zero_leaf(&self) -> Self {
        Dual::ZERO
    }
}

impl<T: Scalar, const K: usize> Acc<Dual<T, K>> for Dual<T, K> {
    const ON: bool = true;
    #[inline(always)]
    fn acc(&mut self, ct: Self) {
        *self += ct;
    }
}

impl<T: Scalar, const K: usize> Tangent for Dual<T, K> {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self.mapped(self.value.scale(factor), |t, _| t.scale(factor))
    }
    /// That of the values: a number has no tangents.
    #[inline(always)]
    fn dot(&self, other: &Self) -> f64 {
        self.value.dot(&other.value)
    }
    #[inline(always)]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        Dual::lit(next())
    }
}
