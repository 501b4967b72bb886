//! Activation functions of networks beside `relu gelu silu sigmoid tanh softplus`.
//!
//! Formulas, derivatives and the conventions at kinks stand in
//! [`kernel::activation`](crate::kernel::activation). Parameters are numbers, and have derivatives
//! too: with `m = min(x, 0)`, that of `leaky_relu` is `m`, of `elu` `e^m − 1`, and of `celu`
//! `e^(m/α)(1 − m/α) − 1`, times the cotangent and summed over the elements.

use super::unary::{others, pull, push};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{BinaryOp, Device, Float, ReduceOp, UnaryOp};
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
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $parameter:ident $Op:ident |$x:ident, $p:ident| $slope:expr;)*) => { $(
        impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
            $(#[$doc])*
            pub fn $name(&self, $parameter: T) -> Self {
                self.apply(UnaryOp::$Op($parameter.to_f64()))
            }
        }
        parametric!(@rule f32 $name $vjp $jvp $parameter $Op |$x, $p| $slope);
        parametric!(@rule f64 $name $vjp $jvp $parameter $Op |$x, $p| $slope);
    )* };
    // A scalar argument is concrete: its cotangent type must be known to be the scalar itself.
    (@rule $t:ident $name:ident $vjp:ident $jvp:ident $parameter:ident $Op:ident |$x:ident, $p:ident| $slope:expr) => {
        impl<S: Shape, D: Device> Tensor<S, $t, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            pub fn $vjp<M0: Mode, M1: Mode>(
                &self,
                _: (M0, M1),
                $parameter: $t,
            ) -> (
                Self,
                impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M0>, &mut Adj<$t, M1>) + Clone + use<M0, M1, S, D>,
            ) {
                (self.$name($parameter), move |ct, x, d, d_parameter| {
                    pull(UnaryOp::$Op(f64::from($parameter)), x, &ct, d);
                    if M1::ON && let Some(ct) = ct.raw() {
                        let ($x, $p) = (x.raw().clone(), f64::from($parameter));
                        let slope = Raw::binary(BinaryOp::Mul, $slope, ct.clone());
                        d_parameter.acc(slope.reduce_all(ReduceOp::Sum).item());
                    }
                })
            }

            #[doc(hidden)]
            pub fn $jvp(&self, t: &Self, $parameter: $t, t_parameter: $t) -> (Self, Self) {
                let ($x, $p) = (self.raw().clone(), f64::from($parameter));
                let mut tangent = push(UnaryOp::$Op($p), self, t);
                if t_parameter != 0.0 {
                    tangent.raw_mut().add_scaled(t_parameter, &$slope);
                }
                (self.$name($parameter), tangent)
            }
        }
    };
}

/// The entries below 0, and 0 for the others; a NaN stays NaN.
fn negative<T: Float, D: Device>(x: Raw<T, D>) -> Raw<T, D> {
    x.unary(UnaryOp::Clamp(f64::NEG_INFINITY, 0.0))
}

parametric! {
    /// `x` above 0, `slope · x` below.
    leaky_relu __leaky_relu_vjp __leaky_relu_jvp slope LeakyRelu |x, _p| negative(x);
    /// `x` above 0, `alpha · (e^x − 1)` below.
    elu __elu_vjp __elu_jvp alpha Elu |x, _p| negative(x).unary(UnaryOp::Elu(1.0));
    /// `x` above 0, `alpha · (e^(x/alpha) − 1)` below: smooth for every `alpha`.
    celu __celu_vjp __celu_jvp alpha Celu |x, p| x.unary(UnaryOp::CeluByAlpha(p));
}
