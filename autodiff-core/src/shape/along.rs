//! What a tensor and an index along one of its axes must share.

use super::Shape;

/// No dimension and no shape. An impl for it keeps rustc from inferring an operand of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Undecided;

/// The dimensions of `S` and of the index `R` other than axis `I` are equal.
pub trait IndexRest<const I: isize, S, R> {}
impl<const I: isize, X: SameIndexed<I, Y, S, R>, Y, S, R> IndexRest<I, S, R> for (X, Y) {}

/// `Self` and `Y` are the same dimensions.
#[diagnostic::on_unimplemented(
    message = "an index of shape `{R}` does not fit a `{S}` tensor along axis {I}: the other dimensions `{Self}` and `{Y}` differ",
    label = "other dimensions `{Self}` and `{Y}`"
)]
pub trait SameIndexed<const I: isize, Y, S, R> {}
#[diagnostic::do_not_recommend]
impl<const I: isize, X, S, R> SameIndexed<I, X, S, R> for X {}
// Holds for no shape: see `Undecided`. With one impl only, the message above would be lost.
#[diagnostic::do_not_recommend]
impl<const I: isize, X: Shape, S, R> SameIndexed<I, Undecided, S, R> for X {}
