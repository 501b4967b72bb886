//! Functions of one real variable.
//!
//! A derivative is written once, as the linear map `t ↦ slope · t`; on a scalar it is its own
//! transpose, so that the same map is the pushforward and the pullback. Rules in terms of the
//! output `y` save the output for the reverse pass, the others the input `x`.

use super::{quotient, unless_zero};
use crate::ad::{Acc, Ct, Differentiable, Scalar};
use core::f64::consts::{LN_2, LN_10, PI};

// `save` names what the reverse pass keeps: the output or the input.
macro_rules! rule_trait {
    ($op:ident $Rule:ident $save:ident) => {
        #[doc = concat!("The rule of `", stringify!($op), "`.")]
        #[diagnostic::on_unimplemented(
            message = "this function of `{Self}` has no derivative rule",
            note = "a method of your own type that is named like one of floats (`exp`, `abs`, `max`) has a derivative where its `impl` block is annotated; methods of traits and `powi` need another name"
        )]
        pub trait $Rule: Differentiable {
            #[doc = concat!("Adds to the cotangent of the argument; needs the ", stringify!($save), ".")]
            fn pull<D: Acc<Self>>($save: &Self, ct: &Ct<Self>, d: &mut D);
            /// The tangent of the output.
            fn push(input: &Self, output: &Self, t: &Self::Tangent) -> Self::Tangent;
        }

        #[doc = concat!("Derivatives of `", stringify!($op), "`.")]
        pub mod $op {
            use super::*;

            #[doc = concat!("Adds to the cotangent of the argument; needs the ", stringify!($save), ".")]
            #[inline(always)]
            pub fn pull<A: $Rule, D: Acc<A>>($save: &A, ct: &Ct<A>, d: &mut D) {
                A::pull($save, ct, d)
            }
            /// The tangent of the output.
            #[inline(always)]
            pub fn push<A: $Rule>(input: &A, output: &A, t: &A::Tangent) -> A::Tangent {
                A::push(input, output, t)
            }
        }
    };
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
    ($save:ident: $($op:ident $Rule:ident |$t:ident, $v:ident| $map:expr;)*) => {$(
        rule_trait!($op $Rule $save);

        impl<T: Scalar> $Rule for T {
            #[inline(always)]
            fn pull<D: Acc<T>>($save: &T, ct: &T, d: &mut D) {
                let ($t, $v) = (*ct, *$save);
                d.acc($map)
            }
            #[inline(always)]
            fn push(_x: &T, _y: &T, t: &T) -> T {
                let ($t, $v) = (*t, *saved!($save _x _y));
                $map
            }
        }
    )*};
}

unary! { output:
    exp    ExpRule   |t, y| t.unless_zero_at(y, t * y);
    exp2   Exp2Rule  |t, y| unless_zero(t, t * (y * T::lit(LN_2)));
    exp_m1 ExpM1Rule |t, y| unless_zero(t, t * (y + T::ONE));
    // The quotient does not wait for the cotangent.
    sqrt   SqrtRule  |t, y| { let slope = T::lit(0.5) / y; t.unless_zero_at(slope, t * slope) };
    cbrt   CbrtRule  |t, y| quotient(t, T::lit(3.0) * y * y);
    recip  RecipRule |t, y| t.unless_zero_at(y, -(t * y * y));
    tan    TanRule   |t, y| t * (T::ONE + y * y);
    tanh   TanhRule  |t, y| t * (T::ONE - y * y);
}

unary! { input:
    ln    LnRule    |t, x| quotient(t, x);
    log2  Log2Rule  |t, x| quotient(t, x * T::lit(LN_2));
    log10 Log10Rule |t, x| quotient(t, x * T::lit(LN_10));
    ln_1p Ln1pRule  |t, x| quotient(t, T::ONE + x);
    sin   SinRule   |t, x| t * x.cos();
    cos   CosRule   |t, x| t * -x.sin();
    sinh  SinhRule  |t, x| unless_zero(t, t * x.cosh());
    cosh  CoshRule  |t, x| unless_zero(t, t * x.sinh());
    // `(1 - x)(1 + x)` and not `1 - x²`: no cancellation near ±1, where the slope is large.
    asin  AsinRule  |t, x| quotient(t, ((T::ONE - x) * (T::ONE + x)).sqrt());
    acos  AcosRule  |t, x| unless_zero(t, -t / ((T::ONE - x) * (T::ONE + x)).sqrt());
    atan  AtanRule  |t, x| t / (T::ONE + x * x);
    // `hypot`: `x²` overflows long before the slope vanishes.
    asinh AsinhRule |t, x| t / x.hypot(T::ONE);
    acosh AcoshRule |t, x| quotient(t, (x - T::ONE).sqrt() * (x + T::ONE).sqrt());
    atanh AtanhRule |t, x| quotient(t, (T::ONE - x) * (T::ONE + x));
    abs   AbsRule   |t, x| t * sign(x);
    fract FractRule |t, _x| t;
    next_up   NextUpRule   |t, _x| t;
    next_down NextDownRule |t, _x| t;
    to_degrees ToDegreesRule |t, _x| t * T::lit(180.0 / PI);
    to_radians ToRadiansRule |t, _x| t * T::lit(PI / 180.0);
}

// Activations: methods of tensors only.
rule_trait!(sigmoid SigmoidRule output);
rule_trait!(relu ReluRule output);
rule_trait!(gelu GeluRule input);
rule_trait!(silu SiluRule input);
rule_trait!(softplus SoftplusRule input);

/// -1, 0 or 1, and NaN for NaN; `f64::signum` would give 1 at 0.
#[inline(always)]
fn sign<T: Scalar>(x: T) -> T {
    if x > T::ZERO {
        T::ONE
    } else if x < T::ZERO {
        -T::ONE
    } else {
        // Zero or NaN, without the tangents.
        T::lit(x.to_f64())
    }
}
