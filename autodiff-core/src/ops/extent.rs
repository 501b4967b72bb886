//! Operations that take a size as an argument: `expand`, `narrow`; or from another tensor: `expand_as`.

use super::{OrPanic, pad};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Backend, Elem, Float};
use crate::shape::{Axis, Broadcast, Dim, Paired, Shape, UnitAxis, check_same};
use crate::tensor::{Raw, Tensor};

/// Adds a cotangent to the entries from `start` on along `axis`: nothing is done to the others, unless they
/// are zeros that are not there yet.
#[track_caller]
pub(super) fn add_part<M: Mode, S: Shape, T: Float, D: Backend>(
    d: &mut Adj<Tensor<S, T, D>, M>,
    x: &Tensor<S, T, D>,
    ct: &Raw<T, D>,
    axis: usize,
    start: usize,
) {
    let Some(acc) = M::leaf_mut::<Tensor<S, T, D>>(d) else {
        return;
    };
    match acc.raw_mut() {
        Some(sum) => sum.add_slice(axis, start, ct),
        None => *acc = Tensor::new(x.shape(), pad(ct, x.dims(), axis, start)).into(),
    }
}

/// That `len` entries from `start` on are within an axis of a size.
#[track_caller]
pub(super) fn within<N: Dim>(op: &str, axis: usize, size: usize, start: usize, len: usize) {
    let fits = start.checked_add(len).is_some_and(|end| end <= size);
    assert!(
        fits,
        "{op}: {len} entries from {start} on were asked for along axis {axis}, but dimension `{}` is {size}",
        N::NAME
    );
}

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Repeats axis `I`, which must have size 1, `n` times, without copying.
    pub fn expand<const I: isize, N: Dim>(&self, n: N) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: UnitAxis<I, S>,
    {
        let shape = Axis::<I>::with(self.shape(), n);
        Tensor::new(shape, self.raw().expand(shape.dims()))
    }

    /// Repeated along the leading axes of `other` that `self` lacks, without copying: a bias of shape `[N]` as `[B, N]`.
    /// Of `other` only the shape is read.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[track_caller]
    pub fn expand_as<R: Shape, U: Elem>(&self, other: &Tensor<R, U, D>) -> Tensor<R, T, D>
    where
        S: Broadcast<R, Joint = R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>,
    {
        check_same(self.shape(), other.shape()).or_panic("expand_as");
        Tensor::new(other.shape(), self.raw().expand(other.dims()))
    }

    /// `len` entries from `start` on along axis `I`: as [`slice`](Tensor::slice), with positions
    /// known at run time only.
    ///
    /// # Panics
    /// If the entries are not within the axis.
    #[track_caller]
    pub fn narrow<const I: isize, N: Dim>(
        &self,
        start: usize,
        len: N,
    ) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
    {
        let (shape, axis) = (Axis::<I>::with(self.shape(), len), <S as Axis<I>>::INDEX);
        within::<<S as Axis<I>>::Dim>("narrow", axis, self.dims()[axis], start, len.size());
        Tensor::new(shape, self.raw().slice(axis, start, len.size()))
    }
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __expand_vjp<M0: Mode, M1: Mode, const I: isize, N: Dim>(
        &self,
        _: (M0, M1),
        n: N,
    ) -> (
        Tensor<<S as Axis<I>>::With<N>, T, D>,
        impl FnOnce(
            Ct<Tensor<<S as Axis<I>>::With<N>, T, D>>,
            &Self,
            &mut Adj<Self, M0>,
            &mut Adj<N, M1>,
        ) + Clone
        + use<M0, M1, S, T, D, I, N>,
    )
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: UnitAxis<I, S>,
    {
        (self.expand::<I, N>(n), move |ct, x, d, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                d.acc(Tensor::new(x.shape(), ct.clone().sum_to(&x.dims())).into());
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __expand_jvp<const I: isize, N: Dim>(
        &self,
        t: &Self,
        n: N,
        _: (),
    ) -> (
        Tensor<<S as Axis<I>>::With<N>, T, D>,
        Tensor<<S as Axis<I>>::With<N>, T, D>,
    )
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: UnitAxis<I, S>,
    {
        (self.expand::<I, N>(n), t.expand::<I, N>(n))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __expand_as_vjp<M0: Mode, M1: Mode, R: Shape, U: Elem>(
        &self,
        _: (M0, M1),
        other: &Tensor<R, U, D>,
    ) -> (
        Tensor<R, T, D>,
        impl FnOnce(
            Ct<Tensor<R, T, D>>,
            &Self,
            &Tensor<R, U, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<R, U, D>, M1>,
        ) + Clone
        + use<M0, M1, S, T, D, R, U>,
    )
    where
        S: Broadcast<R, Joint = R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>,
        Tensor<R, U, D>: Differentiable,
    {
        (self.expand_as(other), move |ct, x, _, d, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                d.acc(Tensor::new(x.shape(), ct.clone().sum_to(&x.dims())).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __expand_as_jvp<R: Shape, U: Elem>(
        &self,
        t: &Self,
        other: &Tensor<R, U, D>,
        _: impl Sized,
    ) -> (Tensor<R, T, D>, Tensor<R, T, D>)
    where
        S: Broadcast<R, Joint = R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>,
    {
        (self.expand_as(other), t.expand_as(other))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __narrow_vjp<M0: Mode, M1: Mode, M2: Mode, const I: isize, N: Dim>(
        &self,
        _: (M0, M1, M2),
        start: usize,
        len: N,
    ) -> (
        Tensor<<S as Axis<I>>::With<N>, T, D>,
        impl FnOnce(
            Ct<Tensor<<S as Axis<I>>::With<N>, T, D>>,
            &Self,
            &mut Adj<Self, M0>,
            &mut Adj<usize, M1>,
            &mut Adj<N, M2>,
        ) + Clone
        + use<M0, M1, M2, S, T, D, I, N>,
    )
    where
        S: Axis<I>,
    {
        (self.narrow::<I, N>(start, len), move |ct, x, d, _, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                add_part::<M0, _, _, _>(d, x, ct, <S as Axis<I>>::INDEX, start);
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __narrow_jvp<const I: isize, N: Dim>(
        &self,
        t: &Self,
        start: usize,
        _: (),
        len: N,
        _: (),
    ) -> (
        Tensor<<S as Axis<I>>::With<N>, T, D>,
        Tensor<<S as Axis<I>>::With<N>, T, D>,
    )
    where
        S: Axis<I>,
    {
        (
            self.narrow::<I, N>(start, len),
            t.narrow::<I, N>(start, len),
        )
    }
}
