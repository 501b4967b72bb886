//! Duals as values with a derivative: their tangents, of the level above, are duals.

use super::Dual;
use crate::ad::{Scalar, Tangent};

crate::ad::extended::space!([T: Scalar, const K: usize] Dual<T, K>, {
    // -0.0, the exact identity of addition, in every part.
    Dual {
        value: T::zero_ct(&()),
        tangents: [T::zero_ct(&()); K],
    }
});

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
