//! Functions of two tensors: the larger and the smaller element, powers, losses.

use crate::again::formula::times;
use crate::again::linear::{self, Push2};
use crate::again::{Cotangents, plus, replay};
use crate::error::of_one_tape;
use crate::operation::{Active, Operation};
use crate::{Input, Tape, TapeError, Var};
use autodiff_core::ad::{Ct, Differentiable, On};
use autodiff_core::device::{Backend, Float};
use autodiff_core::shape::{Broadcast, Paired, Shape};
use autodiff_core::tensor::Tensor;

/// The kind of the second derivative.
macro_rules! again {
    ([linear] $this:ident $tape:ident $args:ident $ct:ident) => {
        linear::of_two($this, $args, $ct)
    };
    ([none $name:ident $instead:literal] $this:ident $tape:ident $args:ident $ct:ident) => {
        Err(TapeError::NoSecondDerivative {
            operation: stringify!($name),
            instead: $instead,
        })
    };
    ([replay |$x:ident, $z:ident| $composed:expr] $this:ident $tape:ident $args:ident $ct:ident) => {
        replay::of_two($tape, $args, $ct, |$x, $z| $composed)
    };
}

macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident $Op:ident $vjp:ident $jvp:ident [$($g:ident: $gb:ident),*] $S:ty, $R:ty => $out:ty
        where [$($w:tt)*] $kind:tt;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Op;

        impl<$($g: $gb,)* T: Float, D: Backend> Operation<(Tensor<$S, T, D>, Tensor<$R, T, D>)> for $Op
        where
            $($w)*
        {
            type Output = Tensor<$out, T, D>;
            fn name(&self) -> &'static str {
                stringify!($name)
            }
            fn value(&self, (a, b): &(Tensor<$S, T, D>, Tensor<$R, T, D>)) -> Self::Output {
                a.$name(b)
            }
            #[allow(clippy::type_complexity)] // the type of a pullback
            fn run(
                &self,
                (a, b): &(Tensor<$S, T, D>, Tensor<$R, T, D>),
                _: Active,
            ) -> (
                Self::Output,
                impl FnOnce(
                    &(Tensor<$S, T, D>, Tensor<$R, T, D>),
                    Ct<Self::Output>,
                    &mut Ct<(Tensor<$S, T, D>, Tensor<$R, T, D>)>,
                ) + use<$($g,)* T, D>,
            ) {
                let (y, pull) = a.$vjp((On, On), b);
                let pull = move |(a, b): &(Tensor<$S, T, D>, Tensor<$R, T, D>),
                                 ct: Ct<Self::Output>,
                                 sums: &mut Ct<(Tensor<$S, T, D>, Tensor<$R, T, D>)>| {
                    pull(ct, a, b, &mut sums.0, &mut sums.1)
                };
                (y, pull)
            }
            #[allow(unused_variables, reason = "not every kind reads all")]
            fn again(
                &self,
                tape: &Tape,
                args: &(Var<Tensor<$S, T, D>>, Var<Tensor<$R, T, D>>),
                _: &Var<Self::Output>,
                ct: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                let this = self;
                again!($kind this tape args ct)
            }
        }

        impl<$($g: $gb,)* T: Float, D: Backend> Push2<Tensor<$S, T, D>, Tensor<$R, T, D>> for $Op
        where
            $($w)*
        {
            fn push_l(&self, (a, b): &(Tensor<$S, T, D>, Tensor<$R, T, D>), t: &Tensor<$S, T, D>) -> Self::Output {
                a.$jvp(t, b, &b.zero_tangent()).1
            }
            fn push_r(&self, (a, b): &(Tensor<$S, T, D>, Tensor<$R, T, D>), t: &Tensor<$R, T, D>) -> Self::Output {
                a.$jvp(&a.zero_tangent(), b, t).1
            }
        }
    )* };
}

operations! {
    /// The larger of two elements.
    maximum Maximum __maximum_vjp __maximum_jvp [S: Shape, R: Shape] S, R => <S as Broadcast<R>>::Joint
        where [S: Broadcast<R>, <S as Broadcast<R>>::Pairs: Paired<S, R>] [linear];
    /// The smaller of two elements.
    minimum Minimum __minimum_vjp __minimum_jvp [S: Shape, R: Shape] S, R => <S as Broadcast<R>>::Joint
        where [S: Broadcast<R>, <S as Broadcast<R>>::Pairs: Paired<S, R>] [linear];
    /// The elements of one to the powers of the other.
    pow Pow __pow_vjp __pow_jvp [S: Shape, R: Shape] S, R => <S as Broadcast<R>>::Joint
        where [S: Broadcast<R>, <S as Broadcast<R>>::Pairs: Paired<S, R>]
        [none pow "write it as `(y * x.ln()).exp()` where `x` is positive, or use `powi` or `powf`"];
    /// The mean of the squares of the errors.
    mse_loss MseLoss __mse_loss_vjp __mse_loss_jvp [S: Shape] S, S => () where []
        [replay |x, target| {
            let error = of_one_tape(plus(x, &-target));
            of_one_tape(times(&error, &error)).mean()
        }];
    /// The mean of the sizes of the errors.
    l1_loss L1Loss __l1_loss_vjp __l1_loss_jvp [S: Shape] S, S => () where []
        [replay |x, target| of_one_tape(plus(x, &-target)).abs().mean()];
}

macro_rules! broadcasting {
    ($($(#[$doc:meta])* $name:ident $Op:ident;)*) => {
        impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> { $(
            $(#[$doc])*
            ///
            /// # Panics
            /// If run-time dimensions of one name have different sizes.
            #[track_caller]
            #[must_use]
            pub fn $name<R: Shape, W: Input<Value = Tensor<R, T, D>>>(
                &self,
                other: W,
            ) -> Var<Tensor<<S as Broadcast<R>>::Joint, T, D>>
            where
                S: Broadcast<R>,
                <S as Broadcast<R>>::Pairs: Paired<S, R>,
            {
                self.run_with($Op, other)
            }
        )* }
    };
}
broadcasting! {
    /// The larger of two elements at each position; ties share the gradient.
    maximum Maximum;
    /// The smaller of two elements at each position; ties share the gradient.
    minimum Minimum;
    /// The elements of one tensor to the powers of another.
    pow Pow;
}

impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> {
    /// The mean of `(x − target)²`.
    ///
    /// # Panics
    /// If run-time sizes differ.
    #[track_caller]
    #[must_use]
    pub fn mse_loss<W: Input<Value = Tensor<S, T, D>>>(&self, target: W) -> Var<Tensor<(), T, D>> {
        self.run_with(MseLoss, target)
    }

    /// The mean of `|x − target|`.
    ///
    /// # Panics
    /// If run-time sizes differ.
    #[track_caller]
    #[must_use]
    pub fn l1_loss<W: Input<Value = Tensor<S, T, D>>>(&self, target: W) -> Var<Tensor<(), T, D>> {
        self.run_with(L1Loss, target)
    }
}
