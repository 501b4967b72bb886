//! Activation functions of networks beside `relu gelu silu sigmoid tanh softplus`.
//!
//! Formulas, derivatives and the conventions at kinks stand in
//! [`kernel::activation`](crate::kernel::activation). Parameters are numbers, and have derivatives
//! too: with `m = min(x, 0)`, that of `leaky_relu` is `m`, of `elu` `e^m − 1`, and of `celu`
//! `e^(m/α)(1 − m/α) − 1`, times the cotangent and summed over the elements.

use super::unary::{others, pull, push};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{BinaryOp, CompareOp, Device, Float, ReduceOp, UnaryOp};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

others! {
    /// `x · tanh(softplus(x))`.
    mish __mish_vjp __mish_jvp Mish;
    /// `x · hardsigmoid(x)`: [`silu`](Tensor::silu) made of straight pieces.
    hardswish __hardswish_vjp __hardswish_jvp Hardswish;
    /// `(x + 3)/6`, cut off at 0 and 1.
    hardsigmoid __hardsigmoid_vjp __hardsigmoid_jvp Hardsigmoid;
    /// `x/(1 + |x|)`.
    softsign __softsign_vjp __softsign_jvp Softsign;
    /// `ln(sigmoid(x))`, accurate on both sides.
    log_sigmoid __log_sigmoid_vjp __log_sigmoid_jvp LogSigmoid;
    /// `λx` above 0, `λα(e^x − 1)` below, with the constants of self-normalising networks.
    selu __selu_vjp __selu_jvp Selu;
}

macro_rules! parametric {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $parameter:ident $Op:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
            $(#[$doc])*
            pub fn $name(&self, $parameter: T) -> Self {
                if $parameter.changes() {
                    let [value, ..] = below(UnaryOp::$Op(0.0), self.raw(), $parameter);
                    return Tensor::new(self.shape(), where_negative(self.raw(), &value, self.raw()));
                }
                self.apply(UnaryOp::$Op($parameter.to_f64()))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
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
                        d_parameter.acc(slope.reduce_all(ReduceOp::Sum).item());
                    }
                })
            }

            #[doc(hidden)]
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
fn sloped<T: Float, D: Device>(
    op: fn(f64) -> UnaryOp,
    x: &Raw<T, D>,
    p: T,
    t: Raw<T, D>,
) -> Raw<T, D> {
    if !p.changes() {
        return Raw::unary_pullback(op(p.to_f64()), x, t);
    }
    let [_, slope, _] = below(op(0.0), x, p);
    let all = Raw::full(x.device(), *x.dims(), T::ONE);
    Raw::binary(BinaryOp::Mul, where_negative(x, &slope, &all), t)
}

/// The derivative by the parameter.
fn by_parameter<T: Float, D: Device>(op: fn(f64) -> UnaryOp, x: &Raw<T, D>, p: T) -> Raw<T, D> {
    match op(p.to_f64()) {
        UnaryOp::Celu(p_number) if !p.changes() => x.clone().unary(UnaryOp::CeluByAlpha(p_number)),
        op => {
            let [_, _, by_parameter] = below(op, x, p);
            by_parameter
        }
    }
}

/// Of the entries below 0, with others taken for 0: the value, its derivative, and that by the parameter, which may
/// carry tangents.
fn below<T: Float, D: Device>(op: UnaryOp, x: &Raw<T, D>, p: T) -> [Raw<T, D>; 3] {
    let m = negative(x.clone());
    let times_p = |x: &Raw<T, D>| x.clone().binary_scalar(BinaryOp::Mul, p);
    let plus_one = |x: &Raw<T, D>| x.clone().binary_scalar(BinaryOp::Add, T::ONE);
    match op {
        UnaryOp::LeakyRelu(_) => [times_p(&m), Raw::full(x.device(), *x.dims(), p), m],
        UnaryOp::Elu(_) => {
            let e = m.unary(UnaryOp::Elu(1.0));
            [times_p(&e), times_p(&plus_one(&e)), e]
        }
        UnaryOp::Celu(_) => {
            let q = m.binary_scalar(BinaryOp::Div, p);
            let e = q.clone().unary(UnaryOp::Elu(1.0));
            let slope = plus_one(&e);
            let rest = Raw::binary(BinaryOp::Mul, q, slope.clone());
            [times_p(&e), slope, Raw::binary(BinaryOp::Sub, e, rest)]
        }
        _ => unreachable!("a function with a parameter"),
    }
}

/// `if x < 0 { below } else { above }`; a NaN is above.
fn where_negative<T: Float, D: Device>(
    x: &Raw<T, D>,
    below: &Raw<T, D>,
    above: &Raw<T, D>,
) -> Raw<T, D> {
    let mask = Raw::compare(CompareOp::Lt, x, &Raw::scalar(x.device(), T::ZERO));
    Raw::select(&mask, below, above)
}

/// The entries below 0, and 0 for the others; a NaN stays NaN.
fn negative<T: Float, D: Device>(x: Raw<T, D>) -> Raw<T, D> {
    x.unary(UnaryOp::Clamp(f64::NEG_INFINITY, 0.0))
}

parametric! {
    /// `x` above 0, `slope · x` below.
    leaky_relu __leaky_relu_vjp __leaky_relu_jvp slope LeakyRelu;
    /// `x` above 0, `alpha · (e^x − 1)` below.
    elu __elu_vjp __elu_jvp alpha Elu;
    /// `x` above 0, `alpha · (e^(x/alpha) − 1)` below: smooth for every `alpha`.
    celu __celu_vjp __celu_jvp alpha Celu;
}
