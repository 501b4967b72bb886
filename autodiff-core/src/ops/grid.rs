//! Grids and indicators: `meshgrid meshgrid3 one_hot`.
//!
//! A grid repeats its vectors along the other axes without copying them; the pullback sums over those
//! axes. `one_hot` is a function of integers and has no derivative.

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Backend, Elem, Float, Index, ReduceOp};
use crate::ops::OrPanic;
use crate::shape::{Dim, Insert, Shape, Sz};
use crate::tensor::{Raw, Tensor};

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

impl<A: Dim, T: Elem, D: Backend> Tensor<(A,), T, D> {
    /// The coordinates of a grid: `x[[i, j]] == self[[i]]` and `y[[i, j]] == other[[j]]`, the order of
    /// indices (`indexing="ij"` in NumPy). Shares the elements.
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

impl<A: Dim, T: Float, D: Backend> Tensor<(A,), T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __meshgrid_vjp<M0: Mode, M1: Mode, B: Dim>(
        &self,
        _: (M0, M1),
        other: &Tensor<(B,), T, D>,
    ) -> (
        (Grid2<A, B, T, D>, Grid2<A, B, T, D>),
        impl FnOnce(
            Ct<(Grid2<A, B, T, D>, Grid2<A, B, T, D>)>,
            &Self,
            &Tensor<(B,), T, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<(B,), T, D>, M1>,
        ) + Clone
        + use<M0, M1, A, B, T, D>,
    ) {
        (self.meshgrid(other), |(ct_a, ct_b), a, b, d_a, d_b| {
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
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __meshgrid_jvp<B: Dim>(
        &self,
        t: &Self,
        other: &Tensor<(B,), T, D>,
        t_other: &Tensor<(B,), T, D>,
    ) -> (
        (Grid2<A, B, T, D>, Grid2<A, B, T, D>),
        (Grid2<A, B, T, D>, Grid2<A, B, T, D>),
    ) {
        (self.meshgrid(other), t.meshgrid(t_other))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __meshgrid3_vjp<M0: Mode, M1: Mode, M2: Mode, B: Dim, C: Dim>(
        &self,
        _: (M0, M1, M2),
        second: &Tensor<(B,), T, D>,
        third: &Tensor<(C,), T, D>,
    ) -> (
        (
            Grid3<A, B, C, T, D>,
            Grid3<A, B, C, T, D>,
            Grid3<A, B, C, T, D>,
        ),
        impl FnOnce(
            Ct<(
                Grid3<A, B, C, T, D>,
                Grid3<A, B, C, T, D>,
                Grid3<A, B, C, T, D>,
            )>,
            &Self,
            &Tensor<(B,), T, D>,
            &Tensor<(C,), T, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<(B,), T, D>, M1>,
            &mut Adj<Tensor<(C,), T, D>, M2>,
        ) + Clone
        + use<M0, M1, M2, A, B, C, T, D>,
    ) {
        (
            self.meshgrid3(second, third),
            |(ct_a, ct_b, ct_c), a, b, c, d_a, d_b, d_c| {
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
            },
        )
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __meshgrid3_jvp<B: Dim, C: Dim>(
        &self,
        t: &Self,
        second: &Tensor<(B,), T, D>,
        t_second: &Tensor<(B,), T, D>,
        third: &Tensor<(C,), T, D>,
        t_third: &Tensor<(C,), T, D>,
    ) -> (
        (
            Grid3<A, B, C, T, D>,
            Grid3<A, B, C, T, D>,
            Grid3<A, B, C, T, D>,
        ),
        (
            Grid3<A, B, C, T, D>,
            Grid3<A, B, C, T, D>,
            Grid3<A, B, C, T, D>,
        ),
    ) {
        (
            self.meshgrid3(second, third),
            t.meshgrid3(t_second, t_third),
        )
    }
}

impl<S: Insert<-1>, X: Index, D: Backend> Tensor<S, X, D> {
    /// A new last axis of size `N` with a one at each index and zeros elsewhere:
    /// `classes.one_hot::<10, f32>()`.
    ///
    /// # Panics
    /// If an index is not below `N`.
    #[track_caller]
    pub fn one_hot<const N: usize, T: Elem>(&self) -> Tensor<<S as Insert<-1>>::Out<Sz<N>>, T, D> {
        let rows = Raw::one_hot(self.raw(), N);
        Tensor::new(self.shape().insert(Sz::<N>), rows.or_panic("one_hot"))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __one_hot_vjp<M: Mode, const N: usize, T: Float>(
        &self,
        _: (M,),
    ) -> (
        Tensor<<S as Insert<-1>>::Out<Sz<N>>, T, D>,
        impl FnOnce(Ct<Tensor<<S as Insert<-1>>::Out<Sz<N>>, T, D>>, &Self, &mut Adj<Self, M>)
        + Clone
        + use<M, N, S, X, T, D>,
    )
    where
        Self: Differentiable<Tangent = ()>,
    {
        (self.one_hot::<N, T>(), |_, _, _| {})
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __one_hot_jvp<const N: usize, T: Float>(
        &self,
        _: impl Sized,
    ) -> (
        Tensor<<S as Insert<-1>>::Out<Sz<N>>, T, D>,
        Tensor<<S as Insert<-1>>::Out<Sz<N>>, T, D>,
    ) {
        let out = self.one_hot::<N, T>();
        let zero = Tensor::full_with_on(self.device(), out.shape(), T::ZERO);
        (out, zero)
    }
}
