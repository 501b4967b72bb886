//! What a tensor and an index along one of its axes must share.

/// The dimensions of `S` and of the index `R` other than axis `I` are equal.
#[diagnostic::on_unimplemented(
    message = "an index of shape `{R}` does not fit a `{S}` tensor along axis {I}: the other dimensions differ",
    label = "other dimensions `{Self}`"
)]
pub trait IndexRest<const I: isize, S, R> {}
#[diagnostic::do_not_recommend]
impl<const I: isize, X, S, R> IndexRest<I, S, R> for (X, X) {}
