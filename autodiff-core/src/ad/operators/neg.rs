//! `-a`.

use super::{KeptOne, Negated, Operand, Ruled};
use crate::ad::{Acc, Ct, Differentiable, NegRule, Wit};

impl<A: Negated + Clone> Operand<'_, A> {
    /// Keeps the operand.
    #[inline(always)]
    pub fn keep_neg(self) -> KeptOne<A> {
        KeptOne(self.0.clone())
    }
    /// The tangent of the result.
    #[inline(always)]
    pub fn neg_push(self, _: &A::Out, t: &A::Tangent) -> <A::Out as Differentiable>::Tangent {
        A::push(self.0, t)
    }
}

/// `neg` of an operand with a rule.
pub trait RuledNeg<A: Differentiable>: Sized {
    /// Keeps nothing.
    #[inline(always)]
    fn keep_neg(self) -> Ruled {
        Ruled
    }
    /// The tangent of the result.
    fn neg_push(self, out: &A, t: &A::Tangent) -> A::Tangent
    where
        A: NegRule;
}

impl<A: Differentiable> RuledNeg<A> for Operand<'_, A> {
    #[inline(always)]
    fn neg_push(self, out: &A, t: &A::Tangent) -> A::Tangent
    where
        A: NegRule,
    {
        A::push(self.0, out, t)
    }
}

impl Ruled {
    /// Adds to the cotangent of the operand.
    #[inline(always)]
    pub fn neg<A: NegRule, D: Acc<A>>(self, a: &Wit<A>, ct: Ct<A>, d: &mut D) {
        A::pull(a, &ct, d);
    }
}

impl<A: Negated> KeptOne<A> {
    /// Adds to the cotangent of the operand.
    #[inline(always)]
    pub fn neg<D: Acc<A>>(self, _: &Wit<A>, ct: Ct<A::Out>, d: &mut D) {
        let mut da = A::zero_ct(&self.0.proto());
        A::pull(&self.0, ct, &mut da);
        d.acc(da);
    }
}
