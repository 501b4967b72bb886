//! Shapes: the same elements in another order.

use super::table::{again, of_one};
use crate::again::Cotangents;
use crate::again::linear::{self, Push1, Push2};
use crate::operation::{Active, Operation};
use crate::{Input, Tape, TapeError, Var};
use autodiff_core::ad::{Ct, Differentiable, Off, On};
use autodiff_core::device::{Backend, Float};
use autodiff_core::shape::{
    Axis, Concat, Dim, Flatten, Insert, MergeLast, SameNames, SameRest, Shape, SplitLast, Swap, Sz,
    UnitAxis,
};
use autodiff_core::tensor::Tensor;

of_one! {
    /// Exchanges two axes: `x.transpose::<0, 1>()`.
    transpose Transpose __transpose_vjp __transpose_jvp [const I: isize, const J: isize] -> <S as Swap<I, J>>::Out where [S: Swap<I, J>] [linear];
    /// The same elements in another shape.
    reshape Reshape __reshape_vjp __reshape_jvp [; R: Shape] -> R where [S::Names: SameNames<R::Names, S, R>] [linear];
    /// The same axes under other dimensions.
    rename Rename __rename_vjp __rename_jvp [; R: Shape] -> R where [] [linear];
    /// Everything after the first axis as one axis.
    flatten Flattened __flatten_vjp __flatten_jvp [] -> <S as Flatten>::Out where [S: Flatten] [linear];
    /// The last axis as `H` equal parts.
    split_last SplitLastAxis __split_last_vjp __split_last_jvp [const H: usize] -> <S as SplitLast<H>>::Out where [S: SplitLast<H>] [linear];
    /// The last two axes as one.
    merge_last MergeLastAxes __merge_last_vjp __merge_last_jvp [] -> <S as MergeLast>::Out where [S: MergeLast] [linear];
    /// A new axis of size 1 at position `I` of the result.
    unsqueeze Unsqueeze __unsqueeze_vjp __unsqueeze_jvp [const I: isize] -> <S as Insert<I>>::Out<Sz<1>> where [S: Insert<I>] [linear];
    /// Without axis `I`, which must have size 1.
    squeeze Squeeze __squeeze_vjp __squeeze_jvp [const I: isize] -> <S as Axis<I>>::Without where [S: Axis<I>, <S as Axis<I>>::Dim: UnitAxis<I, S>] [linear];
    /// The `LEN` entries from `START` on along axis `I`.
    slice Slice __slice_vjp __slice_jvp [const I: isize, const START: usize, const LEN: usize] -> <S as Axis<I>>::With<Sz<LEN>> where [S: Axis<I>] [linear];
}

/// The transposed matrix.
#[derive(Clone, Copy, Debug)]
pub struct Transposed;

impl<A: Dim, B: Dim, T: Float, D: Backend> Operation<(Tensor<(A, B), T, D>,)> for Transposed {
    type Output = Tensor<(B, A), T, D>;
    fn name(&self) -> &'static str {
        "t"
    }
    fn value(&self, (x,): &(Tensor<(A, B), T, D>,)) -> Tensor<(B, A), T, D> {
        x.t()
    }
    #[allow(clippy::type_complexity)] // the type of a pullback
    fn run(
        &self,
        (x,): &(Tensor<(A, B), T, D>,),
        _: Active,
    ) -> (
        Tensor<(B, A), T, D>,
        impl FnOnce(
            &(Tensor<(A, B), T, D>,),
            Ct<Tensor<(B, A), T, D>>,
            &mut Ct<(Tensor<(A, B), T, D>,)>,
        ) + use<A, B, T, D>,
    ) {
        let (y, pull) = x.__t_vjp((On,));
        let pull = move |(x,): &(Tensor<(A, B), T, D>,),
                         ct: Ct<Tensor<(B, A), T, D>>,
                         sums: &mut Ct<(Tensor<(A, B), T, D>,)>| {
            pull(ct, x, &mut sums.0);
        };
        (y, pull)
    }
    fn again(
        &self,
        _: &Tape,
        args: &(Var<Tensor<(A, B), T, D>>,),
        _: &Var<Tensor<(B, A), T, D>>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        linear::of_one(self, args, ct)
    }
}

impl<A: Dim, B: Dim, T: Float, D: Backend> Push1<Tensor<(A, B), T, D>> for Transposed {
    fn push(&self, _: &(Tensor<(A, B), T, D>,), t: &Tensor<(A, B), T, D>) -> Tensor<(B, A), T, D> {
        t.t()
    }
}

impl<A: Dim, B: Dim, T: Float, D: Backend> Var<Tensor<(A, B), T, D>> {
    /// The transposed matrix.
    #[track_caller]
    #[must_use]
    pub fn t(&self) -> Var<Tensor<(B, A), T, D>> {
        self.run(Transposed)
    }
}

/// Axis `I` of size 1, repeated.
#[derive(Clone, Copy, Debug)]
pub struct Expand<const I: isize, N>(N);

impl<S, N, T: Float, D: Backend, const I: isize> Operation<(Tensor<S, T, D>,)> for Expand<I, N>
where
    S: Shape + Axis<I>,
    <S as Axis<I>>::Dim: UnitAxis<I, S>,
    N: Dim + Differentiable<Tangent = ()>,
{
    type Output = Tensor<<S as Axis<I>>::With<N>, T, D>;
    fn name(&self) -> &'static str {
        "expand"
    }
    fn value(&self, (x,): &(Tensor<S, T, D>,)) -> Self::Output {
        x.expand::<I, N>(self.0)
    }
    #[allow(clippy::type_complexity)] // the type of a pullback
    fn run(
        &self,
        (x,): &(Tensor<S, T, D>,),
        _: Active,
    ) -> (
        Self::Output,
        impl FnOnce(&(Tensor<S, T, D>,), Ct<Self::Output>, &mut Ct<(Tensor<S, T, D>,)>) + use<S, N, T, D, I>,
    ) {
        let n = self.0;
        let (y, pull) = x.__expand_vjp::<On, Off, I, N>((On, Off), n);
        let pull = move |(x,): &(Tensor<S, T, D>,),
                         ct: Ct<Self::Output>,
                         sums: &mut Ct<(Tensor<S, T, D>,)>| {
            pull(ct, x, &mut sums.0, &mut n.zero_adj(Off));
        };
        (y, pull)
    }
    fn again(
        &self,
        _: &Tape,
        args: &(Var<Tensor<S, T, D>>,),
        _: &Var<Self::Output>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        linear::of_one::<Self, Tensor<S, T, D>>(self, args, ct)
    }
}

impl<S, N, T: Float, D: Backend, const I: isize> Push1<Tensor<S, T, D>> for Expand<I, N>
where
    S: Shape + Axis<I>,
    <S as Axis<I>>::Dim: UnitAxis<I, S>,
    N: Dim + Differentiable<Tangent = ()>,
{
    fn push(&self, _: &(Tensor<S, T, D>,), t: &Tensor<S, T, D>) -> Self::Output {
        t.expand::<I, N>(self.0)
    }
}

impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> {
    /// Repeats axis `I`, which must have size 1, `n` times.
    #[track_caller]
    #[must_use]
    pub fn expand<const I: isize, N: Dim + Differentiable<Tangent = ()>>(
        &self,
        n: N,
    ) -> Var<Tensor<<S as Axis<I>>::With<N>, T, D>>
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: UnitAxis<I, S>,
    {
        self.run(Expand::<I, N>(n))
    }
}

/// Two tensors, one behind the other along axis `I`.
#[derive(Clone, Copy, Debug)]
pub struct Concatenate<const I: isize>;

type Pair<S, R, T, D> = (Tensor<S, T, D>, Tensor<R, T, D>);

impl<S, R, T: Float, D: Backend, const I: isize> Operation<Pair<S, R, T, D>> for Concatenate<I>
where
    S: Shape + Concat<I, R>,
    R: Shape,
    <S as Concat<I, R>>::Rest: SameRest<I, S, R>,
{
    type Output = Tensor<<S as Concat<I, R>>::Out, T, D>;
    fn name(&self) -> &'static str {
        "concat"
    }
    fn value(&self, (a, b): &Pair<S, R, T, D>) -> Self::Output {
        a.concat::<I, R>(b)
    }
    #[allow(clippy::type_complexity)] // the type of a pullback
    fn run(
        &self,
        (a, b): &Pair<S, R, T, D>,
        _: Active,
    ) -> (
        Self::Output,
        impl FnOnce(&Pair<S, R, T, D>, Ct<Self::Output>, &mut Ct<Pair<S, R, T, D>>) + use<S, R, T, D, I>,
    ) {
        let (y, pull) = a.__concat_vjp::<On, On, I, R>((On, On), b);
        let pull = move |(a, b): &Pair<S, R, T, D>,
                         ct: Ct<Self::Output>,
                         sums: &mut Ct<Pair<S, R, T, D>>| {
            pull(ct, a, b, &mut sums.0, &mut sums.1);
        };
        (y, pull)
    }
    fn again(
        &self,
        _: &Tape,
        args: &(Var<Tensor<S, T, D>>, Var<Tensor<R, T, D>>),
        _: &Var<Self::Output>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        linear::of_two(self, args, ct)
    }
}

impl<S, R, T: Float, D: Backend, const I: isize> Push2<Tensor<S, T, D>, Tensor<R, T, D>>
    for Concatenate<I>
where
    S: Shape + Concat<I, R>,
    R: Shape,
    <S as Concat<I, R>>::Rest: SameRest<I, S, R>,
{
    fn push_l(&self, (_, b): &Pair<S, R, T, D>, t: &Tensor<S, T, D>) -> Self::Output {
        t.concat::<I, R>(&b.zero_tangent())
    }
    fn push_r(&self, (a, _): &Pair<S, R, T, D>, t: &Tensor<R, T, D>) -> Self::Output {
        a.zero_tangent().concat::<I, R>(t)
    }
}

impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> {
    /// Joins two tensors along axis `I`: `a.concat::<1, _, _>(&b)`.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[track_caller]
    #[must_use]
    pub fn concat<const I: isize, R: Shape, W: Input<Value = Tensor<R, T, D>>>(
        &self,
        other: W,
    ) -> Var<Tensor<<S as Concat<I, R>>::Out, T, D>>
    where
        S: Concat<I, R>,
        <S as Concat<I, R>>::Rest: SameRest<I, S, R>,
    {
        self.run_with(Concatenate::<I>, other)
    }
}
