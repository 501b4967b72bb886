//! Reductions beside sum, mean and extremes: `prod var std norm norm_l1 norm_p logsumexp`, over all
//! elements, along an axis or along several, which may stay with size 1.
//!
//! Formulas and pullbacks stand in [`kernel::fold`](crate::kernel::fold). Conventions where a
//! derivative does not exist follow PyTorch: the gradient of `std` and of a norm is 0 where they are
//! 0, and that of `|x|` is 0 at 0. The gradient of `prod` is right with zeros, of `logsumexp` 0 for
//! elements that are all −∞. The pullbacks save the result, which is small.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Float, FoldOp};
use crate::ops::rule::Constant;
use crate::shape::{AxesOf, Axis, AxisSet, Shape};
use crate::tensor::{Raw, Tensor};

const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// The exponent of a norm.
#[track_caller]
fn order(p: f64) -> f64 {
    assert!(
        p > 0.0 && p.is_finite(),
        "norm_p: the exponent p = {p} is not positive and finite"
    );
    p
}

macro_rules! folds {
    ($(
        $what:literal $more:literal [$($arg:ident: $ty:ty, $m1:ident: $bound:ident)?] $op:expr;
        $all:ident $all_vjp:ident $all_jvp:ident,
        $axis:ident $axis_vjp:ident $axis_jvp:ident,
        $keep:ident $keep_vjp:ident $keep_jvp:ident,
        $axes:ident $axes_vjp:ident $axes_jvp:ident,
        $axes_keep:ident $axes_keep_vjp:ident $axes_keep_jvp:ident;
    )*) => { $(
        folded! {
            #[doc = concat!($what, " of all elements", $more)]
            $all, $all_vjp, $all_jvp [] [$($arg: $ty, $m1: $bound)?] -> [()] where [];
            shape |_| ();
            op $op;
            axes &ALL[..S::RANK];
        }
        folded! {
            #[doc = concat!($what, " of the elements along axis `I`", $more)]
            $axis, $axis_vjp, $axis_jvp [const I: isize] [$($arg: $ty, $m1: $bound)?] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
            shape |s| Axis::<I>::without(s);
            op $op;
            axes &[<S as Axis<I>>::INDEX];
        }
        folded! {
            #[doc = concat!($what, " of the elements along axis `I`, which stays with size 1", $more)]
            $keep, $keep_vjp, $keep_jvp [const I: isize] [$($arg: $ty, $m1: $bound)?] -> [<S as Axis<I>>::Keep] where [S: Axis<I>];
            shape |s| Axis::<I>::keep(s);
            op $op;
            axes &[<S as Axis<I>>::INDEX];
        }
        folded! {
            #[doc = concat!($what, " of the elements along several axes", $more)]
            $axes, $axes_vjp, $axes_jvp [; A: AxisSet] [$($arg: $ty, $m1: $bound)?] -> [<S as AxesOf<A>>::Without] where [S: AxesOf<A>];
            shape |s| AxesOf::<A>::without_axes(s);
            op $op;
            axes <S as AxesOf<A>>::INDICES;
        }
        folded! {
            #[doc = concat!($what, " of the elements along several axes, which stay with size 1", $more)]
            $axes_keep, $axes_keep_vjp, $axes_keep_jvp [; A: AxisSet] [$($arg: $ty, $m1: $bound)?] -> [<S as AxesOf<A>>::Keep] where [S: AxesOf<A>];
            shape |s| AxesOf::<A>::keep_axes(s);
            op $op;
            axes <S as AxesOf<A>>::INDICES;
        }
    )* };
}

macro_rules! folded {
    (
        #[$doc:meta]
        $name:ident, $vjp:ident, $jvp:ident [$(const $c:ident: $cty:ty)? $(; $g:ident: $gb:ident)?] [$($arg:ident: $ty:ty, $m1:ident: $bound:ident)?] -> [$out:ty] where [$($w:tt)*];
        shape |$s:pat_param| $shape:expr;
        op $op:expr;
        axes $axes:expr;
    ) => {
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[$doc]
            #[track_caller]
            pub fn $name<$(const $c: $cty)? $($g: $gb)?>(&self $(, $arg: $ty)?) -> Tensor<$out, T, D>
            where
                $($w)*
            {
                let $s = self.shape();
                let shape: $out = $shape;
                Tensor::new(shape, self.raw().fold($op, $axes).into_reshaped(shape.dims()))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M: Mode, $($m1: $bound,)? $(const $c: $cty)? $($g: $gb)?>(
                &self,
                _: (M, $($m1,)?),
                $($arg: $ty,)?
            ) -> (
                Tensor<$out, T, D>,
                impl FnOnce(Ct<Tensor<$out, T, D>>, &Self, &mut Adj<Self, M> $(, &mut Adj<$ty, $m1>)?) + Clone
                    + use<M, $($m1,)? S, T, D $(, $c)? $(, $g)?>,
            )
            where
                $($w)*
            {
                let $s = self.shape();
                let shape: $out = $shape;
                let y = self.raw().fold($op, $axes);
                let out = Tensor::new(shape, y.clone().into_reshaped(shape.dims()));
                let saved = M::ON.then_some(y);
                (out, move |ct, x, d $(, _: &mut Adj<$ty, $m1>)?| {
                    if let (Some(y), Some(ct)) = (&saved, ct.raw()) {
                        let ct = ct.reshape(*y.dims());
                        d.acc(Tensor::new(x.shape(), Raw::fold_pullback($op, x.raw(), y, &ct)).into());
                    }
                })
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp<$(const $c: $cty)? $($g: $gb)?>(&self, t: &Self $(, $arg: $ty, _: impl Sized)?) -> (Tensor<$out, T, D>, Tensor<$out, T, D>)
            where
                $($w)*
            {
                let $s = self.shape();
                let shape: $out = $shape;
                let y = self.raw().fold($op, $axes);
                let tangent = Raw::fold_pushforward($op, self.raw(), &y, t.raw());
                let plain = |y: Raw<T, D>| Tensor::new(shape, y.into_reshaped(shape.dims()));
                (plain(y), plain(tangent))
            }
        }
    };
}

folds! {
    "The product" "." [] FoldOp::Prod;
    prod __prod_vjp __prod_jvp, prod_axis __prod_axis_vjp __prod_axis_jvp, prod_axis_keepdim __prod_axis_keepdim_vjp __prod_axis_keepdim_jvp, prod_axes __prod_axes_vjp __prod_axes_jvp, prod_axes_keepdim __prod_axes_keepdim_vjp __prod_axes_keepdim_jvp;
    "The variance" ": squared distances from the mean, divided by their number less `correction` (0 for all there are, 1 to estimate from a sample)." [correction: usize, M1: Mode] FoldOp::Var(correction as f64);
    var __var_vjp __var_jvp, var_axis __var_axis_vjp __var_axis_jvp, var_axis_keepdim __var_axis_keepdim_vjp __var_axis_keepdim_jvp, var_axes __var_axes_vjp __var_axes_jvp, var_axes_keepdim __var_axes_keepdim_vjp __var_axes_keepdim_jvp;
    "The standard deviation" ": the square root of the variance with `correction`." [correction: usize, M1: Mode] FoldOp::Std(correction as f64);
    std __std_vjp __std_jvp, std_axis __std_axis_vjp __std_axis_jvp, std_axis_keepdim __std_axis_keepdim_vjp __std_axis_keepdim_jvp, std_axes __std_axes_vjp __std_axes_jvp, std_axes_keepdim __std_axes_keepdim_vjp __std_axes_keepdim_jvp;
    "The Euclidean norm" ", `√Σ x²`." [] FoldOp::Norm(2.0);
    norm __norm_vjp __norm_jvp, norm_axis __norm_axis_vjp __norm_axis_jvp, norm_axis_keepdim __norm_axis_keepdim_vjp __norm_axis_keepdim_jvp, norm_axes __norm_axes_vjp __norm_axes_jvp, norm_axes_keepdim __norm_axes_keepdim_vjp __norm_axes_keepdim_jvp;
    "The sum of absolute values" "." [] FoldOp::Norm(1.0);
    norm_l1 __norm_l1_vjp __norm_l1_jvp, norm_l1_axis __norm_l1_axis_vjp __norm_l1_axis_jvp, norm_l1_axis_keepdim __norm_l1_axis_keepdim_vjp __norm_l1_axis_keepdim_jvp, norm_l1_axes __norm_l1_axes_vjp __norm_l1_axes_jvp, norm_l1_axes_keepdim __norm_l1_axes_keepdim_vjp __norm_l1_axes_keepdim_jvp;
    "The norm `(Σ |x|^p)^(1/p)`" ". The exponent has no derivative.\n\n# Panics\nIf `p` is not positive and finite." [p: f64, M1: Constant] FoldOp::Norm(order(p));
    norm_p __norm_p_vjp __norm_p_jvp, norm_p_axis __norm_p_axis_vjp __norm_p_axis_jvp, norm_p_axis_keepdim __norm_p_axis_keepdim_vjp __norm_p_axis_keepdim_jvp, norm_p_axes __norm_p_axes_vjp __norm_p_axes_jvp, norm_p_axes_keepdim __norm_p_axes_keepdim_vjp __norm_p_axes_keepdim_jvp;
    "`ln Σ exp(x)`" ", without overflow." [] FoldOp::LogSumExp;
    logsumexp __logsumexp_vjp __logsumexp_jvp, logsumexp_axis __logsumexp_axis_vjp __logsumexp_axis_jvp, logsumexp_axis_keepdim __logsumexp_axis_keepdim_vjp __logsumexp_axis_keepdim_jvp, logsumexp_axes __logsumexp_axes_vjp __logsumexp_axes_jvp, logsumexp_axes_keepdim __logsumexp_axes_keepdim_vjp __logsumexp_axes_keepdim_jvp;
}
