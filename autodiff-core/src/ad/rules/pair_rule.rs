//! The sine and the cosine of one angle, both computed: each is the slope of the other.

use crate::ad::{Acc, CosRule, Ct, Scalar, SinRule};

/// The rules of a sine and a cosine that are both there.
#[diagnostic::on_unimplemented(message = "sine and cosine of `{Self}` have no derivative rule")]
pub trait SinCosRule: SinRule + CosRule {
    /// Adds to the cotangent of the angle of a sine; needs the cosine.
    fn pull_sin<D: Acc<Self>>(cos: &Self, ct: &Ct<Self>, d: &mut D);
    /// Adds to the cotangent of the angle of a cosine; needs the sine.
    fn pull_cos<D: Acc<Self>>(sin: &Self, ct: &Ct<Self>, d: &mut D);
}

impl<T: Scalar> SinCosRule for T {
    #[inline(always)]
    fn pull_sin<D: Acc<T>>(cos: &T, ct: &T, d: &mut D) {
        d.acc(*ct * *cos)
    }
    #[inline(always)]
    fn pull_cos<D: Acc<T>>(sin: &T, ct: &T, d: &mut D) {
        d.acc(*ct * -*sin)
    }
}

/// Derivatives of the sine and the cosine of one angle.
pub mod sin_cos {
    use super::{Acc, Ct, SinCosRule};

    /// Adds to the cotangent of the angle of a sine; needs the cosine.
    #[inline(always)]
    pub fn pull_sin<A: SinCosRule, D: Acc<A>>(cos: &A, ct: &Ct<A>, d: &mut D) {
        A::pull_sin(cos, ct, d)
    }
    /// Adds to the cotangent of the angle of a cosine; needs the sine.
    #[inline(always)]
    pub fn pull_cos<A: SinCosRule, D: Acc<A>>(sin: &A, ct: &Ct<A>, d: &mut D) {
        A::pull_cos(sin, ct, d)
    }
}
