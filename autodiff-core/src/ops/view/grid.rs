//! Grids and indicators: `meshgrid meshgrid3 one_hot`.
//!
//! A grid repeats its vectors along the other axes without copying them; the pullback sums over those
//! axes. `one_hot` is a function of integers and has no derivative.

use crate::ad::{Acc, Differentiable};
use crate::device::{Backend, Elem, Float, Index, ReduceOp};
use crate::ops::OrPanic;
use crate::shape::{Dim, Insert, Shape, Sz};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

type Grid2<A, B, T, D> = Tensor<(A, B), T, D>;
type Grid3<A, B, C, T, D> = Tensor<(A, B, C), T, D>;

/// A vector along axis `axis` of a grid.
#[track_caller]
fn along<T: Elem, D: Backend>(x: &Raw<T, D>, axis: usize, dims: &[usize]) -> Raw<T, D> {
    let mut x = x.clone();
    for i in 0..dims.len() {
        if i != axis {
            x = x.unsqueeze(i);
        }
    }
    x.expand(dims)
}

/// The cotangent of the vector along axis `axis`.
#[track_caller]
fn sums<T: Float, D: Backend>(ct: &Raw<T, D>, axis: usize) -> Raw<T, D> {
    let n = ct.dims()[axis];
    let others: Vec<usize> = (0..ct.dims().rank()).filter(|&i| i != axis).collect();
    ct.reduce_keepdim(ReduceOp::Sum, &others).into_reshaped([n])
}

#[rule]
impl<A: Dim, T: Elem, D: Backend> Tensor<(A,), T, D> {
    /// The coordinates of a grid: `x[[i, j]] == self[[i]]` and `y[[i, j]] == other[[j]]`, the order of
    /// indices (`indexing="ij"` in NumPy). Shares the elements.
    #[derivative(
        where T: Float;
        active other;
        pull |(ct_a, ct_b), a, b, d_a, d_b| {
            if M0::ON
            && let Some(ct) = ct_a.raw()
            {
                d_a.acc(Tensor::new(a.shape(), sums(ct, 0)).into());
            }
            if M1::ON
            && let Some(ct) = ct_b.raw()
            {
                d_b.acc(Tensor::new(b.shape(), sums(ct, 1)).into());
            }
        };
        push t.meshgrid(t_other);
    )]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn meshgrid<B: Dim>(
        &self,
        other: &Tensor<(B,), T, D>,
    ) -> (Grid2<A, B, T, D>, Grid2<A, B, T, D>) {
        let shape = (self.shape().0, other.shape().0);
        let dims = shape.dims();
        (
            Tensor::new(shape, along(self.raw(), 0, &dims)),
            Tensor::new(shape, along(other.raw(), 1, &dims)),
        )
    }

    /// The coordinates of a grid of three axes, as [`meshgrid`](Tensor::meshgrid).
    #[derivative(
        where T: Float;
        active second, third;
        pull |(ct_a, ct_b, ct_c), a, b, c, d_a, d_b, d_c| {
            if M0::ON
            && let Some(ct) = ct_a.raw()
            {
                d_a.acc(Tensor::new(a.shape(), sums(ct, 0)).into());
            }
            if M1::ON
            && let Some(ct) = ct_b.raw()
            {
                d_b.acc(Tensor::new(b.shape(), sums(ct, 1)).into());
            }
            if M2::ON
            && let Some(ct) = ct_c.raw()
            {
                d_c.acc(Tensor::new(c.shape(), sums(ct, 2)).into());
            }
        };
        push t.meshgrid3(t_second, t_third);
    )]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn meshgrid3<B: Dim, C: Dim>(
        &self,
        second: &Tensor<(B,), T, D>,
        third: &Tensor<(C,), T, D>,
    ) -> (
        Grid3<A, B, C, T, D>,
        Grid3<A, B, C, T, D>,
        Grid3<A, B, C, T, D>,
    ) {
        let shape = (self.shape().0, second.shape().0, third.shape().0);
        let dims = shape.dims();
        (
            Tensor::new(shape, along(self.raw(), 0, &dims)),
            Tensor::new(shape, along(second.raw(), 1, &dims)),
            Tensor::new(shape, along(third.raw(), 2, &dims)),
        )
    }
}

#[rule]
impl<S: Insert<-1>, X: Index, D: Backend> Tensor<S, X, D> {
    /// A new last axis of size `N` with a one at each index and zeros elsewhere:
    /// `classes.one_hot::<10, f32>()`.
    ///
    /// # Panics
    /// If an index is not below `N`.
    #[derivative(
        where T: Float, Self: Differentiable<Tangent = ()>;
        pull |_, _, _| {};
        push Tensor::full_with_on(self.device(), out.shape(), T::ZERO);
    )]
    #[track_caller]
    pub fn one_hot<const N: usize, T: Elem>(&self) -> Tensor<<S as Insert<-1>>::Out<Sz<N>>, T, D> {
        let rows = Raw::one_hot(self.raw(), N);
        Tensor::new(self.shape().insert(Sz::<N>), rows.or_panic("one_hot"))
    }
}
