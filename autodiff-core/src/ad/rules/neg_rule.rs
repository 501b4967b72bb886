//! `-a`.

use crate::ad::{Acc, Ct, Differentiable, Scalar, Wit};

/// The rule of `-a`.
#[diagnostic::on_unimplemented(message = "`-{Self}` has no derivative rule")]
pub trait NegRule: Differentiable {
    /// Adds to the cotangent of the operand.
    fn pull<D: Acc<Self>>(a: &Wit<Self>, ct: &Ct<Self>, d: &mut D);
    /// The tangent of the result.
    fn push(a: &Self, out: &Self, t: &Self::Tangent) -> Self::Tangent;
}

impl<T: Scalar> NegRule for T {
    #[inline(always)]
    fn pull<D: Acc<T>>(_: &Wit<T>, ct: &T, d: &mut D) {
        d.acc(-*ct)
    }
    #[inline(always)]
    fn push(_: &T, _: &T, t: &T) -> T {
        -*t
    }
}

/// Derivatives of `-a`.
pub mod neg {
    use super::*;

    /// Adds to the cotangent of the operand.
    #[inline(always)]
    pub fn pull<A: NegRule, D: Acc<A>>(a: &Wit<A>, ct: &Ct<A>, d: &mut D) {
        A::pull(a, ct, d)
    }
    /// The tangent of the result.
    #[inline(always)]
    pub fn push<A: NegRule>(a: &A, out: &A, t: &A::Tangent) -> A::Tangent {
        A::push(a, out, t)
    }
}
