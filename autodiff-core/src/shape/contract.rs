//! What the shapes of two operands of a contraction must share.

use super::{Dim, Shape};

/// Shapes of which the last `N` axes of one and the first `N` of the other are summed over together.
#[diagnostic::on_unimplemented(
    message = "cannot sum over the last {N} axes of a `{Self}` tensor and the first {N} of a `{R}` tensor",
    label = "the ranks do not fit",
    note = "both have that many axes, and the result has at most 6"
)]
pub trait Contract<const N: usize, R>: Shape {
    /// The axes that are left: those of the left operand, then those of the right.
    type Out: Shape;
    /// The axes summed over, as a list of pairs.
    type Pairs;
    /// The axes that are left.
    fn contract(self, other: R) -> Self::Out;
}

/// Each pair of dimensions in `Self` is one and the same dimension.
pub trait Contracted<S, R> {}
impl<S, R> Contracted<S, R> for () {}
impl<X: SummedDim<Y, S, R>, Y, Rest: Contracted<S, R>, S, R> Contracted<S, R> for ((X, Y), Rest) {}

/// `Self` and `Y` are one dimension.
#[diagnostic::on_unimplemented(
    message = "cannot sum over axes of a `{S}` tensor and a `{R}` tensor together: dimensions `{Self}` and `{Y}` differ",
    label = "dimensions `{Self}` and `{Y}`"
)]
pub trait SummedDim<Y, S, R> {}
#[diagnostic::do_not_recommend]
impl<X, S, R> SummedDim<X, S, R> for X {}

include!("generated/contractions.rs");
