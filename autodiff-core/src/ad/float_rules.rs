//! What a generic element of a tensor, `T: Float`, must have for generated code to follow it.

use super::rules::*;
use super::{Acc, Differentiable, Leaf, On, Rounded, Scalar, Tangent};

macro_rules! float_rules {
    ($($Unary:ident)*; $($Binary:ident)*; $($Arith:ident)*) => {
        /// The rules of [`Scalar`]s without their methods, which [`Float`](crate::device::Float) has
        /// itself.
        pub trait FloatRules:
            Differentiable<Tangent = Self, Proto = (), Adj<On> = Self>
            + Leaf<LeafAdj = Self> + Acc<Self> + Tangent + Rounded
            $(+ $Unary)* $(+ $Binary<Self>)* $(+ $Arith<Self, Out = Self>)*
        {
        }
        impl<T: Scalar + Rounded> FloatRules for T {}
    };
}

float_rules! {
    NegRule PowiRule SinCosRule ExpRule Exp2Rule ExpM1Rule LnRule Log2Rule Log10Rule Ln1pRule SqrtRule
    CbrtRule RecipRule TanRule TanhRule SinhRule CoshRule AsinRule AcosRule AtanRule AsinhRule AcoshRule
    AtanhRule AbsRule FractRule;
    MaxRule MinRule PowfRule Atan2Rule HypotRule;
    AddRule SubRule MulRule DivRule
}
