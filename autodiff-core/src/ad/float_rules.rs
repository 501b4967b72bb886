//! What a generic element of a tensor, `T: Float`, must have for generated code to follow it.

use super::rules::*;
use super::{Acc, Differentiable, Leaf, On, Rounded, Scalar, Tangent};

macro_rules! float_rules {
    ({ $($Own:ident)*; $($Binary:ident)*; $($Arith:ident)* }
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        /// The rules of [`Scalar`]s without their methods, which [`Float`](crate::device::Float) has
        /// itself.
        pub trait FloatRules:
            Differentiable<Tangent = Self, Proto = (), Adj<On> = Self>
            + Leaf<LeafAdj = Self> + Acc<Self> + Tangent + Rounded
            $(+ $Own)* $(+ $Rule)* $(+ $Binary<Self>)* $(+ $Arith<Self, Out = Self>)*
        {
        }
        impl<T: Scalar + Rounded> FloatRules for T {}
    };
}

autodiff_vocabulary::functions!(short float_rules, {
    NegRule PowiRule SinCosRule;
    MaxRule MinRule PowfRule Atan2Rule HypotRule;
    AddRule SubRule MulRule DivRule
} [numbers turns shifts]);
