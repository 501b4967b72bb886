//! Activation functions of networks beside `relu gelu silu sigmoid tanh softplus`.
//!
//! Formulas, derivatives and the conventions at kinks stand in
//! [`kernel::activation`](crate::kernel::activation). Parameters are numbers, and have derivatives
//! too: with `m = min(x, 0)`, that of `leaky_relu` is `m`, of `elu` `e^m − 1`, and of `celu`
//! `e^(m/α)(1 − m/α) − 1`, times the cotangent and summed over the elements.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, BinaryOp, CompareOp, Float, UnaryOp};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

macro_rules! parametric {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $parameter:ident $Op:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, $parameter: T) -> Self {
                if $parameter.changes() {
                    let below = value_below(UnaryOp::$Op(0.0), self.raw(), $parameter);
                    return Tensor::new(self.shape(), where_positive(self.raw(), self.raw(), &below));
                }
                self.apply(UnaryOp::$Op($parameter.to_f64()))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode>(
                &self,
                _: (M0, M1),
                $parameter: T,
            ) -> (
                Self,
                impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M0>, &mut Adj<T, M1>) + Clone + use<M0, M1, S, T, D>,
            ) {
                (self.$name($parameter), move |ct, x, d, d_parameter| {
                    let Some(ct) = ct.raw() else { return };
                    if M0::ON {
                        d.acc(Tensor::new(x.shape(), sloped(UnaryOp::$Op, x.raw(), $parameter, ct.clone())).into());
                    }
                    if M1::ON {
                        let slope = by_parameter(UnaryOp::$Op, x.raw(), $parameter);
                        let slope = Raw::binary(BinaryOp::Mul, slope, ct.clone());
                        d_parameter.acc(slope.cotangent_of_number());
                    }
                })
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp(&self, t: &Self, $parameter: T, t_parameter: T) -> (Self, Self) {
                let mut tangent = sloped(UnaryOp::$Op, self.raw(), $parameter, t.raw().clone());
                if t_parameter != T::ZERO || t_parameter.changes() {
                    tangent.add_scaled(t_parameter, &by_parameter(UnaryOp::$Op, self.raw(), $parameter));
                }
                (self.$name($parameter), Tensor::new(self.shape(), tangent))
            }
        }
    )* };
}

/// `t` times the derivative by the elements.
#[track_caller]
fn sloped<T: Float, D: Backend>(
    op: fn(f64) -> UnaryOp,
    x: &Raw<T, D>,
    p: T,
    t: Raw<T, D>,
) -> Raw<T, D> {
    if !p.changes() {
        return Raw::unary_pullback(op(p.to_f64()), x, t);
    }
    let below = slope_below(op(0.0), x, p);
    let all = Raw::full(x.device(), *x.dims(), T::ONE);
    Raw::binary(BinaryOp::Mul, where_positive(x, &all, &below), t)
}

/// The derivative by the parameter.
#[track_caller]
fn by_parameter<T: Float, D: Backend>(op: fn(f64) -> UnaryOp, x: &Raw<T, D>, p: T) -> Raw<T, D> {
    match op(p.to_f64()) {
        UnaryOp::Celu(alpha) if !p.changes() => x.clone().unary(UnaryOp::CeluByAlpha(alpha)),
        UnaryOp::Celu(_) => {
            let q = negative(x).binary_scalar(BinaryOp::Div, p);
            let e = exp_m1(q.clone());
            let rest = Raw::binary(BinaryOp::Mul, q, plus_one(e.clone()));
            Raw::binary(BinaryOp::Sub, e, rest)
        }
        UnaryOp::Elu(_) => exp_m1(negative(x)),
        _ => negative(x),
    }
}

/// The value where the entry is not above 0, by a parameter that carries tangents; of others anything.
#[track_caller]
fn value_below<T: Float, D: Backend>(op: UnaryOp, x: &Raw<T, D>, p: T) -> Raw<T, D> {
    let m = negative(x);
    let of_one = match op {
        UnaryOp::Elu(_) => exp_m1(m),
        UnaryOp::Celu(_) => exp_m1(m.binary_scalar(BinaryOp::Div, p)),
        _ => m,
    };
    of_one.binary_scalar(BinaryOp::Mul, p)
}

/// The derivative of [`value_below`] by the entry.
#[track_caller]
fn slope_below<T: Float, D: Backend>(op: UnaryOp, x: &Raw<T, D>, p: T) -> Raw<T, D> {
    match op {
        UnaryOp::Elu(_) => plus_one(exp_m1(negative(x))).binary_scalar(BinaryOp::Mul, p),
        UnaryOp::Celu(_) => plus_one(exp_m1(negative(x).binary_scalar(BinaryOp::Div, p))),
        _ => Raw::full(x.device(), *x.dims(), p),
    }
}

#[track_caller]
fn exp_m1<T: Float, D: Backend>(x: Raw<T, D>) -> Raw<T, D> {
    x.unary(UnaryOp::ExpM1)
}

#[track_caller]
fn plus_one<T: Float, D: Backend>(x: Raw<T, D>) -> Raw<T, D> {
    x.binary_scalar(BinaryOp::Add, T::ONE)
}

/// `if x > 0 { above } else { below }`: at 0 the negative side counts.
#[track_caller]
fn where_positive<T: Float, D: Backend>(
    x: &Raw<T, D>,
    above: &Raw<T, D>,
    below: &Raw<T, D>,
) -> Raw<T, D> {
    let mask = Raw::compare(CompareOp::Gt, x, &Raw::scalar(x.device(), T::ZERO));
    Raw::select(&mask, above, below)
}

/// The entries below 0, and 0 for the others; a NaN stays NaN.
#[track_caller]
fn negative<T: Float, D: Backend>(x: &Raw<T, D>) -> Raw<T, D> {
    x.clone().unary(UnaryOp::Clamp(f64::NEG_INFINITY, 0.0))
}

parametric! {
    /// `x` above 0, `slope · x` below.
    leaky_relu __leaky_relu_vjp __leaky_relu_jvp slope LeakyRelu;
    /// `x` above 0, `alpha · (e^x − 1)` below.
    elu __elu_vjp __elu_jvp alpha Elu;
    /// `x` above 0, `alpha · (e^(x/alpha) − 1)` below: smooth for every `alpha`.
    celu __celu_vjp __celu_jvp alpha Celu;
}
