//! Outputs that have a gradient rather than a Jacobian.

use super::{Ct, Differentiable, Scalar};

/// The output of `F` is a real scalar, so that `F::grad` exists.
///
/// The lifetime lets generated code state the bound on a concrete type: a bound that mentions a
/// lifetime of the function is checked at the call and not at the definition.
#[diagnostic::on_unimplemented(
    message = "the output of `{F}` is not a scalar; use `{F}::vjp` or `{F}::jacobian`",
    label = "`{Self}` is not a scalar"
)]
pub trait ScalarOutput<'z, F: ?Sized>: Differentiable {
    /// The cotangent 1.
    fn one(&self) -> Ct<Self>;
}

impl<F: ?Sized, T: Scalar> ScalarOutput<'_, F> for T {
    #[inline(always)]
    fn one(&self) -> T {
        T::ONE
    }
}
