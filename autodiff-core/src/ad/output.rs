//! Which outputs have a gradient.

/// The output of `F` is a real scalar, so that `F::grad` exists; `C` is its cotangent type.
///
/// The lifetime lets generated code state the bound on a concrete type: a bound that mentions a
/// lifetime of the function is checked at the call and not at the definition. It must not imply
/// `Differentiable`: inside the function such a bound would hide the impl, and with it what the
/// cotangent type is.
#[diagnostic::on_unimplemented(
    message = "the output of `{F}` is not a scalar; use `{F}::vjp` or `{F}::jacobian`",
    label = "`{Self}` is not a scalar"
)]
pub trait ScalarOutput<'z, F: ?Sized, C> {
    /// The cotangent 1.
    fn one(&self) -> C;
}

macro_rules! scalar_output {
    ($($t:ident)*) => { $(
        impl<F: ?Sized> ScalarOutput<'_, F, $t> for $t {
            #[inline(always)]
            fn one(&self) -> $t {
                1.0
            }
        }
    )* };
}

scalar_output!(f32 f64);
