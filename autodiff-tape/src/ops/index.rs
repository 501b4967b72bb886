//! What is picked by number, and what goes by a mask. The numbers are constants, which the operation keeps.

use crate::again::linear::{self, Push1};
use crate::again::{Cotangents, replay};
use crate::operation::{Active, Operation};
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{Ct, Differentiable, Off, On};
use autodiff_core::device::{Backend, Float, Index};
use autodiff_core::shape::{Axis, Classes, Dim, IndexRest, Insert, Shape, TargetsOf};
use autodiff_core::tensor::Tensor;

/// The kind of the second derivative.
macro_rules! again {
    ([linear] $X:ty: $this:ident $tape:ident $args:ident $ct:ident) => {
        linear::of_one::<Self, Tensor<$X, T, D>>($this, $args, $ct)
    };
    ([replay |$numbers:ident, $x:ident| $composed:expr] $X:ty: $this:ident $tape:ident $args:ident $ct:ident) => {{
        let $numbers = &$this.0;
        replay::of_one::<Tensor<$X, T, D>, _>($tape, $args, $ct, |$x| $composed)
    }};
}

macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident $Op:ident $vjp:ident $jvp:ident
        [$($g:ident: $gb:ident),*] [$(const $c:ident: $cty:ty)?] [$($own:tt)*] $X:ty, by $N:ty => $out:ty
        where [$($w:tt)*] $kind:tt;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $Op<N $(, const $c: $cty)?>(N);

        impl<$($g: $gb,)* X: Index, T: Float, D: Backend $(, const $c: $cty)?> Operation<(Tensor<$X, T, D>,)>
            for $Op<Tensor<$N, X, D> $(, $c)?>
        where
            Tensor<$N, X, D>: Differentiable<Tangent = ()>,
            $($w)*
        {
            type Output = Tensor<$out, T, D>;
            fn name(&self) -> &'static str {
                stringify!($name)
            }
            fn value(&self, (x,): &(Tensor<$X, T, D>,)) -> Tensor<$out, T, D> {
                x.$name::<$($own)*>(&self.0)
            }
            fn run(
                &self,
                (x,): &(Tensor<$X, T, D>,),
                _: Active,
            ) -> (
                Tensor<$out, T, D>,
                impl FnOnce(&(Tensor<$X, T, D>,), Ct<Tensor<$out, T, D>>, &mut Ct<(Tensor<$X, T, D>,)>) + use<$($g,)* X, T, D $(, $c)?>,
            ) {
                let numbers = self.0.clone();
                let (y, pull) = x.$vjp::<On, Off, $($own)*>((On, Off), &numbers);
                let pull = move |(x,): &(Tensor<$X, T, D>,), ct: Ct<Tensor<$out, T, D>>, sums: &mut Ct<(Tensor<$X, T, D>,)>| {
                    pull(ct, x, &numbers, &mut sums.0, &mut numbers.zero_adj(Off))
                };
                (y, pull)
            }
            #[allow(unused_variables, reason = "not every kind reads all")]
            fn again(
                &self,
                tape: &Tape,
                args: &(Var<Tensor<$X, T, D>>,),
                _: &Var<Tensor<$out, T, D>>,
                ct: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                let this = self;
                again!($kind $X: this tape args ct)
            }
        }

        impl<$($g: $gb,)* X: Index, T: Float, D: Backend $(, const $c: $cty)?> Push1<Tensor<$X, T, D>>
            for $Op<Tensor<$N, X, D> $(, $c)?>
        where
            Tensor<$N, X, D>: Differentiable<Tangent = ()>,
            $($w)*
        {
            fn push(&self, (x,): &(Tensor<$X, T, D>,), t: &Tensor<$X, T, D>) -> Tensor<$out, T, D> {
                x.$jvp::<$($own)*>(t, &self.0, &()).1
            }
        }
    )* };
}

operations! {
    /// Along an axis, the entries that an index names.
    gather Gather __gather_vjp __gather_jvp [S: Shape, R: Shape] [const I: isize] [I, X, R] S, by R => R
        where [S: Axis<I>, R: Axis<I>, (<S as Axis<I>>::Without, <R as Axis<I>>::Without): IndexRest<I, S, R>] [linear];
    /// Some entries along an axis.
    index_select IndexSelect __index_select_vjp __index_select_jvp [S: Shape, N: Dim] [const I: isize] [I, N, X] S, by (N,) => <S as Axis<I>>::With<N>
        where [S: Axis<I>] [linear];
    /// The rows with given numbers.
    embedding Embedding __embedding_vjp __embedding_jvp [V: Dim, E: Dim, S: Shape] [] [S, X] (V, E), by S => <S as Insert<-1>>::Out<E>
        where [S: Insert<-1>] [linear];
    /// The mean of `−row[target]`.
    nll_loss NllLoss __nll_loss_vjp __nll_loss_jvp [S: Shape, R: Shape] [] [X, R] S, by R => ()
        where [S: Classes, <S as Classes>::Targets: TargetsOf<R, S>] [linear];
    /// The mean of `−ln softmax(row)[target]`.
    cross_entropy CrossEntropy __cross_entropy_vjp __cross_entropy_jvp [S: Shape, R: Shape] [] [X, R] S, by R => ()
        where [S: Classes + Axis<-1>, <S as Classes>::Targets: TargetsOf<R, S>]
        [replay |targets, x| x.log_softmax::<-1>().nll_loss(targets)];
}

impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> {
    /// Along axis `I`, the entries that `index` names; all other axes agree.
    ///
    /// # Panics
    /// If an index is outside the axis, or run-time dimensions differ.
    #[track_caller]
    #[must_use]
    pub fn gather<const I: isize, X: Index, R>(
        &self,
        index: &Tensor<R, X, D>,
    ) -> Var<Tensor<R, T, D>>
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): IndexRest<I, S, R>,
        Tensor<R, X, D>: Differentiable<Tangent = ()>,
    {
        self.run(Gather::<_, I>(index.clone()))
    }

    /// The entries `index` along axis `I`.
    ///
    /// # Panics
    /// If an index is outside the axis.
    #[track_caller]
    #[must_use]
    pub fn index_select<const I: isize, N: Dim, X: Index>(
        &self,
        index: &Tensor<(N,), X, D>,
    ) -> Var<Tensor<<S as Axis<I>>::With<N>, T, D>>
    where
        S: Axis<I>,
        Tensor<(N,), X, D>: Differentiable<Tangent = ()>,
    {
        self.run(IndexSelect::<_, I>(index.clone()))
    }

    /// The mean of `−row[target]` over the rows of logarithms of probabilities `[.., C]`; targets `[..]` are numbers of classes.
    ///
    /// # Panics
    /// If a target is not below `C`, or run-time dimensions differ.
    #[track_caller]
    #[must_use]
    pub fn nll_loss<X: Index, R: Shape>(
        &self,
        targets: &Tensor<R, X, D>,
    ) -> Var<Tensor<(), T, D>>
    where
        S: Classes,
        <S as Classes>::Targets: TargetsOf<R, S>,
        Tensor<R, X, D>: Differentiable<Tangent = ()>,
    {
        self.run(NllLoss(targets.clone()))
    }

    /// The mean of `−ln softmax(row)[target]` over the rows of scores `[.., C]`; targets `[..]` are numbers of classes.
    ///
    /// # Panics
    /// If a target is not below `C`, or run-time dimensions differ.
    #[track_caller]
    #[must_use]
    pub fn cross_entropy<X: Index, R: Shape>(
        &self,
        targets: &Tensor<R, X, D>,
    ) -> Var<Tensor<(), T, D>>
    where
        S: Classes + Axis<-1>,
        <S as Classes>::Targets: TargetsOf<R, S>,
        Tensor<R, X, D>: Differentiable<Tangent = ()>,
    {
        self.run(CrossEntropy(targets.clone()))
    }
}

impl<V: Dim, E: Dim, T: Float, D: Backend> Var<Tensor<(V, E), T, D>> {
    /// The rows with the given numbers.
    ///
    /// # Panics
    /// If a number is not one of a row.
    #[track_caller]
    #[must_use]
    pub fn embedding<S: Insert<-1>, X: Index>(
        &self,
        ids: &Tensor<S, X, D>,
    ) -> Var<Tensor<<S as Insert<-1>>::Out<E>, T, D>>
    where
        Tensor<S, X, D>: Differentiable<Tangent = ()>,
    {
        self.run(Embedding(ids.clone()))
    }
}

/// Some elements set to 0, the others made larger.
#[derive(Clone, Copy, Debug)]
pub struct Dropout {
    p: f64,
    seed: u64,
}

impl<S: Shape, T: Float, D: Backend> Operation<(Tensor<S, T, D>,)> for Dropout {
    type Output = Tensor<S, T, D>;
    fn name(&self) -> &'static str {
        "dropout"
    }
    fn value(&self, (x,): &(Tensor<S, T, D>,)) -> Tensor<S, T, D> {
        x.dropout(self.p, self.seed)
    }
    fn run(
        &self,
        (x,): &(Tensor<S, T, D>,),
        _: Active,
    ) -> (
        Tensor<S, T, D>,
        impl FnOnce(&(Tensor<S, T, D>,), Ct<Tensor<S, T, D>>, &mut Ct<(Tensor<S, T, D>,)>)
        + use<S, T, D>,
    ) {
        let (y, pull) = x.__dropout_vjp((On, Off, Off), self.p, self.seed);
        let (p, seed) = (self.p, self.seed);
        let pull = move |(x,): &(Tensor<S, T, D>,),
                         ct: Ct<Tensor<S, T, D>>,
                         sums: &mut Ct<(Tensor<S, T, D>,)>| {
            pull(
                ct,
                x,
                &mut sums.0,
                &mut p.zero_adj(Off),
                &mut seed.zero_adj(Off),
            );
        };
        (y, pull)
    }
    fn again(
        &self,
        _: &Tape,
        args: &(Var<Tensor<S, T, D>>,),
        _: &Var<Tensor<S, T, D>>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        linear::of_one(self, args, ct)
    }
}

impl<S: Shape, T: Float, D: Backend> Push1<Tensor<S, T, D>> for Dropout {
    fn push(&self, _: &(Tensor<S, T, D>,), t: &Tensor<S, T, D>) -> Tensor<S, T, D> {
        t.dropout(self.p, self.seed)
    }
}

impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> {
    /// Each element is 0 with probability `p`, and multiplied by `1/(1 − p)` otherwise. The same seed gives the same mask: give
    /// each step its own.
    ///
    /// # Panics
    /// If `p` is not in `[0, 1)`.
    #[track_caller]
    #[must_use]
    pub fn dropout(&self, p: f64, seed: u64) -> Self {
        self.run(Dropout { p, seed })
    }
}
