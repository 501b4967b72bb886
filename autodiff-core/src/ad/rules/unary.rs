//! Functions of one real variable.
//!
//! A derivative is the linear map of [`formulas`](super::formulas); on a scalar it is its own
//! transpose, so that the same map is the pushforward and the pullback. Rules in terms of the
//! output `y` save the output for the reverse pass, the others the input `x`.

use super::formulas::of_scalars as formulas;
use crate::ad::{Acc, Ct, Differentiable, Scalar};
use core::f64::consts::PI;

// `save` names what the reverse pass keeps: the output or the input.
macro_rules! rule_trait {
    ($op:ident $Rule:ident $save:ident) => {
        #[doc = concat!("The rule of `", stringify!($op), "`.")]
        #[diagnostic::on_unimplemented(
            message = "this function of `{Self}` has no derivative rule",
            note = "a method of your own type that is named like one of floats (`exp`, `abs`, `max`) is taken for that: give it another name"
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
    ($save:ident: $($op:ident $Rule:ident $(|$t:ident, $v:ident| $map:expr)?;)*) => {$(
        rule_trait!($op $Rule $save);

        impl<T: Scalar> $Rule for T {
            #[inline(always)]
            fn pull<D: Acc<T>>($save: &T, ct: &T, d: &mut D) {
                d.acc(unary!(@map $op (*ct, *$save) $(|$t, $v| $map)?))
            }
            #[inline(always)]
            fn push(_x: &T, _y: &T, t: &T) -> T {
                unary!(@map $op (*t, *saved!($save _x _y)) $(|$t, $v| $map)?)
            }
        }
    )*};
    (@map $op:ident ($ct:expr, $saved:expr)) => {
        formulas::$op($ct, $saved)
    };
    // What tensors compute otherwise.
    (@map $op:ident ($ct:expr, $saved:expr) |$t:ident, $v:ident| $map:expr) => {{
        let ($t, $v) = ($ct, $saved);
        $map
    }};
}

unary! { output:
    exp    ExpRule;
    exp2   Exp2Rule;
    exp_m1 ExpM1Rule;
    sqrt   SqrtRule;
    cbrt   CbrtRule;
    recip  RecipRule;
    tan    TanRule;
    tanh   TanhRule;
}

unary! { input:
    ln    LnRule;
    log2  Log2Rule;
    log10 Log10Rule;
    ln_1p Ln1pRule;
    sin   SinRule |t, x| t * x.cos();
    cos   CosRule |t, x| t * -x.sin();
    sinh  SinhRule;
    cosh  CoshRule;
    asin  AsinRule;
    acos  AcosRule;
    atan  AtanRule;
    asinh AsinhRule;
    acosh AcoshRule;
    atanh AtanhRule;
    abs   AbsRule;
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
