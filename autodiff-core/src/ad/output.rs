//! Which outputs have a gradient.

use super::{Ct, Differentiable};

/// The output of `F` is a real scalar, so that `F::grad` exists; `C` is its cotangent type.
///
/// Of a tuple the first part is the scalar. The others are auxiliary values, of any types: they are part of the value,
/// and have no part in the gradient.
///
/// The lifetime lets generated code state the bound on a concrete type: a bound that mentions a
/// lifetime of the function is checked at the call and not at the definition. It must not imply
/// `Differentiable`: inside the function such a bound would hide the impl, and with it what the
/// cotangent type is.
#[diagnostic::on_unimplemented(
    message = "the output of `{F}` is not a scalar; use `{F}::vjp` or `{F}::jacobian`",
    note = "of a tuple the first part is the scalar, `(loss, others)`",
    label = "`{Self}` is not a scalar"
)]
pub trait ScalarOutput<'z, F: ?Sized, C> {
    /// The cotangent 1.
    fn one(&self) -> C;
}

macro_rules! scalar_output {
    ($($t:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<F: ?Sized> ScalarOutput<'_, F, $t> for $t {
            #[inline(always)]
            fn one(&self) -> $t {
                1.0
            }
        }
    )* };
}

scalar_output!(f32 f64);

macro_rules! with_auxiliary {
    ($($T:ident $i:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl<'z, F: ?Sized, L: ScalarOutput<'z, F, C>, C, $($T: Differentiable),*>
            ScalarOutput<'z, F, (C, $(Ct<$T>,)*)> for (L, $($T,)*)
        {
            #[inline(always)]
            fn one(&self) -> (C, $(Ct<$T>,)*) {
                (self.0.one(), $($T::zero_ct(&self.$i.proto()),)*)
            }
        }
    };
}

with_auxiliary!(A 1);
with_auxiliary!(A 1 B 2);
with_auxiliary!(A 1 B 2 D 3);
with_auxiliary!(A 1 B 2 D 3 E 4);
with_auxiliary!(A 1 B 2 D 3 E 4 G 5);
with_auxiliary!(A 1 B 2 D 3 E 4 G 5 H 6);
with_auxiliary!(A 1 B 2 D 3 E 4 G 5 H 6 I 7);
