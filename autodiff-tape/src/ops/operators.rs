//! Operators, with values of the tape, tensors and numbers on either side.

use super::arithmetic;
use super::unary::functions;
use crate::Var;
use crate::operation::Operation;
use autodiff_core::ad::Differentiable;
use autodiff_core::device::{Backend, Float};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Two values of the tape.
macro_rules! values {
    ($($Op:ident $op:ident: [$($A:ty, $B:ty;)*])*) => { $( $(
        impl<A, B> $Op<$B> for $A
        where
            A: Differentiable + Clone + 'static,
            B: Differentiable + Clone + 'static,
            arithmetic::$Op: Operation<(A, B)>,
        {
            type Output = Var<<arithmetic::$Op as Operation<(A, B)>>::Output>;
            #[track_caller]
            fn $op(self, other: $B) -> Self::Output {
                self.run_with(arithmetic::$Op, other)
            }
        }
    )* )* };
}

/// A value of the tape, and a constant at its right or its left.
macro_rules! constants {
    ($([$($generics:tt)*] $V:ty, $C:ty, |$c:ident| $constant:expr;)*) => { $(
        constants!(@ Add add [$($generics)*] $V, $C, |$c| $constant);
        constants!(@ Sub sub [$($generics)*] $V, $C, |$c| $constant);
        constants!(@ Mul mul [$($generics)*] $V, $C, |$c| $constant);
        constants!(@ Div div [$($generics)*] $V, $C, |$c| $constant);
    )* };
    (@ $Op:ident $op:ident [$($generics:tt)*] $V:ty, $C:ty, |$c:ident| $constant:expr) => {
        constants!(@right $Op $op [$($generics)*] Var<$V>, $V, $C, |$c| $constant);
        constants!(@right $Op $op [$($generics)*] &Var<$V>, $V, $C, |$c| $constant);
    };
    (@right $Op:ident $op:ident [$($generics:tt)*] $A:ty, $V:ty, $C:ty, |$c:ident| $constant:expr) => {
        impl<$($generics)*> $Op<$C> for $A
        where
            arithmetic::$Op: Operation<($V, <$C as Constant>::Value)>,
        {
            type Output = Var<<arithmetic::$Op as Operation<($V, <$C as Constant>::Value)>>::Output>;
            #[track_caller]
            fn $op(self, $c: $C) -> Self::Output {
                let c = self.tape().constant($constant);
                self.run_with(arithmetic::$Op, c)
            }
        }
        impl<$($generics)*> $Op<$A> for $C
        where
            arithmetic::$Op: Operation<(<$C as Constant>::Value, $V)>,
        {
            type Output = Var<<arithmetic::$Op as Operation<(<$C as Constant>::Value, $V)>>::Output>;
            #[track_caller]
            fn $op(self, v: $A) -> Self::Output {
                let $c = self;
                v.tape().constant($constant).run_with(arithmetic::$Op, v)
            }
        }
    };
}

/// What may stand beside a value of the tape: a tensor or a number, lent or given.
#[doc(hidden)]
pub trait Constant {
    type Value: Differentiable + Clone + 'static;
}
impl Constant for f32 {
    type Value = f32;
}
impl Constant for f64 {
    type Value = f64;
}
impl<S: Shape, T: Float, D: Backend> Constant for Tensor<S, T, D> {
    type Value = Tensor<S, T, D>;
}
impl<S: Shape, T: Float, D: Backend> Constant for &Tensor<S, T, D> {
    type Value = Tensor<S, T, D>;
}

values! {
    Add add: [Var<A>, Var<B>; Var<A>, &Var<B>; &Var<A>, Var<B>; &Var<A>, &Var<B>;]
    Sub sub: [Var<A>, Var<B>; Var<A>, &Var<B>; &Var<A>, Var<B>; &Var<A>, &Var<B>;]
    Mul mul: [Var<A>, Var<B>; Var<A>, &Var<B>; &Var<A>, Var<B>; &Var<A>, &Var<B>;]
    Div div: [Var<A>, Var<B>; Var<A>, &Var<B>; &Var<A>, Var<B>; &Var<A>, &Var<B>;]
}

constants! {
    [] f64, f64, |c| c;
    [] f32, f32, |c| c;
    [S: Shape, R: Shape, T: Float, D: Backend] Tensor<S, T, D>, Tensor<R, T, D>, |c| c;
    ['c, S: Shape, R: Shape, T: Float, D: Backend] Tensor<S, T, D>, &'c Tensor<R, T, D>, |c| c.clone();
    [S: Shape, D: Backend] Tensor<S, f64, D>, f64, |c| c;
    [S: Shape, D: Backend] Tensor<S, f32, D>, f32, |c| c;
}

macro_rules! negation {
    ($($A:ty;)*) => { $(
        impl<V> Neg for $A
        where
            V: Differentiable + Clone + 'static,
            functions::neg: Operation<(V,)>,
        {
            type Output = Var<<functions::neg as Operation<(V,)>>::Output>;
            #[track_caller]
            fn neg(self) -> Self::Output {
                self.run(functions::neg)
            }
        }
    )* };
}
negation! {
    Var<V>;
    &Var<V>;
}
