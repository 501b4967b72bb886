//! What can be wrong with a shape at run time.

use super::{Dims, Shape};

/// A shape that does not fit, found at run time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The number of elements given is not the number the shape holds.
    #[error("a tensor of shape {shape:?} has {expected} elements, but {found} were given")]
    Length {
        /// The shape asked for.
        shape: Dims,
        /// The number of elements it holds.
        expected: usize,
        /// The number of elements given.
        found: usize,
    },
    /// A shape holds more elements than a `usize` counts.
    #[error(
        "a tensor of shape {shape:?} has more elements than a `usize` counts, but {found} were given"
    )]
    TooLarge {
        /// The shape asked for.
        shape: Dims,
        /// The number of elements given.
        found: usize,
    },
    /// Two run-time dimensions that must be equal have different sizes.
    #[error(
        "the run-time dimension `{left}` is {left_size} on the left, `{right}` is {right_size} on the right"
    )]
    Dimension {
        /// The dimension of the left operand.
        left: &'static str,
        /// Its size.
        left_size: usize,
        /// The dimension of the right operand.
        right: &'static str,
        /// Its size.
        right_size: usize,
    },
    /// The element counts of a reshape differ.
    #[error("cannot reshape {from:?} ({} elements) into {to:?} ({} elements)", from.numel(), to.numel())]
    Reshape {
        /// The shape of the tensor.
        from: Dims,
        /// The shape asked for.
        to: Dims,
    },
}

/// Checks the run-time sizes of two shapes aligned at their last dimension.
pub(crate) fn check_same<S: Shape, R: Shape>(left: S, right: R) -> Result<(), ShapeError> {
    same(&left.dims(), S::NAMES, &right.dims(), R::NAMES)
}

/// [`check_same`] of sizes and names.
pub(crate) fn same(
    a: &[usize],
    an: &[&'static str],
    b: &[usize],
    bn: &[&'static str],
) -> Result<(), ShapeError> {
    let sizes = a.iter().rev().zip(b.iter().rev());
    for ((&x, &y), (&left, &right)) in sizes.zip(an.iter().rev().zip(bn.iter().rev())) {
        if x != y {
            return Err(ShapeError::Dimension {
                left,
                left_size: x,
                right,
                right_size: y,
            });
        }
    }
    Ok(())
}
