//! The rules of `+ - * /` of tensors of `bf16` and `f16`, in `f32`.

use crate::ad::{Acc, AddRule, Ct, DivRule, MulRule, NegRule, SubRule, Wit};
use crate::device::Backend;
use crate::shape::{Broadcast, Paired, Shape};
use crate::tensor::Tensor;
use half::{bf16, f16};

/// What an operand of shape `S` gets of a cotangent of the joint shape.
#[track_caller]
fn summed<S: Shape, J: Shape, D: Backend>(
    shape: S,
    ct: Tensor<J, f32, D>,
) -> Option<Tensor<S, f32, D>> {
    Some(Tensor::new(shape, ct.into_raw().sum_to(&shape.dims())))
}

/// Brings the tangent of an operand to the joint shape.
#[track_caller]
fn widen<S: Shape, J: Shape, D: Backend>(shape: J, t: &Tensor<S, f32, D>) -> Tensor<J, f32, D> {
    Tensor::new(shape, t.raw().expand(shape.dims()))
}

/// `ct · b` and `ct / b` with `b` expanded to the joint shape.
#[track_caller]
fn times<J: Shape, R: Shape, D: Backend>(
    ct: &Tensor<J, f32, D>,
    b: &Tensor<R, f32, D>,
) -> Tensor<J, f32, D> {
    ct * &widen(ct.shape(), b)
}
#[track_caller]
fn over<J: Shape, R: Shape, D: Backend>(
    ct: &Tensor<J, f32, D>,
    b: &Tensor<R, f32, D>,
) -> Tensor<J, f32, D> {
    ct / &widen(ct.shape(), b)
}

macro_rules! rule {
    (
        $t:ident $Rule:ident:
        pull_l |$la:ident: $LA:ident, $lb:ident: $LB:ident, $lct:ident| $pull_l:expr;
        pull_r |$ra:ident: $RA:ident, $rb:ident: $RB:ident $(, $out:ident)?; $rct:ident| $pull_r:expr;
        push_l |$b:ident, $y:ident, $dt:ident| $push_l:expr;
        push_r |$a2:ident, $b2:ident, $y2:ident, $t2:ident| $push_r:expr;
    ) => {
        impl<S, R, D: Backend> $Rule<Tensor<R, $t, D>> for Tensor<S, $t, D>
        where
            S: Shape + Broadcast<R>,
            R: Shape,
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            type Out = Tensor<<S as Broadcast<R>>::Joint, $t, D>;
            #[track_caller]
            fn pull_l<A: Acc<Self>>($la: &rule!(@$LA Self), $lb: &rule!(@$LB Tensor<R, $t, D>), ct: &Ct<Self::Out>, d: &mut A) {
                if A::ON && let Some($lct) = ct.get() {
                    let (shape, ct) = $pull_l;
                    d.acc(summed(shape, ct).into());
                }
            }
            #[track_caller]
            fn pull_r<A: Acc<Tensor<R, $t, D>>>($ra: &rule!(@$RA Self), $rb: &rule!(@$RB Tensor<R, $t, D>) $(, $out: &Self::Out)?, ct: &Ct<Self::Out>, d: &mut A) {
                if A::ON && let Some($rct) = ct.get() {
                    let (shape, ct) = $pull_r;
                    d.acc(summed(shape, ct).into());
                }
            }
            #[track_caller]
            fn push_l(_: &Self, $b: &Tensor<R, $t, D>, y: &Self::Out, t: &Tensor<S, f32, D>) -> Tensor<<S as Broadcast<R>>::Joint, f32, D> {
                let ($y, $dt) = (y, widen(y.shape(), t));
                $push_l
            }
            #[track_caller]
            fn push_r($a2: &Self, $b2: &Tensor<R, $t, D>, y: &Self::Out, t: &Tensor<R, f32, D>) -> Tensor<<S as Broadcast<R>>::Joint, f32, D> {
                let ($y2, $t2) = (y, widen(y.shape(), t));
                $push_r
            }
        }
    };
    (@wit $T:ty) => { Wit<$T> };
    (@val $T:ty) => { $T };
}

macro_rules! rules {
    ($($t:ident)*) => { $(
        rule! { $t AddRule:
            pull_l |a: wit, _b: wit, ct| (a.0.0, ct.clone());
            pull_r |_a: wit, b: wit; ct| (b.0.0, ct.clone());
            push_l |_b, _y, t| t;
            push_r |_a, _b, _y, t| t;
        }
        rule! { $t SubRule:
            pull_l |a: wit, _b: wit, ct| (a.0.0, ct.clone());
            pull_r |_a: wit, b: wit; ct| (b.0.0, -ct);
            push_l |_b, _y, t| t;
            push_r |_a, _b, _y, t| -t;
        }
        rule! { $t MulRule:
            pull_l |a: wit, b: val, ct| (a.0.0, times(ct, &b.cast()));
            pull_r |a: val, b: wit; ct| (b.0.0, times(ct, &a.cast()));
            push_l |b, _y, t| times(&t, &b.cast());
            push_r |a, _b, _y, t| times(&t, &a.cast());
        }
        rule! { $t DivRule:
            pull_l |a: wit, b: val, ct| (a.0.0, over(ct, &b.cast()));
            pull_r |_a: wit, b: val, out; ct| (b.shape(), -over(&times(ct, &out.cast()), &b.cast()));
            push_l |b, _y, t| over(&t, &b.cast());
            push_r |_a, b, y, t| -over(&times(&t, &y.cast()), &b.cast());
        }

        impl<S: Shape, D: Backend> NegRule for Tensor<S, $t, D> {
            #[track_caller]
            fn pull<A: Acc<Self>>(_: &Wit<Self>, ct: &Ct<Self>, d: &mut A) {
                if A::ON && let Some(ct) = ct.get() {
                    d.acc(Some(-ct).into());
                }
            }
            #[track_caller]
            fn push(_: &Self, _: &Self, t: &Tensor<S, f32, D>) -> Tensor<S, f32, D> {
                -t
            }
        }
    )* };
}
rules!(bf16 f16);
