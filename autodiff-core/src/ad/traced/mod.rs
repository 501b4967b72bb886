//! Scalars that know which inputs they depend on: how the sparsity of a derivative is found.
//!
//! A [`Traced`] is a number with the set of the inputs that it was computed from. A function that is generic
//! over [`Scalar`] gives, run on them, the inputs of each output: the rows of its Jacobian that can have an
//! entry. Its pullback, run on them, gives the inputs of each entry of the gradient: those of the Hessian.
//! A linear operation has a pullback that reads no value, so what is added up in the function comes apart
//! there, and only what interacts nonlinearly is an entry.
//!
//! | operation | the set of the result |
//! |---|---|
//! | arithmetic, `powf`, `atan2`, `max`, `min`, `clamp`, … | the union |
//! | `sin`, `exp`, `abs`, … and `copysign` | that of the number |
//! | `signum`, `floor`, `round`, …, `div_euclid`, `powi(0)` | empty: the derivative is zero |
//! | comparisons, casts to integers | none: they decide, and the branch that is taken is what counts |
//!
//! So a pattern holds for the branches that are taken where it was found. It can have too many entries (a
//! product with the constant zero depends on its input), never too few there.
//!
//! The sets are in an arena of the thread, where [`Scalar`] (which is `Copy`) can hold their numbers.

mod operators;
mod scalar;
mod sets;

pub(crate) use sets::{Inputs, Tracing};

use super::Scalar;
use core::fmt;
use sets::Set;

/// A number, and the inputs that it depends on.
///
/// Made by `f::sparsity` and its kin; a value that is kept after they returned has a set without meaning.
#[derive(Clone, Copy, Debug)]
pub struct Traced<T> {
    value: T,
    set: Set,
}

impl<T: Scalar> Traced<T> {
    /// A number that depends on no input.
    #[inline(always)]
    pub fn constant(value: T) -> Self {
        Traced {
            value,
            set: Set::EMPTY,
        }
    }

    /// The number.
    #[inline(always)]
    pub fn value(self) -> T {
        self.value
    }

    /// Another number that depends on the same inputs.
    #[inline(always)]
    fn with(self, value: T) -> Self {
        Traced { value, ..self }
    }

    /// A number that depends on the inputs of both.
    #[inline(always)]
    fn and(self, b: Self, value: T) -> Self {
        Traced {
            value,
            set: self.set.union(b.set),
        }
    }
}

impl<T: Scalar> fmt::Display for Traced<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, f)
    }
}
