//! What the shapes of two operands must share.
//!
//! [`Broadcast`] and [`MatMul`] have impls without conditions on the dimensions and expose the
//! pairs to compare as one associated type; a separate bound on the method compares them. With the
//! comparison inside the impl, rustc would report a missing impl instead of the two dimensions.

use super::{Dim, Shape};

/// Elementwise pairing, aligned at the last dimension: the shorter shape must be a suffix of the
/// longer one.
#[diagnostic::on_unimplemented(
    message = "cannot combine a `{Self}` tensor with a `{R}` tensor element by element"
)]
pub trait Broadcast<R>: Sized {
    /// The longer shape.
    type Joint: Shape;
    /// The dimensions to compare, as a list of pairs.
    type Pairs;
    /// The longer shape.
    fn joint(self, other: R) -> Self::Joint;
}

/// Each pair of dimensions in `Self` is one and the same dimension.
pub trait Paired<S, R> {}
impl<S, R> Paired<S, R> for () {}
impl<X: SameDim<Y, S, R>, Y, Rest: Paired<S, R>, S, R> Paired<S, R> for ((X, Y), Rest) {}

/// `Self` and `Y` are one dimension.
#[diagnostic::on_unimplemented(
    message = "cannot combine a `{S}` tensor with a `{R}` tensor element by element: dimensions `{Self}` and `{Y}` differ",
    label = "dimensions `{Self}` and `{Y}`",
    note = "shapes are aligned at their last dimension; one may lack leading dimensions of the other; for anything else use `.expand::<AXIS, _>()`"
)]
pub trait SameDim<Y, S, R> {}
#[diagnostic::do_not_recommend]
impl<X, S, R> SameDim<X, S, R> for X {}

/// Shapes that can be multiplied as matrices, vectors, or batches of matrices.
#[diagnostic::on_unimplemented(
    message = "cannot multiply a `{Self}` tensor by a `{R}` tensor",
    label = "the ranks do not fit",
    note = "ranks that fit: `(.., M, K)` by `(.., K, N)`, `(K,)` by `(K, N)`, `(M, K)` by `(K,)`, `(K,)` by `(K,)`"
)]
pub trait MatMul<R>: Shape {
    /// The shape of the product.
    type Out: Shape;
    /// The two dimensions summed over.
    type Inner;
    /// The batch dimensions, as a list of pairs.
    type Batch;
    /// The shape of the product.
    fn product(self, other: R) -> Self::Out;
}

/// The two inner dimensions are one dimension.
pub trait SameInner<S, R> {}
impl<K: InnerDim<K2, S, R>, K2, S, R> SameInner<S, R> for (K, K2) {}

/// `Self` and `K2` are one dimension.
#[diagnostic::on_unimplemented(
    message = "cannot multiply a `{S}` tensor by a `{R}` tensor: inner dimensions `{Self}` and `{K2}` differ",
    label = "inner dimensions `{Self}` and `{K2}`"
)]
pub trait InnerDim<K2, S, R> {}
#[diagnostic::do_not_recommend]
impl<K, S, R> InnerDim<K, S, R> for K {}

/// The batch dimensions agree.
pub trait SameBatch<S, R> {}
impl<S, R> SameBatch<S, R> for () {}
impl<B: BatchDim<B2, S, R>, B2, Rest: SameBatch<S, R>, S, R> SameBatch<S, R> for ((B, B2), Rest) {}

/// `Self` and `B2` are one dimension.
#[diagnostic::on_unimplemented(
    message = "cannot multiply a `{S}` tensor by a `{R}` tensor: batch dimensions `{Self}` and `{B2}` differ",
    label = "batch dimensions `{Self}` and `{B2}`"
)]
pub trait BatchDim<B2, S, R> {}
#[diagnostic::do_not_recommend]
impl<B, S, R> BatchDim<B, S, R> for B {}

include!("generated/pairs.rs");
