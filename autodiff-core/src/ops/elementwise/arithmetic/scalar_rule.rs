//! The rules of `+ - * /` between a tensor and a scalar.

use super::rule::{div, give, mul, neg};
use crate::ad::{Acc, AddRule, Ct, DivRule, MulRule, SubRule, Wit};
use crate::device::{Backend, BinaryOp, Float};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

#[track_caller]
fn with_scalar<T: Float, D: Backend>(op: BinaryOp, x: &Raw<T, D>, s: T) -> Raw<T, D> {
    x.clone().binary_scalar(op, s)
}

/// `s / x`.
#[track_caller]
fn over<S: Shape, T: Float, D: Backend>(s: T, x: &Tensor<S, T, D>) -> Tensor<S, T, D> {
    let quotient = Raw::scalar_binary(BinaryOp::Div, s, x.raw().clone());
    Tensor::new(x.shape(), quotient)
}

// A scalar operand counts as a tensor that is constant: its cotangent is the sum of all.

macro_rules! shifts {
    ($($Rule:ident |$x:ident| $signed:expr;)*) => { $(
        impl<S: Shape, T: Float, D: Backend> $Rule<T> for Tensor<S, T, D> {
            type Out = Self;
            #[track_caller]
            fn pull_l<A: Acc<Self>>(_: &Wit<Self>, _: &Wit<T>, ct: &Ct<Self>, d: &mut A) {
                d.acc(ct.clone());
            }
            #[track_caller]
            fn pull_r<A: Acc<T>>(_: &Wit<Self>, _: &Wit<T>, ct: &Ct<Self>, d: &mut A) {
                if A::ON && let Some(ct) = ct.raw() {
                    let $x = ct.cotangent_of_number();
                    d.acc($signed);
                }
            }
            #[track_caller]
            fn push_l(_: &Self, _: &T, _: &Self, t: &Self) -> Self {
                t.clone()
            }
            #[track_caller]
            fn push_r(_: &Self, _: &T, y: &Self, t: &T) -> Self {
                let $x = *t;
                Tensor::full_with_on(y.device(), y.shape(), $signed)
            }
        }
    )* };
}
shifts! {
    AddRule |x| x;
    SubRule |x| -x;
}

impl<S: Shape, T: Float, D: Backend> MulRule<T> for Tensor<S, T, D> {
    type Out = Self;
    #[track_caller]
    fn pull_l<A: Acc<Self>>(a: &Wit<Self>, b: &T, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            give(a.0.0, with_scalar(BinaryOp::Mul, ct, *b), d);
        }
    }
    #[track_caller]
    fn pull_r<A: Acc<T>>(a: &Self, _: &Wit<T>, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(mul(ct.clone(), a.raw()).cotangent_of_number());
        }
    }
    #[track_caller]
    fn push_l(_: &Self, b: &T, _: &Self, t: &Self) -> Self {
        t * *b
    }
    #[track_caller]
    fn push_r(a: &Self, _: &T, _: &Self, t: &T) -> Self {
        a * *t
    }
}

impl<S: Shape, T: Float, D: Backend> DivRule<T> for Tensor<S, T, D> {
    type Out = Self;
    #[track_caller]
    fn pull_l<A: Acc<Self>>(a: &Wit<Self>, b: &T, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            give(a.0.0, with_scalar(BinaryOp::Div, ct, *b), d);
        }
    }
    #[track_caller]
    fn pull_r<A: Acc<T>>(_: &Wit<Self>, b: &T, out: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(-mul(ct.clone(), out.raw()).cotangent_of_number() / *b);
        }
    }
    #[track_caller]
    fn push_l(_: &Self, b: &T, _: &Self, t: &Self) -> Self {
        t / *b
    }
    #[track_caller]
    fn push_r(_: &Self, b: &T, y: &Self, t: &T) -> Self {
        y * (-*t / *b)
    }
}

impl<S: Shape, T: Float, D: Backend> AddRule<Tensor<S, T, D>> for T {
    type Out = Tensor<S, T, D>;
    #[track_caller]
    fn pull_l<A: Acc<T>>(_: &Wit<T>, _: &Wit<Self::Out>, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(ct.cotangent_of_number());
        }
    }
    #[track_caller]
    fn pull_r<A: Acc<Self::Out>>(_: &Wit<T>, _: &Wit<Self::Out>, ct: &Ct<Self::Out>, d: &mut A) {
        d.acc(ct.clone());
    }
    #[track_caller]
    fn push_l(_: &T, _: &Self::Out, y: &Self::Out, t: &T) -> Self::Out {
        Tensor::full_with_on(y.device(), y.shape(), *t)
    }
    #[track_caller]
    fn push_r(_: &T, _: &Self::Out, _: &Self::Out, t: &Self::Out) -> Self::Out {
        t.clone()
    }
}
impl<S: Shape, T: Float, D: Backend> SubRule<Tensor<S, T, D>> for T {
    type Out = Tensor<S, T, D>;
    #[track_caller]
    fn pull_l<A: Acc<T>>(_: &Wit<T>, _: &Wit<Self::Out>, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(ct.cotangent_of_number());
        }
    }
    #[track_caller]
    fn pull_r<A: Acc<Self::Out>>(_: &Wit<T>, b: &Wit<Self::Out>, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            give(b.0.0, neg(ct.clone()), d);
        }
    }
    #[track_caller]
    fn push_l(_: &T, _: &Self::Out, y: &Self::Out, t: &T) -> Self::Out {
        Tensor::full_with_on(y.device(), y.shape(), *t)
    }
    #[track_caller]
    fn push_r(_: &T, _: &Self::Out, _: &Self::Out, t: &Self::Out) -> Self::Out {
        -t
    }
}
impl<S: Shape, T: Float, D: Backend> MulRule<Tensor<S, T, D>> for T {
    type Out = Tensor<S, T, D>;
    #[track_caller]
    fn pull_l<A: Acc<T>>(_: &Wit<T>, b: &Self::Out, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(mul(ct.clone(), b.raw()).cotangent_of_number());
        }
    }
    #[track_caller]
    fn pull_r<A: Acc<Self::Out>>(a: &T, b: &Wit<Self::Out>, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            give(b.0.0, with_scalar(BinaryOp::Mul, ct, *a), d);
        }
    }
    #[track_caller]
    fn push_l(_: &T, b: &Self::Out, _: &Self::Out, t: &T) -> Self::Out {
        b * *t
    }
    #[track_caller]
    fn push_r(a: &T, _: &Self::Out, _: &Self::Out, t: &Self::Out) -> Self::Out {
        t * *a
    }
}
impl<S: Shape, T: Float, D: Backend> DivRule<Tensor<S, T, D>> for T {
    type Out = Tensor<S, T, D>;
    #[track_caller]
    fn pull_l<A: Acc<T>>(_: &Wit<T>, b: &Self::Out, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(div(ct.clone(), b.raw()).cotangent_of_number());
        }
    }
    #[track_caller]
    fn pull_r<A: Acc<Self::Out>>(
        _: &Wit<T>,
        b: &Self::Out,
        out: &Self::Out,
        ct: &Ct<Self::Out>,
        d: &mut A,
    ) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            give(b.shape(), neg(div(mul(ct.clone(), out.raw()), b.raw())), d);
        }
    }
    #[track_caller]
    fn push_l(_: &T, b: &Self::Out, _: &Self::Out, t: &T) -> Self::Out {
        over(*t, b)
    }
    #[track_caller]
    fn push_r(_: &T, b: &Self::Out, y: &Self::Out, t: &Self::Out) -> Self::Out {
        -(t * y / b)
    }
}
