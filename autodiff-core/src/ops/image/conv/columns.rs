//! Windows as columns of a matrix: `unfold2d` (im2col) and its transpose `fold2d` (col2im).

use super::{axis, windows};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Float, Images};
use crate::shape::arith::Times;
use crate::shape::{Dim, Slide, StaticDim, Steps2, Sz};
use crate::tensor::Tensor;

type Side<H, const K: usize, W> = <H as Slide<Sz<K>, W>>::Out;
type Rows<C, const KH: usize, const KW: usize> = <<C as Times<Sz<KH>>>::Out as Times<Sz<KW>>>::Out;
type Places<H, W, const KH: usize, const KW: usize, V> =
    <Side<H, KH, <V as Steps2>::H> as Times<Side<W, KW, <V as Steps2>::W>>>::Out;
type Columns<B, C, H, W, const KH: usize, const KW: usize, V> =
    (B, Rows<C, KH, KW>, Places<H, W, KH, KW, V>);

impl<B: Dim, C: Dim, H: Dim, W: Dim, T: Float, D: Images> Tensor<(B, C, H, W), T, D> {
    /// Each window of `KH` by `KW` entries as a column: `[B, C, H, W]` becomes
    /// `[B, C·KH·KW, H'·W']` (im2col), `x.unfold2d::<3, 3, _>(Win::new())`.
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn unfold2d<const KH: usize, const KW: usize, V: Steps2>(
        &self,
        _: V,
    ) -> Tensor<Columns<B, C, H, W, KH, KW, V>, T, D>
    where
        H: Slide<Sz<KH>, V::H>,
        W: Slide<Sz<KW>, V::W>,
        C: Times<Sz<KH>>,
        <C as Times<Sz<KH>>>::Out: Times<Sz<KW>>,
        Side<H, KH, V::H>: Times<Side<W, KW, V::W>>,
    {
        let moves = windows([axis::<V::H>(KH), axis::<V::W>(KW)]);
        let shape = (self.shape().0, Default::default(), Default::default());
        Tensor::new(shape, self.raw().unfold_windows(moves))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __unfold2d_vjp<
        M0: Mode,
        M1: Mode,
        const KH: usize,
        const KW: usize,
        V: Steps2 + Differentiable,
    >(
        &self,
        _: (M0, M1),
        v: V,
    ) -> (
        Tensor<Columns<B, C, H, W, KH, KW, V>, T, D>,
        impl FnOnce(
            Ct<Tensor<Columns<B, C, H, W, KH, KW, V>, T, D>>,
            &Self,
            &mut Adj<Self, M0>,
            &mut Adj<V, M1>,
        ) + Clone
        + use<M0, M1, KH, KW, V, B, C, H, W, T, D>,
    )
    where
        H: Slide<Sz<KH>, V::H>,
        W: Slide<Sz<KW>, V::W>,
        C: Times<Sz<KH>>,
        <C as Times<Sz<KH>>>::Out: Times<Sz<KW>>,
        Side<H, KH, V::H>: Times<Side<W, KW, V::W>>,
    {
        (self.unfold2d::<KH, KW, V>(v), move |ct, x, d, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                let moves = windows([axis::<V::H>(KH), axis::<V::W>(KW)]);
                d.acc(Tensor::new(x.shape(), ct.fold_windows(&x.dims(), moves)).into());
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __unfold2d_jvp<const KH: usize, const KW: usize, V: Steps2 + Differentiable>(
        &self,
        t: &Self,
        v: V,
        _: V::Tangent,
    ) -> (
        Tensor<Columns<B, C, H, W, KH, KW, V>, T, D>,
        Tensor<Columns<B, C, H, W, KH, KW, V>, T, D>,
    )
    where
        H: Slide<Sz<KH>, V::H>,
        W: Slide<Sz<KW>, V::W>,
        C: Times<Sz<KH>>,
        <C as Times<Sz<KH>>>::Out: Times<Sz<KW>>,
        Side<H, KH, V::H>: Times<Side<W, KW, V::W>>,
    {
        (self.unfold2d::<KH, KW, V>(v), t.unfold2d::<KH, KW, V>(v))
    }
}

impl<B: Dim, R: Dim, P: Dim, T: Float, D: Images> Tensor<(B, R, P), T, D> {
    /// The transpose of [`unfold2d`](Tensor::unfold2d): `[B, C·KH·KW, H'·W']` becomes `[B, C, H, W]`, where
    /// entries of several windows are summed (col2im):
    /// `columns.fold2d::<3, 28, 28, 5, 5, _>(Win::new())` for 3 channels of 28 by 28.
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn fold2d<
        const C: usize,
        const H: usize,
        const W: usize,
        const KH: usize,
        const KW: usize,
        V: Steps2,
    >(
        &self,
        _: V,
    ) -> Tensor<(B, Sz<C>, Sz<H>, Sz<W>), T, D>
    where
        Sz<H>: Slide<Sz<KH>, V::H>,
        Sz<W>: Slide<Sz<KW>, V::W>,
        Sz<C>: Times<Sz<KH>>,
        <Sz<C> as Times<Sz<KH>>>::Out: Times<Sz<KW>, Out = R>,
        Side<Sz<H>, KH, V::H>: Times<Side<Sz<W>, KW, V::W>, Out = P>,
        R: StaticDim,
        P: StaticDim,
    {
        let moves = windows([axis::<V::H>(KH), axis::<V::W>(KW)]);
        let shape = (self.shape().0, Sz, Sz, Sz);
        let dims = crate::shape::Shape::dims(shape);
        Tensor::new(shape, self.raw().fold_windows(&dims, moves))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __fold2d_vjp<
        M0: Mode,
        M1: Mode,
        const C: usize,
        const H: usize,
        const W: usize,
        const KH: usize,
        const KW: usize,
        V: Steps2 + Differentiable,
    >(
        &self,
        _: (M0, M1),
        v: V,
    ) -> (
        Tensor<(B, Sz<C>, Sz<H>, Sz<W>), T, D>,
        impl FnOnce(
            Ct<Tensor<(B, Sz<C>, Sz<H>, Sz<W>), T, D>>,
            &Self,
            &mut Adj<Self, M0>,
            &mut Adj<V, M1>,
        ) + Clone
        + use<M0, M1, C, H, W, KH, KW, V, B, R, P, T, D>,
    )
    where
        Sz<H>: Slide<Sz<KH>, V::H>,
        Sz<W>: Slide<Sz<KW>, V::W>,
        Sz<C>: Times<Sz<KH>>,
        <Sz<C> as Times<Sz<KH>>>::Out: Times<Sz<KW>, Out = R>,
        Side<Sz<H>, KH, V::H>: Times<Side<Sz<W>, KW, V::W>, Out = P>,
        R: StaticDim,
        P: StaticDim,
    {
        (self.fold2d::<C, H, W, KH, KW, V>(v), move |ct, x, d, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                let moves = windows([axis::<V::H>(KH), axis::<V::W>(KW)]);
                d.acc(Tensor::new(x.shape(), ct.unfold_windows(moves)).into());
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __fold2d_jvp<
        const C: usize,
        const H: usize,
        const W: usize,
        const KH: usize,
        const KW: usize,
        V: Steps2 + Differentiable,
    >(
        &self,
        t: &Self,
        v: V,
        _: V::Tangent,
    ) -> (
        Tensor<(B, Sz<C>, Sz<H>, Sz<W>), T, D>,
        Tensor<(B, Sz<C>, Sz<H>, Sz<W>), T, D>,
    )
    where
        Sz<H>: Slide<Sz<KH>, V::H>,
        Sz<W>: Slide<Sz<KW>, V::W>,
        Sz<C>: Times<Sz<KH>>,
        <Sz<C> as Times<Sz<KH>>>::Out: Times<Sz<KW>, Out = R>,
        Side<Sz<H>, KH, V::H>: Times<Side<Sz<W>, KW, V::W>, Out = P>,
        R: StaticDim,
        P: StaticDim,
    {
        (
            self.fold2d::<C, H, W, KH, KW, V>(v),
            t.fold2d::<C, H, W, KH, KW, V>(v),
        )
    }
}
