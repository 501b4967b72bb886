//! Shapes whose last two axes are a matrix, and those before them a batch of matrices.

use super::along::Undecided;
use super::arith::Least;
use super::{Dim, Prod, Shape, Sz};
use core::fmt::Debug;

/// A shape of rank 2 or more: a matrix, or a batch of them.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` tensor is no matrix and no batch of matrices",
    note = "the last two axes are the rows and columns of a matrix"
)]
pub trait Matrices: Shape {
    /// The number of rows.
    type Rows: Dim;
    /// The number of columns.
    type Columns: Dim;
    /// The axes before the last two.
    type Batch: Shape;
    /// Matrices of other sizes.
    type Of<R: Dim, C: Dim>: Shape;
    /// A vector in the place of each matrix.
    type Vectors<X: Dim>: Shape;
    /// The number of rows.
    fn rows(self) -> Self::Rows;
    /// The number of columns.
    fn columns(self) -> Self::Columns;
    /// The axes before the last two.
    fn batch(self) -> Self::Batch;
    /// Matrices of other sizes.
    fn of<R: Dim, C: Dim>(self, rows: R, columns: C) -> Self::Of<R, C>;
    /// A vector in the place of each matrix.
    fn vectors<X: Dim>(self, entries: X) -> Self::Vectors<X>;
}

/// A shape whose last two axes are the same dimension.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` tensor is no square matrix and no batch of square matrices",
    label = "this operation takes square matrices: the last two dimensions must be equal"
)]
pub trait Square: Matrices {}

macro_rules! matrices {
    ($($b:ident $i:tt)*; $m:tt $n:tt) => {
        #[diagnostic::do_not_recommend]
        impl<$($b: Dim,)* M: Dim, N: Dim> Matrices for ($($b,)* M, N) {
            type Rows = M;
            type Columns = N;
            type Batch = ($($b,)*);
            type Of<R: Dim, C: Dim> = ($($b,)* R, C);
            type Vectors<X: Dim> = ($($b,)* X,);
            fn rows(self) -> M {
                self.$m
            }
            fn columns(self) -> N {
                self.$n
            }
            #[allow(clippy::unused_unit)]
            fn batch(self) -> Self::Batch {
                ($(self.$i,)*)
            }
            fn of<R: Dim, C: Dim>(self, rows: R, columns: C) -> Self::Of<R, C> {
                ($(self.$i,)* rows, columns)
            }
            fn vectors<X: Dim>(self, entries: X) -> Self::Vectors<X> {
                ($(self.$i,)* entries,)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($b: Dim,)* N: Dim> Square for ($($b,)* N, N) {}
    };
}
matrices!(; 0 1);
matrices!(A0 0; 1 2);
matrices!(A0 0 A1 1; 2 3);
matrices!(A0 0 A1 1 A2 2; 3 4);
matrices!(A0 0 A1 1 A2 2 A3 3; 4 5);

/// A matrix and a right-hand side: what they must share.
pub trait System<R> {
    /// The rows of both, and the batches of both.
    type Shared;
}
impl<S: Matrices, R: Matrices> System<R> for S {
    type Shared = (
        (<S as Matrices>::Rows, <R as Matrices>::Rows),
        (<S as Matrices>::Batch, <R as Matrices>::Batch),
    );
}

/// A matrix and a right-hand side that is a vector: what they must share.
pub trait VectorSystem<R> {
    /// The rows of both, and the batches of both.
    type Shared;
}
impl<S: Matrices, R: super::Last> VectorSystem<R> for S {
    type Shared = (
        (<S as Matrices>::Rows, <R as super::Last>::Dim),
        (<S as Matrices>::Batch, <R as super::Last>::Init),
    );
}

/// The dimensions that a matrix and a right-hand side must share are the same.
pub trait Agree<S, R> {}
impl<X: SameRows<Y, S, R>, Y, B: SameSystems<C, S, R>, C, S, R> Agree<S, R> for ((X, Y), (B, C)) {}

/// `Self` and `Y` are one dimension.
#[diagnostic::on_unimplemented(
    message = "a system of shape `{S}` cannot be solved for a right-hand side of shape `{R}`: rows `{Self}` and `{Y}` differ",
    label = "rows `{Self}` and `{Y}`"
)]
pub trait SameRows<Y, S, R> {}
#[diagnostic::do_not_recommend]
impl<X, S, R> SameRows<X, S, R> for X {}
// Holds for no dimension: see `Undecided`. With one impl only, the message above would be lost.
#[diagnostic::do_not_recommend]
impl<X: Dim, S, R> SameRows<Undecided, S, R> for X {}

/// `Self` and `C` are the same batch.
#[diagnostic::on_unimplemented(
    message = "a system of shape `{S}` cannot be solved for a right-hand side of shape `{R}`: batches `{Self}` and `{C}` differ",
    label = "batches `{Self}` and `{C}`"
)]
pub trait SameSystems<C, S, R> {}
#[diagnostic::do_not_recommend]
impl<B, S, R> SameSystems<B, S, R> for B {}
#[diagnostic::do_not_recommend]
impl<B: Shape, S, R> SameSystems<Undecided, S, R> for B {}

/// The smaller of two axes of which at least one is known at run time only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Min<A, B>(pub A, pub B);

impl<A: Dim, B: Dim> Dim for Min<A, B> {
    const STATIC: Option<usize> = None;
    const NAME: &'static str = "smaller";
    type Names<Tail> = A::Names<B::Names<Tail>>;
    fn size(self) -> usize {
        self.0.size().min(self.1.size())
    }
    fn put(self, sizes: &mut Vec<usize>) {
        self.0.put(sizes);
        self.1.put(sizes)
    }
    fn take(sizes: &mut dyn Iterator<Item = usize>) -> Self {
        let first = A::take(sizes);
        Min(first, B::take(sizes))
    }
}
crate::__discrete!([A: Dim, B: Dim] Min<A, B>);
impl<A: Dim, B: Dim> crate::ad::NoDerivative for Min<A, B> {}

/// A dimension that can be compared with `R`: the rows and columns of a matrix that is factorised into
/// thinner ones.
#[diagnostic::on_unimplemented(
    message = "the smaller of the dimensions `{Self}` and `{R}` has no type",
    note = "it has one for static sizes up to 4096, for a run-time dimension and a static size, and for a run-time dimension and itself",
    note = "in a function that is generic over a size, write the where clause, such as `where Sz<M>: Smaller<Sz<N>>`"
)]
pub trait Smaller<R>: Dim {
    /// The smaller of the two.
    type Out: Dim;
    /// The smaller of the two.
    fn smaller(self, other: R) -> Self::Out;
}

#[diagnostic::do_not_recommend]
impl<const M: usize, const N: usize> Smaller<Sz<N>> for Sz<M>
where
    Sz<M>: Least<Sz<N>>,
{
    type Out = <Sz<M> as Least<Sz<N>>>::Out;
    fn smaller(self, _: Sz<N>) -> Self::Out {
        Self::Out::default()
    }
}
impl<A: Dim, B: Dim, const N: usize> Smaller<Sz<N>> for Prod<A, B> {
    type Out = Min<Prod<A, B>, Sz<N>>;
    fn smaller(self, other: Sz<N>) -> Self::Out {
        Min(self, other)
    }
}
