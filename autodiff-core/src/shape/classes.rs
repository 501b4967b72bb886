//! What the scores of classes and the targets of a loss must share.

use super::{Last, Shape};

/// The shape `[.., C]` of scores of `C` classes. The axes before the last are those of the targets, one for each row.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` tensor has no axis of classes",
    note = "the last axis of scores counts the classes; the axes before it are those of the targets"
)]
pub trait Classes: Shape {
    /// The shape of the targets: `[..]`.
    type Targets: Shape;
    /// The shape of the targets.
    fn targets(self) -> Self::Targets;
}
#[diagnostic::do_not_recommend]
impl<S: Last> Classes for S {
    type Targets = S::Init;
    fn targets(self) -> S::Init {
        self.init()
    }
}

/// `Self`, the scores of shape `S` without their last axis, is the shape `R` of the targets.
#[diagnostic::on_unimplemented(
    message = "a loss of `{S}` scores needs one target for each row, of shape `{Self}`, but the targets have shape `{R}`",
    label = "rows `{Self}`, targets `{R}`"
)]
pub trait TargetsOf<R, S> {}
// With one impl, rustc infers the shape of targets that are made in the call.
#[diagnostic::do_not_recommend]
impl<R, S> TargetsOf<R, S> for R {}
