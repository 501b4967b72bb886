//! Losses of two tensors of one shape: `l1_loss`, `huber_loss`, `smooth_l1_loss`, `bce_with_logits`, `bce_loss`, `kl_div`.
//!
//! Means over all elements (`kl_div`: over the rows) of, with `e = x − t` and `c` = `e` cut off at ±δ,
//!
//! | loss | of an element | by `x` | by `t` |
//! |---|---|---|---|
//! | `l1_loss` | `abs e` | the sign of `e`, 0 at 0 | its negative |
//! | `huber_loss(δ)` (Huber 1964) | `c·(e − c/2)` | `c` | `−c` |
//! | `smooth_l1_loss(β)` | that with `δ = β`, divided by `β` | `c/β` | `−c/β` |
//! | `bce_with_logits` | `softplus(x) − x·t` | `sigmoid(x) − t` | `−x` |
//! | `bce_loss` | `−t·ln x − (1 − t)·ln(1 − x)`, logarithms at least −100 | `(x − t)/max(x(1 − x), 1e−12)` | `ln(1 − x) − ln x` |
//! | `kl_div` | `t·(ln t − x)`, 0 for `t = 0` | `−t` | `ln t + 1 − x`, 0 for `t = 0` |
//!
//! Both derivatives are computed anew by the pullback: keeping them would keep two tensors of the size of `x` alive.

use crate::ad::{Acc, Adj, Ct, Inactive, Mode};
use crate::device::{Backend, BinaryOp, CompareOp, Float, ReduceOp, UnaryOp};
use crate::ops::{OrPanic, scaled};
use crate::shape::{Shape, check_same};
use crate::tensor::{Raw, Tensor};

#[track_caller]
fn less<T: Float, D: Backend>(x: &Raw<T, D>, t: &Raw<T, D>) -> Raw<T, D> {
    Raw::binary_ref(BinaryOp::Sub, x, t)
}

#[track_caller]
fn times<T: Float, D: Backend>(a: Raw<T, D>, b: Raw<T, D>) -> Raw<T, D> {
    Raw::binary(BinaryOp::Mul, a, b)
}

/// The error cut off at ±δ.
#[track_caller]
fn cut<T: Float, D: Backend>(x: &Raw<T, D>, t: &Raw<T, D>, delta: f64) -> Raw<T, D> {
    less(x, t).unary(UnaryOp::Clamp(-delta, delta))
}

#[track_caller]
fn huber<T: Float, D: Backend>(x: &Raw<T, D>, t: &Raw<T, D>, delta: f64) -> Raw<T, D> {
    let c = cut(x, t, delta);
    let rest = less(&less(x, t), &scaled(c.clone(), 0.5));
    times(c, rest)
}

#[track_caller]
fn positive(name: &str, parameter: &str, value: f64) {
    assert!(
        value > 0.0 && value.is_finite(),
        "{name}: `{parameter}` is {value}, expected a number above 0"
    );
}

/// `ln t`, or 0 where `t` is 0: what it is multiplied by is 0 there.
#[track_caller]
fn log<T: Float, D: Backend>(t: &Raw<T, D>) -> Raw<T, D> {
    let zero = Raw::scalar(t.device(), T::ZERO);
    let some = Raw::compare(CompareOp::Ne, t, &zero);
    t.clone().unary(UnaryOp::Ln).keep_where(&some, T::ZERO)
}

#[track_caller]
fn all<T: Float, D: Backend>(x: &Raw<T, D>) -> usize {
    x.numel()
}

/// Rows along the last axis.
#[track_caller]
fn rows<T: Float, D: Backend>(x: &Raw<T, D>) -> usize {
    let rank = x.dims().rank();
    x.dims()[..rank.saturating_sub(1)].iter().product()
}

macro_rules! losses {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident ($($p:ident: $MP:ident)?) over $count:ident |$x:ident, $t:ident|
        $value:expr; by x $by_x:expr; by t $by_t:expr;
    )*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            ///
            /// # Panics
            /// If run-time dimensions differ.
            #[track_caller]
            pub fn $name(&self, target: &Self $(, $p: f64)?) -> Tensor<(), T, D> {
                check_same(self.shape(), target.shape()).or_panic(stringify!($name));
                $(positive(stringify!($name), stringify!($p), $p);)?
                let ($x, $t) = (self.raw(), target.raw());
                let sum = $value.reduce_all(ReduceOp::Sum);
                Tensor::new((), scaled(sum, 1.0 / $count(self.raw()) as f64))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode $(, $MP: Inactive)?>(
                &self,
                _: (M0, M1 $(, $MP)?),
                target: &Self
                $(, $p: f64)?
            ) -> (
                Tensor<(), T, D>,
                impl FnOnce(
                    Ct<Tensor<(), T, D>>,
                    &Self,
                    &Self,
                    &mut Adj<Self, M0>,
                    &mut Adj<Self, M1>
                    $(, &mut Adj<f64, $MP>)?
                ) + Clone
                + use<M0, M1 $(, $MP)?, S, T, D>,
            ) {
                (self.$name(target $(, $p)?), move |ct, x, target, d_x, d_t $(, _: &mut Adj<f64, $MP>)?| {
                    let Some(ct) = ct.raw() else { return };
                    let share = scaled(ct.clone(), 1.0 / $count(x.raw()) as f64);
                    let ($x, $t) = (x.raw(), target.raw());
                    if M0::ON {
                        d_x.acc(Tensor::new(x.shape(), times($by_x, share.clone())).into());
                    }
                    if M1::ON {
                        d_t.acc(Tensor::new(x.shape(), times($by_t, share)).into());
                    }
                })
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp(
                &self,
                tangent: &Self,
                target: &Self,
                t_target: &Self
                $(, $p: f64, _: losses!(@sized $MP))?
            ) -> (Tensor<(), T, D>, Tensor<(), T, D>) {
                let ($x, $t) = (self.raw(), target.raw());
                let mut sum = times($by_x, tangent.raw().clone());
                sum.add_assign(&times($by_t, t_target.raw().clone()));
                let sum = scaled(sum.reduce_all(ReduceOp::Sum), 1.0 / $count(self.raw()) as f64);
                (self.$name(target $(, $p)?), Tensor::new((), sum))
            }
        }
    )* };
    (@sized $M:ident) => { impl Sized };
}

losses! {
    /// The mean of `|self − target|` over all elements.
    l1_loss __l1_loss_vjp __l1_loss_jvp () over all |x, t|
    less(x, t).unary(UnaryOp::Abs);
    by x less(x, t).unary(UnaryOp::Sign);
    by t less(t, x).unary(UnaryOp::Sign);

    /// The mean of the squares of errors up to `delta`, halved, and of `delta·(|e| − delta/2)` of larger ones:
    /// `x.huber_loss(&target, 1.0)`.
    huber_loss __huber_loss_vjp __huber_loss_jvp (delta: M2) over all |x, t|
    huber(x, t, delta);
    by x cut(x, t, delta);
    by t cut(t, x, delta);

    /// [`huber_loss`](Tensor::huber_loss) divided by its parameter, so that the slope for large errors is 1.
    smooth_l1_loss __smooth_l1_loss_vjp __smooth_l1_loss_jvp (beta: M2) over all |x, t|
    scaled(huber(x, t, beta), 1.0 / beta);
    by x scaled(cut(x, t, beta), 1.0 / beta);
    by t scaled(cut(t, x, beta), 1.0 / beta);

    /// The mean of the binary cross entropies of probabilities `sigmoid(self)` and targets between 0 and 1, without
    /// overflow: `logits.bce_with_logits(&targets)`.
    bce_with_logits __bce_with_logits_vjp __bce_with_logits_jvp () over all |x, t|
    less(&x.clone().unary(UnaryOp::Softplus), &Raw::binary_ref(BinaryOp::Mul, x, t));
    by x less(&x.clone().unary(UnaryOp::Sigmoid), t);
    by t scaled(x.clone(), -1.0);

    /// The mean of the binary cross entropies of probabilities `self` and targets between 0 and 1: `p.bce_loss(&targets)`.
    /// Logarithms below −100 count as −100, and the derivative by `self` is divided by 1e−12 at least, so that both are finite at
    /// 0 and 1, as by PyTorch. A number outside [0, 1] is no probability: the loss is NaN.
    /// [`bce_with_logits`](Tensor::bce_with_logits) is more exact.
    bce_loss __bce_loss_vjp __bce_loss_jvp () over all |x, t|
    bce(x, t);
    by x bce_slope(x, t);
    by t less(&log_of_rest(x), &bounded(x.clone().unary(UnaryOp::Ln)));

    /// The Kullback–Leibler divergence of `target` from `exp(self)`, probabilities of classes along the last axis: the
    /// mean over the rows of `Σ t·(ln t − x)`. `self` holds logarithms: `logits.log_softmax::<-1>().kl_div(&p)`.
    kl_div __kl_div_vjp __kl_div_jvp () over rows |x, t|
    times(t.clone(), less(&log(t), x));
    by x scaled(t.clone(), -1.0);
    by t slope(x, t);
}

/// `ln t + 1 − x`, or 0 where `t` is 0.
#[track_caller]
fn slope<T: Float, D: Backend>(x: &Raw<T, D>, t: &Raw<T, D>) -> Raw<T, D> {
    let zero = Raw::scalar(t.device(), T::ZERO);
    let some = Raw::compare(CompareOp::Ne, t, &zero);
    let slope = less(&log(t), x).binary_scalar(BinaryOp::Add, T::ONE);
    slope.keep_where(&some, T::ZERO)
}

/// A logarithm, at least −100; NaN stays.
#[track_caller]
fn bounded<T: Float, D: Backend>(log: Raw<T, D>) -> Raw<T, D> {
    log.unary(UnaryOp::Clamp(-100.0, f64::INFINITY))
}

/// `ln(1 − x)`, at least −100.
#[track_caller]
fn log_of_rest<T: Float, D: Backend>(x: &Raw<T, D>) -> Raw<T, D> {
    bounded(scaled(x.clone(), -1.0).unary(UnaryOp::Ln1p))
}

#[track_caller]
fn bce<T: Float, D: Backend>(x: &Raw<T, D>, t: &Raw<T, D>) -> Raw<T, D> {
    let (log, rest) = (bounded(x.clone().unary(UnaryOp::Ln)), log_of_rest(x));
    // (t − 1)·ln(1 − x) − t·ln x
    let from_rest = times(t.clone().binary_scalar(BinaryOp::Sub, T::ONE), rest);
    less(&from_rest, &times(t.clone(), log))
}

#[track_caller]
fn bce_slope<T: Float, D: Backend>(x: &Raw<T, D>, t: &Raw<T, D>) -> Raw<T, D> {
    let rest = Raw::scalar_binary(BinaryOp::Sub, T::ONE, x.clone());
    let both = times(rest, x.clone()).unary(UnaryOp::Clamp(1e-12, f64::INFINITY));
    Raw::binary(BinaryOp::Div, less(x, t), both)
}
