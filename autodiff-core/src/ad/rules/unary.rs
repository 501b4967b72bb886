//! Functions of one real variable: those of the table in the crate `autodiff-vocabulary`.
//!
//! A derivative is a linear map; on a scalar it is its own transpose, so that the same map is the pushforward and the
//! pullback. Rules in terms of the output `y` save the output for the reverse pass, the others the input `x`.

use super::formulas::of_scalars as formulas;
use crate::ad::{Acc, Ct, Differentiable, Scalar};
use core::f64::consts::PI;

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
    (output $x:ident $y:ident) => {
        $y
    };
    ($reads:ident $x:ident $y:ident) => {
        $x
    };
}

macro_rules! traits {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
    ) => { $(
        traits!(@of $reads $name $Rule);
    )* };
    (@of output $name:ident $Rule:ident) => {
        rule_trait!($name $Rule output);
    };
    (@of $reads:ident $name:ident $Rule:ident) => {
        rule_trait!($name $Rule input);
    };
}

macro_rules! of_scalars {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
    ) => { $(
        impl<T: Scalar> $Rule for T {
            #[inline(always)]
            fn pull<D: Acc<T>>(saved: &T, ct: &T, d: &mut D) {
                let ($t, $v) = (*ct, *saved);
                d.acc($pull)
            }
            #[inline(always)]
            fn push(_x: &T, _y: &T, t: &T) -> T {
                let ($t, $v) = (*t, *saved!($reads _x _y));
                $pull
            }
        }
    )* };
}

autodiff_vocabulary::functions!(traits, {} [numbers turns shifts scales scalars activations]);
autodiff_vocabulary::functions!(of_scalars, {} [shifts scales scalars]);

macro_rules! by_formula {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
    ) => { $(
        impl<T: Scalar> $Rule for T {
            #[inline(always)]
            fn pull<D: Acc<T>>(saved: &T, ct: &T, d: &mut D) {
                d.acc(formulas::$name(*ct, *saved))
            }
            #[inline(always)]
            fn push(_x: &T, _y: &T, t: &T) -> T {
                formulas::$name(*t, *saved!($reads _x _y))
            }
        }
    )* };
}

autodiff_vocabulary::functions!(by_formula, {} [numbers turns]);
