//! Operations that take a size as an argument: `expand`, `narrow`.

use super::pad;
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Device, Elem, Float};
use crate::shape::{Axis, Dim, Shape, UnitAxis};
use crate::tensor::Tensor;

impl<S: Shape, T: Elem, D: Device> Tensor<S, T, D> {
    /// Repeats axis `I`, which must have size 1, `n` times, without copying.
    pub fn expand<const I: isize, N: Dim>(&self, n: N) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: UnitAxis<I, S>,
    {
        let shape = Axis::<I>::with(self.shape(), n);
        Tensor::new(shape, self.raw().expand(shape.dims()))
    }

    /// `len` entries from `start` on along axis `I`: as [`slice`](Tensor::slice), with positions
    /// known at run time only.
    ///
    /// # Panics
    /// If the entries are not within the axis.
    pub fn narrow<const I: isize, N: Dim>(
        &self,
        start: usize,
        len: N,
    ) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
    {
        let shape = Axis::<I>::with(self.shape(), len);
        Tensor::new(
            shape,
            self.raw().slice(<S as Axis<I>>::INDEX, start, len.size()),
        )
    }
}

impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
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
                d.acc(
                    Tensor::new(x.shape(), pad(ct, x.dims(), <S as Axis<I>>::INDEX, start)).into(),
                );
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
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
