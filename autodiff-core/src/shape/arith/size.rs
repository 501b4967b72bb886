//! Sums, differences, products, quotients and windows of static sizes.

use super::bits::{Int, Num, QuotRem, Z};
use super::table::{Known, Size};
use crate::shape::{StaticDim, Sz};

type Bits<T> = <T as Known>::Bits;

/// M + N
pub trait Plus<R> {
    /// The sum.
    type Out: StaticDim;
}
impl<const M: usize, const N: usize> Plus<Sz<N>> for Sz<M>
where
    Sz<M>: Known,
    Sz<N>: Known,
    <Bits<Sz<M>> as Num>::Add<Bits<Sz<N>>>: Size,
{
    type Out = <<Bits<Sz<M>> as Num>::Add<Bits<Sz<N>>> as Size>::Size;
}

/// M − N
pub trait Minus<R> {
    /// The difference.
    type Out: StaticDim;
}
#[diagnostic::on_unimplemented(
    message = "cannot take `{N}` entries from an axis of `{M}`",
    label = "`{N}` is more than `{M}`"
)]
pub trait Enough<M, N> {}
#[diagnostic::do_not_recommend]
impl<M, N> Enough<M, N> for Z {}
type Diff<M, N> = <Bits<M> as Num>::Sub<Bits<N>>;
impl<const M: usize, const N: usize> Minus<Sz<N>> for Sz<M>
where
    Sz<M>: Known,
    Sz<N>: Known,
    <Diff<Sz<M>, Sz<N>> as Int>::Fits: Enough<Sz<M>, Sz<N>>,
    <Diff<Sz<M>, Sz<N>> as Int>::OrZero: Size,
{
    type Out = <<Diff<Sz<M>, Sz<N>> as Int>::OrZero as Size>::Size;
}

/// The smaller of M and N: M − (M − N), where what falls below zero is zero.
pub trait Least<R> {
    /// The smaller one.
    type Out: StaticDim;
}
type Excess<M, N> = <Diff<M, N> as Int>::OrZero;
impl<const M: usize, const N: usize> Least<Sz<N>> for Sz<M>
where
    Sz<M>: Known,
    Sz<N>: Known,
    <<Bits<Sz<M>> as Num>::Sub<Excess<Sz<M>, Sz<N>>> as Int>::OrZero: Size,
{
    type Out = <<<Bits<Sz<M>> as Num>::Sub<Excess<Sz<M>, Sz<N>>> as Int>::OrZero as Size>::Size;
}

/// M / 2 + 1, without remainder: the frequencies of a real signal of M entries.
pub trait HalfPlusOne {
    /// The result.
    type Out: StaticDim;
}
type Half<M> = <<Bits<M> as Num>::Div<Bits<Sz<2>>> as QuotRem>::Quot;
impl<const M: usize> HalfPlusOne for Sz<M>
where
    Sz<M>: Known,
    <Half<Sz<M>> as Num>::Inc: Size,
{
    type Out = <<Half<Sz<M>> as Num>::Inc as Size>::Size;
}

/// M · N
pub trait Times<R> {
    /// The product.
    type Out: StaticDim;
}
impl<const M: usize, const N: usize> Times<Sz<N>> for Sz<M>
where
    Sz<M>: Known,
    Sz<N>: Known,
    <Bits<Sz<M>> as Num>::Mul<Bits<Sz<N>>>: Size,
{
    type Out = <<Bits<Sz<M>> as Num>::Mul<Bits<Sz<N>>> as Size>::Size;
}

/// M / N without remainder
pub trait DivExact<R> {
    /// The quotient.
    type Out: StaticDim;
}
#[diagnostic::on_unimplemented(
    message = "a dimension of `{M}` cannot be split into equal parts by `{N}`",
    label = "`{M}` is not a multiple of `{N}`"
)]
pub trait NoRemainder<M, N> {}
#[diagnostic::do_not_recommend]
impl<M, N> NoRemainder<M, N> for Z {}
type Quot<M, N> = <Bits<M> as Num>::Div<Bits<N>>;
impl<const M: usize, const N: usize> DivExact<Sz<N>> for Sz<M>
where
    Sz<M>: Known,
    Sz<N>: Known,
    <Quot<Sz<M>, Sz<N>> as QuotRem>::Rem: NoRemainder<Sz<M>, Sz<N>>,
    <Quot<Sz<M>, Sz<N>> as QuotRem>::Quot: Size,
{
    type Out = <<Quot<Sz<M>, Sz<N>> as QuotRem>::Quot as Size>::Size;
}

/// (H + 2P − R) / S + 1 with R = D(K − 1) + 1: the positions of a window of `K` entries, `D` apart, with
/// stride `S` and padding `P`.
pub trait Window<const K: usize, const S: usize, const P: usize, const D: usize = 1> {
    /// The number of positions.
    type Out: StaticDim;
}
#[diagnostic::on_unimplemented(
    message = "a window of {K} (stride {S}, padding {P}, dilation {D}) does not fit an axis of `{H}`",
    label = "the axis and its padding are shorter than the window"
)]
pub trait Fits<H, const K: usize, const S: usize, const P: usize, const D: usize> {}
#[diagnostic::do_not_recommend]
impl<H, const K: usize, const S: usize, const P: usize, const D: usize> Fits<H, K, S, P, D> for Z {}
type Reach<K, D> = <<<<Bits<K> as Num>::Dec as Int>::OrZero as Num>::Mul<Bits<D>> as Num>::Inc;
type Room<H, K, P, D> = <<Bits<H> as Num>::Add<<Bits<P> as Num>::Dbl> as Num>::Sub<Reach<K, D>>;
type Count<H, K, S, P, D> =
    <<<<Room<H, K, P, D> as Int>::OrZero as Num>::Div<Bits<S>> as QuotRem>::Quot as Num>::Inc;
impl<const H: usize, const K: usize, const S: usize, const P: usize, const D: usize>
    Window<K, S, P, D> for Sz<H>
where
    Sz<H>: Known,
    Sz<K>: Known,
    Sz<S>: Known,
    Sz<P>: Known,
    Sz<D>: Known,
    <Room<Sz<H>, Sz<K>, Sz<P>, Sz<D>> as Int>::Fits: Fits<Sz<H>, K, S, P, D>,
    Count<Sz<H>, Sz<K>, Sz<S>, Sz<P>, Sz<D>>: Size,
{
    type Out = <Count<Sz<H>, Sz<K>, Sz<S>, Sz<P>, Sz<D>> as Size>::Size;
}

/// (H − 1)S + D(K − 1) + 1 − 2P: the entries that [`Window`] makes `H` positions of.
pub trait Unwindow<const K: usize, const S: usize, const P: usize, const D: usize> {
    /// The number of entries.
    type Out: StaticDim;
}
type Spreading<H, K, S, D> =
    <<<<Bits<H> as Num>::Dec as Int>::OrZero as Num>::Mul<Bits<S>> as Num>::Add<Reach<K, D>>;
type Rest<H, K, S, P, D> = <Spreading<H, K, S, D> as Num>::Sub<<Bits<P> as Num>::Dbl>;
impl<const H: usize, const K: usize, const S: usize, const P: usize, const D: usize>
    Unwindow<K, S, P, D> for Sz<H>
where
    Sz<H>: Known,
    Sz<K>: Known,
    Sz<S>: Known,
    Sz<P>: Known,
    Sz<D>: Known,
    <Rest<Sz<H>, Sz<K>, Sz<S>, Sz<P>, Sz<D>> as Int>::Fits: Fits<Sz<H>, K, S, P, D>,
    <Rest<Sz<H>, Sz<K>, Sz<S>, Sz<P>, Sz<D>> as Int>::OrZero: Size,
{
    type Out = <<Rest<Sz<H>, Sz<K>, Sz<S>, Sz<P>, Sz<D>> as Int>::OrZero as Size>::Size;
}
