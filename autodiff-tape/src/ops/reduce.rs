//! Sums, means, extremes, norms.

use super::table::{again, of_one};
use crate::again::formula::times;
use crate::again::linear::{LinearMap, Push1};
use crate::again::{Cotangents, plus};
use crate::error::of_one_tape;
use crate::operation::{Active, Operation};
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{Ct, Differentiable, On};
use autodiff_core::device::{Backend, Float};
use autodiff_core::shape::{AxesOf, Axis, AxisSet, Shape};
use autodiff_core::tensor::Tensor;

/// The sums along axis `I`, repeated along it: the pullback of a sum.
pub(super) fn repeated<const I: isize, S, T: Float, D: Backend>(
    x: &Tensor<S, T, D>,
    sums: Tensor<<S as Axis<I>>::Without, T, D>,
) -> Tensor<S, T, D>
where
    S: Shape + Axis<I>,
{
    let (_, pull) = x.__sum_axis_vjp::<On, I>((On,));
    let mut d = x.zero_adj(On);
    pull(sums.into(), x, &mut d);
    Tensor::<S, T, D>::finish(&x.proto(), d)
}

/// The same of values of the tape. The map is its own transpose.
pub(super) fn repeated_sums<const I: isize, S, T: Float, D: Backend>(
    x: &Var<Tensor<S, T, D>>,
) -> Var<Tensor<S, T, D>>
where
    S: Shape + Axis<I>,
{
    let sums = |x: &Tensor<S, T, D>| repeated::<I, S, T, D>(x, x.sum_axis::<I>());
    of_one_tape(LinearMap::new("repeated sums", sums, sums).of(x))
}

/// `x − top`, where `top` has the largest elements along axis `I`; they count as constants.
pub(super) fn below_top<const I: isize, S, T: Float, D: Backend>(
    x: &Var<Tensor<S, T, D>>,
) -> Var<Tensor<S, T, D>>
where
    S: Shape + Axis<I>,
{
    let top = repeated::<I, S, T, D>(x.value(), x.value().max_axis::<I>());
    of_one_tape(plus(x, &x.tape().constant(-top)))
}

of_one! {
    /// The sum of all elements.
    sum Sum __sum_vjp __sum_jvp [] -> () where [] [linear];
    /// The mean of all elements; NaN if there are none.
    mean Mean __mean_vjp __mean_jvp [] -> () where [] [linear];
    /// The sums along axis `I`.
    sum_axis SumAxis __sum_axis_vjp __sum_axis_jvp [const I: isize] -> <S as Axis<I>>::Without where [S: Axis<I>] [linear];
    /// The means along axis `I`.
    mean_axis MeanAxis __mean_axis_vjp __mean_axis_jvp [const I: isize] -> <S as Axis<I>>::Without where [S: Axis<I>] [linear];
    /// The sums along axis `I`, which stays with size 1.
    sum_axis_keepdim SumKeep __sum_axis_keepdim_vjp __sum_axis_keepdim_jvp [const I: isize] -> <S as Axis<I>>::Keep where [S: Axis<I>] [linear];
    /// The means along axis `I`, which stays with size 1.
    mean_axis_keepdim MeanKeep __mean_axis_keepdim_vjp __mean_axis_keepdim_jvp [const I: isize] -> <S as Axis<I>>::Keep where [S: Axis<I>] [linear];
    /// The sums along several axes: `x.sum_axes::<Axes2<0, 2>>()`.
    sum_axes SumAxes __sum_axes_vjp __sum_axes_jvp [; A: AxisSet] -> <S as AxesOf<A>>::Without where [S: AxesOf<A>] [linear];
    /// The means along several axes.
    mean_axes MeanAxes __mean_axes_vjp __mean_axes_jvp [; A: AxisSet] -> <S as AxesOf<A>>::Without where [S: AxesOf<A>] [linear];
    /// The largest element; ties share the gradient.
    max Max __max_vjp __max_jvp [] -> () where [] [linear];
    /// The smallest element; ties share the gradient.
    min Min __min_vjp __min_jvp [] -> () where [] [linear];
    /// The largest elements along axis `I`; ties share the gradient.
    max_axis MaxAxis __max_axis_vjp __max_axis_jvp [const I: isize] -> <S as Axis<I>>::Without where [S: Axis<I>] [linear];
    /// The smallest elements along axis `I`; ties share the gradient.
    min_axis MinAxis __min_axis_vjp __min_axis_jvp [const I: isize] -> <S as Axis<I>>::Without where [S: Axis<I>] [linear];
    /// The largest elements along axis `I`, which stays with size 1.
    max_axis_keepdim MaxKeep __max_axis_keepdim_vjp __max_axis_keepdim_jvp [const I: isize] -> <S as Axis<I>>::Keep where [S: Axis<I>] [linear];
    /// The smallest elements along axis `I`, which stays with size 1.
    min_axis_keepdim MinKeep __min_axis_keepdim_vjp __min_axis_keepdim_jvp [const I: isize] -> <S as Axis<I>>::Keep where [S: Axis<I>] [linear];
    /// The product of all elements.
    prod Prod __prod_vjp __prod_jvp [] -> () where [] [none "write it as `x.ln().sum().exp()` where `x` is positive"];
    /// The Euclidean norm, with the derivative 0 at 0.
    norm Norm __norm_vjp __norm_jvp [] -> () where [] [replay |x| of_one_tape(times(x, x)).sum().sqrt()];
    /// The Euclidean norms along axis `I`.
    norm_axis NormAxis __norm_axis_vjp __norm_axis_jvp [const I: isize] -> <S as Axis<I>>::Without where [S: Axis<I>]
        [replay |x| of_one_tape(times(x, x)).sum_axis::<I>().sqrt()];
    /// `ln Σ e^x` along axis `I`, without overflow.
    logsumexp_axis LogSumExpAxis __logsumexp_axis_vjp __logsumexp_axis_jvp [const I: isize] -> <S as Axis<I>>::Without where [S: Axis<I>]
        [replay |x| {
            let top = x.tape().constant(x.value().max_axis::<I>());
            of_one_tape(plus(&below_top::<I, S, T, D>(x).exp().sum_axis::<I>().ln(), &top))
        }];
    /// As [`logsumexp_axis`](Var::logsumexp_axis); axis `I` stays with size 1.
    logsumexp_axis_keepdim LogSumExpKeep __logsumexp_axis_keepdim_vjp __logsumexp_axis_keepdim_jvp [const I: isize] -> <S as Axis<I>>::Keep where [S: Axis<I>]
        [replay |x| {
            let top = x.tape().constant(x.value().max_axis_keepdim::<I>());
            of_one_tape(plus(&below_top::<I, S, T, D>(x).exp().sum_axis_keepdim::<I>().ln(), &top))
        }];
    /// The sums up to each element along axis `I`.
    cumsum CumSum __cumsum_vjp __cumsum_jvp [const I: isize] -> S where [S: Axis<I>] [linear];
    /// `e^x / Σ e^x` along axis `I`: `x.softmax::<-1>()`.
    softmax Softmax __softmax_vjp __softmax_jvp [const I: isize] -> S where [S: Axis<I>]
        [replay |x| {
            let e = below_top::<I, S, T, D>(x).exp();
            of_one_tape(times(&e, &repeated_sums::<I, S, T, D>(&e).recip()))
        }];
    /// `x − ln Σ e^x` along axis `I`.
    log_softmax LogSoftmax __log_softmax_vjp __log_softmax_jvp [const I: isize] -> S where [S: Axis<I>]
        [replay |x| {
            let x = below_top::<I, S, T, D>(x);
            of_one_tape(plus(&x, &-repeated_sums::<I, S, T, D>(&x.exp()).ln()))
        }];
}
