//! Scalars with tangents: what derivatives of higher order are computed on.
//!
//! A [`Dual`] is `v + t·ε` with `ε² = 0`: a value, and how fast it changes along a direction. A function
//! that is generic over [`Scalar`] computes its directional derivative when it runs on duals, and its
//! pullback, run on duals, computes that of the gradient: a product with the Hessian (forward over
//! reverse). With `K` tangents it does so along `K` directions in one run; the loops over `[T; K]` become
//! vector instructions.
//!
//! Each level of differentiation has a layer of its own, `Dual<Dual<f64>>`. So the tangents of two levels
//! have different types and cannot be taken for one another (perturbation confusion).

mod operators;
mod scalar;
mod space;

use super::Scalar;
use core::fmt;

/// A value and its `K` tangents.
///
/// ```
/// use differentiable::ad::{Dual, Scalar};
///
/// let x = Dual::new(3.0, [1.0]);
/// let y = x * x + x.sin();
/// assert_eq!(y.value, 9.0 + 3.0_f64.sin());
/// assert_eq!(y.tangents, [6.0 + 3.0_f64.cos()]);
/// ```
///
/// Comparisons look at the values alone: a branch takes the side that it takes without tangents.
#[derive(Clone, Copy, Debug)]
#[repr(C)] // a buffer of duals is read as one of their numbers
pub struct Dual<T, const K: usize = 1> {
    /// The value.
    pub value: T,
    /// How fast it changes along each direction.
    pub tangents: [T; K],
}

impl<T: Scalar, const K: usize> Dual<T, K> {
    /// A value with its tangents.
    #[inline(always)]
    pub fn new(value: T, tangents: [T; K]) -> Self {
        Dual { value, tangents }
    }

    /// A value that does not change.
    #[inline(always)]
    pub fn constant(value: T) -> Self {
        Dual {
            value,
            tangents: [T::ZERO; K],
        }
    }

    /// The tangents under a map that has the tangent and the number of the direction.
    #[inline(always)]
    pub(super) fn mapped(mut self, value: T, map: impl Fn(T, usize) -> T) -> Self {
        // A loop: `from_fn` and `map` are not always inlined.
        for k in 0..K {
            self.tangents[k] = map(self.tangents[k], k);
        }
        self.value = value;
        self
    }
}

/// `3 + [1]ε`
impl<T: Scalar, const K: usize> fmt::Display for Dual<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, f)?;
        f.write_str(" + [")?;
        for (k, t) in self.tangents.iter().enumerate() {
            if k > 0 {
                f.write_str(", ")?;
            }
            fmt::Display::fmt(t, f)?;
        }
        f.write_str("]ε")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_with_its_tangents() {
        assert_eq!(
            format!("{:.1}", Dual::new(3.0, [1.0, 2.0])),
            "3.0 + [1.0, 2.0]ε"
        );
    }

    #[test]
    fn a_zero_with_a_tangent_is_mapped() {
        // d²/dx² of `exp(x²/2)` at 0 is 1: the cotangent of the square is 0 and changes.
        let x = Dual::new(0.0, [1.0]);
        let slope = super::super::unless_zero(x, x * Dual::constant(3.0));
        assert_eq!(slope.tangents, [3.0]);
        assert!(!x.is_zero() && x == Dual::ZERO);
    }
}
