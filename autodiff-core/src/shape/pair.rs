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
#[diagnostic::on_unimplemented(
    message = "cannot combine a `{S}` tensor with a `{R}` tensor element by element: their dimensions differ",
    note = "shapes are aligned at their last dimension; one may lack leading dimensions of the other; for anything else use `.expand::<AXIS, _>()`"
)]
pub trait Paired<S, R> {}
#[diagnostic::do_not_recommend]
impl<P: Same, S, R> Paired<S, R> for P {}

/// Each pair in a list is twice the same. Apart from the traits with the messages: rustc would list the types that
/// implement those.
pub trait Same {}
#[diagnostic::do_not_recommend]
impl Same for () {}
#[diagnostic::do_not_recommend]
impl<X, Rest: Same> Same for ((X, X), Rest) {}

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

/// The two inner dimensions, `Self`, are one dimension.
#[diagnostic::on_unimplemented(
    message = "cannot multiply a `{S}` tensor by a `{R}` tensor: the inner dimensions `{Self}` differ"
)]
pub trait SameInner<S, R> {}
#[diagnostic::do_not_recommend]
impl<P, S, R> SameInner<S, R> for P where (P, ()): Same {}

/// The batch dimensions, a list of pairs, agree.
#[diagnostic::on_unimplemented(
    message = "cannot multiply a `{S}` tensor by a `{R}` tensor: their batch dimensions differ"
)]
pub trait SameBatch<S, R> {}
#[diagnostic::do_not_recommend]
impl<P: Same, S, R> SameBatch<S, R> for P {}

include!("generated/pairs.rs");
