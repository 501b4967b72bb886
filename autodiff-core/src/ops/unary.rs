//! Functions of one real variable, applied to every element.
//!
//! Derivatives are diagonal: pullback and pushforward are one kernel, `t ⊙ op′`, which takes `op′`
//! from the output for the first table and from the input for the second.

use crate::ad::{
    AbsRule, Acc, AcosRule, AcoshRule, Adj, AsinRule, AsinhRule, AtanRule, AtanhRule, CbrtRule,
    CosRule, CoshRule, Ct, Exp2Rule, ExpM1Rule, ExpRule, FractRule, GeluRule, Ln1pRule, LnRule,
    Log2Rule, Log10Rule, Mode, NegRule, RecipRule, ReluRule, SigmoidRule, SiluRule, SinCosRule,
    SinRule, SinhRule, SoftplusRule, SqrtRule, TanRule, TanhRule, ToDegreesRule, ToRadiansRule,
    Wit,
};
use crate::device::{BinaryOp, Device, Float, UnaryOp};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
    pub(super) fn apply(&self, op: UnaryOp) -> Self {
        Tensor::new(self.shape(), self.raw().clone().unary(op))
    }
}

/// Adds `ct ⊙ op′` to an accumulator.
pub(super) fn pull<S: Shape, T: Float, D: Device, A: Acc<Tensor<S, T, D>>>(
    op: UnaryOp,
    saved: &Tensor<S, T, D>,
    ct: &Ct<Tensor<S, T, D>>,
    d: &mut A,
) {
    if A::ON
        && let Some(ct) = ct.raw()
    {
        d.acc(
            Tensor::new(
                saved.shape(),
                Raw::unary_pullback(op, saved.raw(), ct.clone()),
            )
            .into(),
        );
    }
}

/// `t ⊙ op′`.
pub(super) fn push<S: Shape, T: Float, D: Device>(
    op: UnaryOp,
    saved: &Tensor<S, T, D>,
    t: &Tensor<S, T, D>,
) -> Tensor<S, T, D> {
    Tensor::new(
        saved.shape(),
        Raw::unary_pullback(op, saved.raw(), t.raw().clone()),
    )
}

macro_rules! saved {
    (input $x:ident $y:ident) => {
        $x
    };
    (output $x:ident $y:ident) => {
        $y
    };
}

macro_rules! unary {
    ($save:ident: $($(#[$doc:meta])* $name:ident $Op:ident $Rule:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
            $(#[$doc])*
            pub fn $name(&self) -> Self {
                self.apply(UnaryOp::$Op)
            }
        }
        impl<S: Shape, T: Float, D: Device> $Rule for Tensor<S, T, D> {
            fn pull<A: Acc<Self>>(saved: &Self, ct: &Ct<Self>, d: &mut A) {
                pull(UnaryOp::$Op, saved, ct, d)
            }
            fn push(_x: &Self, _y: &Self, t: &Self) -> Self {
                push(UnaryOp::$Op, saved!($save _x _y), t)
            }
        }
    )* };
}

unary! { output:
    /// `e^x`.
    exp Exp ExpRule;
    /// `2^x`.
    exp2 Exp2 Exp2Rule;
    /// `e^x − 1`, accurate near 0.
    #[doc(alias = "expm1")]
    exp_m1 ExpM1 ExpM1Rule;
    /// The square root.
    sqrt Sqrt SqrtRule;
    /// The cube root.
    cbrt Cbrt CbrtRule;
    /// The tangent.
    tan Tan TanRule;
    /// The hyperbolic tangent.
    tanh Tanh TanhRule;
    /// `1/x`.
    #[doc(alias = "reciprocal")]
    recip Recip RecipRule;
    /// `1/(1 + e^−x)`.
    sigmoid Sigmoid SigmoidRule;
    /// `x` where it is positive, else 0.
    relu Relu ReluRule;
}

unary! { input:
    /// The natural logarithm.
    ln Ln LnRule;
    /// The logarithm to base 2.
    log2 Log2 Log2Rule;
    /// The logarithm to base 10.
    log10 Log10 Log10Rule;
    /// `ln(1 + x)`, accurate near 0.
    #[doc(alias = "log1p")]
    ln_1p Ln1p Ln1pRule;
    /// The sine.
    sin Sin SinRule;
    /// The cosine.
    cos Cos CosRule;
    /// The hyperbolic sine.
    sinh Sinh SinhRule;
    /// The hyperbolic cosine.
    cosh Cosh CoshRule;
    /// The inverse sine.
    asin Asin AsinRule;
    /// The inverse cosine.
    acos Acos AcosRule;
    /// The inverse tangent.
    atan Atan AtanRule;
    /// The inverse hyperbolic sine.
    asinh Asinh AsinhRule;
    /// The inverse hyperbolic cosine.
    acosh Acosh AcoshRule;
    /// The inverse hyperbolic tangent.
    atanh Atanh AtanhRule;
    /// The absolute value.
    abs Abs AbsRule;
    /// The part after the decimal point.
    fract Fract FractRule;
    /// `x · Φ(x)` with the normal distribution function `Φ`.
    gelu Gelu GeluRule;
    /// `x · sigmoid(x)`.
    silu Silu SiluRule;
    /// `ln(1 + e^x)`.
    softplus Softplus SoftplusRule;
}

/// Functions that `f64` does not have, or whose derivative is zero.
macro_rules! others {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $Op:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
            $(#[$doc])*
            pub fn $name(&self) -> Self {
                self.apply(UnaryOp::$Op)
            }

            #[doc(hidden)]
            pub fn $vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> (Self, impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D>) {
                (self.$name(), |ct, x, d| pull(UnaryOp::$Op, x, &ct, d))
            }

            #[doc(hidden)]
            pub fn $jvp(&self, t: &Self) -> (Self, Self) {
                (self.$name(), push(UnaryOp::$Op, self, t))
            }
        }
    )* };
}

pub(super) use others;

others! {
    /// `x²`.
    square __square_vjp __square_jvp Square;
    /// The approximation of [`gelu`](Tensor::gelu) by the hyperbolic tangent.
    gelu_tanh __gelu_tanh_vjp __gelu_tanh_jvp GeluTanh;
    /// The largest integer not above; derivative 0.
    floor __floor_vjp __floor_jvp Floor;
    /// The smallest integer not below; derivative 0.
    ceil __ceil_vjp __ceil_jvp Ceil;
    /// The nearest integer, halves away from 0; derivative 0.
    round __round_vjp __round_jvp Round;
    /// The integer part; derivative 0.
    trunc __trunc_vjp __trunc_jvp Trunc;
    /// −1 or 1, by the sign, also of a zero; derivative 0. See [`sign`](Tensor::sign).
    signum __signum_vjp __signum_jvp Signum;
    /// −1 below 0, 1 above, and 0 at 0; derivative 0.
    sign __sign_vjp __sign_jvp Sign;
}

/// Functions whose derivative comes from the output, and that `f64` does not have.
macro_rules! from_output {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $Op:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
            $(#[$doc])*
            pub fn $name(&self) -> Self {
                self.apply(UnaryOp::$Op)
            }

            #[doc(hidden)]
            pub fn $vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> (Self, impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D>) {
                let out = self.$name();
                let saved = M::ON.then(|| out.clone());
                (out, move |ct, _, d| {
                    if let Some(saved) = &saved {
                        pull(UnaryOp::$Op, saved, &ct, d)
                    }
                })
            }

            #[doc(hidden)]
            pub fn $jvp(&self, t: &Self) -> (Self, Self) {
                let out = self.$name();
                let tangent = push(UnaryOp::$Op, &out, t);
                (out, tangent)
            }
        }
    )* };
}

from_output! {
    /// `1/√x`.
    rsqrt __rsqrt_vjp __rsqrt_jvp Rsqrt;
}

/// Multiplication by a constant.
macro_rules! scale {
    ($($(#[$doc:meta])* $name:ident $Rule:ident $factor:expr;)*) => { $(
        impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
            $(#[$doc])*
            pub fn $name(&self) -> Self {
                self * T::lit($factor)
            }
        }
        impl<S: Shape, T: Float, D: Device> $Rule for Tensor<S, T, D> {
            fn pull<A: Acc<Self>>(x: &Self, ct: &Ct<Self>, d: &mut A) {
                if A::ON && let Some(ct) = ct.raw() {
                    let ct = ct.clone().binary_scalar(BinaryOp::Mul, T::lit($factor));
                    d.acc(Tensor::new(x.shape(), ct).into());
                }
            }
            fn push(_: &Self, _: &Self, t: &Self) -> Self {
                t.$name()
            }
        }
    )* };
}

scale! {
    /// Radians to degrees.
    to_degrees ToDegreesRule 180.0 / core::f64::consts::PI;
    /// Degrees to radians.
    to_radians ToRadiansRule core::f64::consts::PI / 180.0;
}

impl<S: Shape, T: Float, D: Device> SinCosRule for Tensor<S, T, D> {
    fn pull_sin<A: Acc<Self>>(cos: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            let ct = Raw::binary(BinaryOp::Mul, ct.clone(), cos.raw().clone());
            d.acc(Tensor::new(cos.shape(), ct).into());
        }
    }
    fn pull_cos<A: Acc<Self>>(sin: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            let ct = Raw::binary(BinaryOp::Mul, ct.clone(), sin.raw().clone());
            d.acc(Tensor::new(sin.shape(), ct.unary(UnaryOp::Neg)).into());
        }
    }
}

impl<S: Shape, T: Float, D: Device> NegRule for Tensor<S, T, D> {
    fn pull<A: Acc<Self>>(a: &Wit<Self>, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(Tensor::new(a.0.0, ct.clone().unary(UnaryOp::Neg)).into());
        }
    }
    fn push(_: &Self, _: &Self, t: &Self) -> Self {
        -t
    }
}
