//! Shapes, and the operations that name one of their axes.

use super::arith::Plus;
use super::pair::{Broadcast, Paired};
use super::{Dim, Dims, Sz};
use core::fmt::Debug;

/// A tuple of up to six dimensions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor shape",
    note = "a shape is a tuple of up to 6 dimensions, such as `(Batch, Sz<784>)` or `shape![Batch, 784]`"
)]
pub trait Shape:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Broadcast<Self, Joint = Self, Pairs: Paired<Self, Self>>
{
    /// The number of axes.
    const RANK: usize;
    /// The sizes that are known at compile time.
    const STATIC: &'static [Option<usize>];
    /// What is known of the number of elements at compile time: it is a multiple of this.
    const FACTOR: usize;
    /// The names of the run-time dimensions; empty for static ones.
    const NAMES: &'static [&'static str];
    /// The list of the run-time names, as a type.
    type Names;
    /// The sizes.
    fn dims(self) -> Dims;
    /// Appends the run-time sizes, in order.
    fn put(self, sizes: &mut Vec<usize>);
    /// A shape of this type from its run-time sizes, in order.
    fn take(sizes: &mut dyn Iterator<Item = usize>) -> Self;
}

/// A shape known entirely at compile time.
#[diagnostic::on_unimplemented(
    message = "the shape `{Self}` has a dimension that is known at run time only",
    note = "give the sizes: `Tensor::zeros_with((Batch(32), Sz))`"
)]
pub trait StaticShape: Shape + Default {}

/// A shape that has an axis `I`, counted from 0, or from −1 at the end.
#[diagnostic::on_unimplemented(message = "a `{Self}` tensor has no axis {I}")]
pub trait Axis<const I: isize>: Shape {
    /// The position, counted from 0.
    const INDEX: usize;
    /// The dimension there.
    type Dim: Dim;
    /// The shape without this axis.
    type Without: Shape;
    /// The shape with size 1 on this axis.
    type Keep: Shape;
    /// The shape with `X` on this axis.
    type With<X: Dim>: Shape;
    /// The dimension there.
    fn axis(self) -> Self::Dim;
    /// The shape without this axis.
    fn without(self) -> Self::Without;
    /// The shape with size 1 on this axis.
    fn keep(self) -> Self::Keep;
    /// The shape with `x` on this axis.
    fn with<X: Dim>(self, x: X) -> Self::With<X>;
}

/// Several axes named together: [`Axes2<0, 2>`](Axes2).
pub trait AxisSet {}

/// A shape that has all of the axes that `A` names, in ascending order; all counted from 0, or all
/// from the end: `Axes2<0, 2>`, `Axes2<-2, -1>`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` tensor does not have the axes `{A}`",
    note = "several axes are named in ascending order, all counted from 0 or all from the end: `Axes2<0, 2>`, `Axes2<-2, -1>`"
)]
pub trait AxesOf<A>: Shape {
    /// The positions, counted from 0.
    const INDICES: &'static [usize];
    /// The shape without these axes.
    type Without: Shape;
    /// The shape with size 1 on these axes.
    type Keep: Shape;
    /// The shape without these axes.
    fn without_axes(self) -> Self::Without;
    /// The shape with size 1 on these axes.
    fn keep_axes(self) -> Self::Keep;
}

/// A dimension of size 1, axis `I` of a tensor of shape `S`.
#[diagnostic::on_unimplemented(
    message = "axis {I} of a `{S}` tensor does not have size 1",
    label = "the size is `{Self}`"
)]
pub trait UnitAxis<const I: isize, S> {}
#[diagnostic::do_not_recommend]
impl<const I: isize, S> UnitAxis<I, S> for Sz<1> {}

/// A shape that can take one more axis, at position `I` of the result.
#[diagnostic::on_unimplemented(
    message = "cannot insert an axis at position {I} of a `{Self}` tensor"
)]
pub trait Insert<const I: isize>: Shape {
    /// The position, counted from 0.
    const INDEX: usize;
    /// The shape with `X` inserted.
    type Out<X: Dim>: Shape;
    /// The shape with `x` inserted.
    fn insert<X: Dim>(self, x: X) -> Self::Out<X>;
}

/// A shape that has the axes `I` and `J`.
#[diagnostic::on_unimplemented(message = "cannot swap axes {I} and {J} of a `{Self}` tensor")]
pub trait Swap<const I: isize, const J: isize>: Shape {
    /// The shape with the two exchanged.
    type Out: Shape;
    /// The two positions, counted from 0.
    const AXES: (usize, usize);
    /// The shape with the two exchanged.
    fn swap(self) -> Self::Out;
}

/// An order of axes in which each appears once.
#[diagnostic::on_unimplemented(
    message = "these axes are not a permutation",
    note = "each axis must be named exactly once, counted from 0"
)]
pub trait Permutation {
    /// The order.
    const ORDER: &'static [usize];
}

/// A shape of rank 1 or more.
#[diagnostic::on_unimplemented(message = "a `{Self}` tensor has no last axis")]
pub trait Last: Shape {
    /// The last dimension.
    type Dim: Dim;
    /// The shape without it.
    type Init: Shape;
    /// The last dimension.
    fn last(self) -> Self::Dim;
    /// The shape without it.
    fn init(self) -> Self::Init;
}

/// What a layer with `I` inputs and `O` outputs accepts.
#[diagnostic::on_unimplemented(
    message = "this layer takes {I} features, but its input has shape `{Self}`",
    label = "the last dimension of `{Self}` must be `Sz<{I}>`"
)]
pub trait Affine<const I: usize, const O: usize>: Shape {
    /// The shape of the layer's output.
    type Out: Shape;
    /// The shape of the layer's output.
    fn affine(self) -> Self::Out;
}

/// Shapes that can be joined along axis `I`.
#[diagnostic::on_unimplemented(
    message = "cannot concatenate a `{Self}` tensor and a `{R}` tensor along axis {I}"
)]
pub trait Concat<const I: isize, R>: Shape {
    /// The joined shape.
    type Out: Shape;
    /// The remaining dimensions of both, which must be equal.
    type Rest;
    /// The position, counted from 0.
    const INDEX: usize;
    /// The joined shape.
    fn concat(self) -> Self::Out;
}

/// The dimensions of `S` and `R` other than axis `I` are equal.
#[diagnostic::on_unimplemented(
    message = "cannot concatenate a `{S}` tensor and a `{R}` tensor along axis {I}: the other dimensions differ",
    label = "other dimensions `{Self}`"
)]
pub trait SameRest<const I: isize, S, R> {}
#[diagnostic::do_not_recommend]
impl<const I: isize, X, S, R> SameRest<I, S, R> for (X, X) {}

include!("generated/shapes.rs");
include!("generated/axes.rs");
include!("generated/permutations.rs");
include!("generated/axis_sets.rs");

// Code over any scalar names them: they have no numbers.
macro_rules! plain {
    ($($Axes:ident $($I:ident)*;)*) => { $(
        impl<__T: crate::ad::Scalar, $(const $I: isize),*> crate::ad::WithScalar<__T> for super::$Axes<$($I),*> {
            type Type = Self;
        }
    )* };
}
plain! {
    Axes2 A B;
    Axes3 A B C;
    Axes4 A B C D;
    Axes5 A B C D E;
    Axes6 A B C D E F;
}
