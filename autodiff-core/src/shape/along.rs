//! What a tensor and an index along one of its axes must share.

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
