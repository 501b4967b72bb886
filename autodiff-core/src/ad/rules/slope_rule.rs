//! Functions of one number whose forward run finds the slope.

/// Derivatives of a function of one number by its slope.
///
/// ```
/// use differentiable::__rt::{slope, F64};
///
/// let mut d = 0.25;
/// slope::pull(&3.0, &2.0, &mut d);
/// assert_eq!(d, 6.25);
/// slope::pull(&f64::INFINITY, &0.0, &mut d);
/// assert_eq!(d, 6.25);
/// ```
pub mod slope {
    use crate::ad::{Acc, Scalar};

    /// The tangent whose image is the slope.
    #[inline(always)]
    pub fn unit<T: Scalar>(_: &T) -> T {
        T::ONE
    }

    /// Adds `ct · slope`. A cotangent of zero adds zero, also where the slope is infinite.
    #[inline(always)]
    pub fn pull<T: Scalar, D: Acc<T>>(slope: &T, ct: &T, d: &mut D) {
        d.acc(ct.unless_zero_at(*slope, *slope * *ct))
    }
}
