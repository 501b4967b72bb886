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

/// (H + 2P − K) / S + 1: the positions of a window of `K` with stride `S` and padding `P`.
pub trait Window<const K: usize, const S: usize, const P: usize> {
    /// The number of positions.
    type Out: StaticDim;
}
#[diagnostic::on_unimplemented(
    message = "a window of {K} (stride {S}, padding {P}) does not fit an axis of `{H}`",
    label = "the axis and its padding are shorter than the window"
)]
pub trait Fits<H, const K: usize, const S: usize, const P: usize> {}
#[diagnostic::do_not_recommend]
impl<H, const K: usize, const S: usize, const P: usize> Fits<H, K, S, P> for Z {}
type Room<H, K, P> = <<Bits<H> as Num>::Add<<Bits<P> as Num>::Dbl> as Num>::Sub<Bits<K>>;
type Count<H, K, S, P> =
    <<<<Room<H, K, P> as Int>::OrZero as Num>::Div<Bits<S>> as QuotRem>::Quot as Num>::Inc;
impl<const H: usize, const K: usize, const S: usize, const P: usize> Window<K, S, P> for Sz<H>
where
    Sz<H>: Known,
    Sz<K>: Known,
    Sz<S>: Known,
    Sz<P>: Known,
    <Room<Sz<H>, Sz<K>, Sz<P>> as Int>::Fits: Fits<Sz<H>, K, S, P>,
    Count<Sz<H>, Sz<K>, Sz<S>, Sz<P>>: Size,
{
    type Out = <Count<Sz<H>, Sz<K>, Sz<S>, Sz<P>> as Size>::Size;
}
