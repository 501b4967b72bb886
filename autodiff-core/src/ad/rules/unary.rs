//! Functions of one real variable: those of the table in the crate `autodiff-vocabulary`.
//!
//! A derivative is a linear map; on a scalar it is its own transpose, so that the same map is the pushforward and the
//! pullback. Rules in terms of the output `y` save the output for the reverse pass, the others the input `x`.

use super::formulas::of_scalars as formulas;
use crate::ad::{Acc, Ct, Differentiable, Scalar};

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

macro_rules! traits {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
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

autodiff_vocabulary::functions!(short traits, {} [numbers turns shifts scales scalars activations]);

macro_rules! of_scalars {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => { $(
        impl<T: Scalar> $Rule for T {
            #[inline(always)]
            fn pull<D: Acc<T>>(saved: &T, ct: &T, d: &mut D) {
                d.acc(formulas::$name(*ct, *saved))
            }
            #[inline(always)]
            fn push(_x: &T, _y: &T, t: &T) -> T {
                formulas::$name(*t, *autodiff_vocabulary::saved!($reads _x _y))
            }
        }
    )* };
}

autodiff_vocabulary::functions!(short of_scalars, {} [numbers turns shifts scales scalars]);
