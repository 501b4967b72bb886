//! The rules of `+ - * /` between tensors.

use crate::ad::{Acc, AddRule, Ct, DivRule, MulRule, SubRule, Wit};
use crate::device::{Backend, BinaryOp, Float, UnaryOp};
use crate::shape::{Broadcast, Paired, Shape};
use crate::tensor::{Raw, Tensor};

/// Adds a cotangent of the joint shape to the accumulator of an operand of shape `S`.
#[track_caller]
pub(super) fn give<S: Shape, T: Float, D: Backend, A: Acc<Tensor<S, T, D>>>(
    shape: S,
    ct: Raw<T, D>,
    d: &mut A,
) {
    d.acc(Tensor::new(shape, ct.sum_to(&shape.dims())).into());
}

/// Brings the tangent of an operand to the joint shape.
#[track_caller]
fn widen<J: Shape, S: Shape, T: Float, D: Backend>(
    out: &Tensor<J, T, D>,
    t: &Tensor<S, T, D>,
) -> Raw<T, D> {
    t.raw().expand(out.dims())
}

#[track_caller]
pub(super) fn neg<T: Float, D: Backend>(x: Raw<T, D>) -> Raw<T, D> {
    x.unary(UnaryOp::Neg)
}

#[track_caller]
pub(super) fn mul<T: Float, D: Backend>(x: Raw<T, D>, y: &Raw<T, D>) -> Raw<T, D> {
    Raw::binary(BinaryOp::Mul, x, y.clone())
}

#[track_caller]
pub(super) fn div<T: Float, D: Backend>(x: Raw<T, D>, y: &Raw<T, D>) -> Raw<T, D> {
    Raw::binary(BinaryOp::Div, x, y.clone())
}

macro_rules! rule {
    (
        $Rule:ident:
        pull_l |$la:ident: $LA:ty, $lb:ident: $LB:ty, $lct:ident| $pull_l:expr;
        pull_r |$ra:ident: $RA:ty, $rb:ident: $RB:ty $(, $out:ident: $OUT:ty)?; $rct:ident| $pull_r:expr;
        push_l |$a:ident, $b:ident, $y:ident, $t:ident| $push_l:expr;
        push_r |$a2:ident, $b2:ident, $y2:ident, $t2:ident| $push_r:expr;
    ) => {
        impl<S, R, T: Float, D: Backend> $Rule<Tensor<R, T, D>> for Tensor<S, T, D>
        where
            S: Shape + Broadcast<R>,
            R: Shape,
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            type Out = Tensor<<S as Broadcast<R>>::Joint, T, D>;
            #[track_caller]
            fn pull_l<A: Acc<Self>>($la: $LA, $lb: $LB, ct: &Ct<Self::Out>, d: &mut A) {
                if A::ON && let Some($lct) = ct.raw() {
                    let (shape, ct) = $pull_l;
                    give(shape, ct, d);
                }
            }
            #[track_caller]
            fn pull_r<A: Acc<Tensor<R, T, D>>>($ra: $RA, $rb: $RB $(, $out: $OUT)?, ct: &Ct<Self::Out>, d: &mut A) {
                if A::ON && let Some($rct) = ct.raw() {
                    let (shape, ct) = $pull_r;
                    give(shape, ct, d);
                }
            }
            #[track_caller]
            fn push_l($a: &Self, $b: &Tensor<R, T, D>, $y: &Self::Out, t: &Self) -> Self::Out {
                let $t = widen($y, t);
                Tensor::new($y.shape(), $push_l)
            }
            #[track_caller]
            fn push_r($a2: &Self, $b2: &Tensor<R, T, D>, $y2: &Self::Out, t: &Tensor<R, T, D>) -> Self::Out {
                let $t2 = widen($y2, t);
                Tensor::new($y2.shape(), $push_r)
            }
        }
    };
}

rule! { AddRule:
    pull_l |a: &Wit<Self>, _b: &Wit<Tensor<R, T, D>>, ct| (a.0.0, ct.clone());
    pull_r |_a: &Wit<Self>, b: &Wit<Tensor<R, T, D>>; ct| (b.0.0, ct.clone());
    push_l |_a, _b, y, t| t;
    push_r |_a, _b, y, t| t;
}
rule! { SubRule:
    pull_l |a: &Wit<Self>, _b: &Wit<Tensor<R, T, D>>, ct| (a.0.0, ct.clone());
    pull_r |_a: &Wit<Self>, b: &Wit<Tensor<R, T, D>>; ct| (b.0.0, neg(ct.clone()));
    push_l |_a, _b, y, t| t;
    push_r |_a, _b, y, t| neg(t);
}
rule! { MulRule:
    pull_l |a: &Wit<Self>, b: &Tensor<R, T, D>, ct| (a.0.0, mul(ct.clone(), b.raw()));
    pull_r |a: &Self, b: &Wit<Tensor<R, T, D>>; ct| (b.0.0, mul(ct.clone(), a.raw()));
    push_l |_a, b, y, t| mul(t, b.raw());
    push_r |a, _b, y, t| mul(t, a.raw());
}
rule! { DivRule:
    pull_l |a: &Wit<Self>, b: &Tensor<R, T, D>, ct| (a.0.0, div(ct.clone(), b.raw()));
    pull_r |_a: &Wit<Self>, b: &Tensor<R, T, D>, out: &Self::Out; ct| (b.shape(), neg(div(mul(ct.clone(), out.raw()), b.raw())));
    push_l |_a, b, y, t| div(t, b.raw());
    push_r |_a, b, y, t| neg(div(mul(t, y.raw()), b.raw()));
}
