//! How the rules of tensor operations are written down.
//!
//! `linear!` writes an operation of one tensor that is linear in it: its derivative is itself, so
//! a table entry is the operation and its transpose. For
//!
//! ```text
//! sum, __sum_vjp, __sum_jvp [] -> [()] where [];
//!     shape |_| ();
//!     forward |x, to| x.reduce(ReduceOp::Sum, to);
//!     pullback |ct, dims| ct.expand(dims);
//! ```
//!
//! (or `part |ct, _| (ct, axis, start);`, where the transpose adds to a part of the accumulator)
//! it writes the method `sum`, the method `__sum_vjp`, whose pullback adds `ct.expand(dims)` to the
//! accumulator of `self`, and the method `__sum_jvp`, which sums the tangent.

use crate::ad::{Mode, Off};

/// The mode of a parameter that has no derivative.
#[diagnostic::on_unimplemented(
    message = "this parameter of the operation has no derivative",
    label = "it depends on a differentiated argument",
    note = "hold it constant: `stop_gradient(p)`"
)]
pub trait Constant: Mode {}
impl Constant for Off {}

macro_rules! linear {
    ($elem:ident; $($entries:tt)*) => { linear! { $elem on Backend; $($entries)* } };
    ($elem:ident on $device:ident; $(
        $(#[$doc:meta])*
        $name:ident, $vjp:ident, $jvp:ident [$(const $c:ident: $cty:ty),* $(; $g:ident: $gb:ident)*] -> [$out:ty] where [$($w:tt)*];
        shape |$s:pat_param| $shape:expr;
        forward |$x:ident, $to:pat_param| $forward:expr;
        $pull:ident |$ct:ident, $dims:pat_param| $pullback:expr;
    )*) => { $(
        impl<S: Shape, T: $elem, D: $device> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<$(const $c: $cty,)* $($g: $gb,)*>(&self) -> Tensor<$out, T, D>
            where
                $($w)*
            {
                let ($s, $x) = (self.shape(), self.raw());
                let shape: $out = $shape;
                let $to = shape.dims();
                Tensor::new(shape, $forward)
            }
        }

        impl<S: Shape, T: Float, D: $device> Tensor<S, T, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M: Mode, $(const $c: $cty,)* $($g: $gb,)*>(
                &self,
                _: (M,),
            ) -> (
                Tensor<$out, T, D>,
                impl FnOnce(Ct<Tensor<$out, T, D>>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D, $($c,)* $($g,)*>,
            )
            where
                $($w)*
            {
                (self.$name::<$($c,)* $($g,)*>(), move |ct, x, d| {
                    if M::ON && let Some($ct) = ct.raw() {
                        let $dims = x.dims();
                        linear!(@$pull M, d, x, $pullback);
                    }
                })
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp<$(const $c: $cty,)* $($g: $gb,)*>(&self, t: &Self) -> (Tensor<$out, T, D>, Tensor<$out, T, D>)
            where
                $($w)*
            {
                (self.$name::<$($c,)* $($g,)*>(), t.$name::<$($c,)* $($g,)*>())
            }
        }
    )* };
    (@pullback $M:ident, $d:ident, $x:ident, $pullback:expr) => {
        $d.acc(Tensor::new($x.shape(), $pullback).into())
    };
    (@part $M:ident, $d:ident, $x:ident, $part:expr) => {{
        let (ct, axis, start) = $part;
        crate::ops::view::extent::add_part::<$M, _, _, _>($d, $x, ct, axis, start)
    }};
}
pub(crate) use linear;
