//! Reductions over one axis or all: `sum mean max min argmax argmin`.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{ArgOp, Backend, BinaryOp, Dims, Elem, Float, ReduceOp};
use crate::ops::rule::linear;
use crate::ops::scaled;
use crate::shape::{AxesOf, Axis, AxisSet, MAX_RANK, Shape};
use crate::tensor::{Raw, Tensor};

linear! { Float;
    /// The sum of all elements.
    sum, __sum_vjp, __sum_jvp [] -> [()] where [];
    shape |_| ();
    forward |x, _| x.reduce_all(ReduceOp::Sum);
    pullback |ct, dims| ct.expand(dims);

    /// The mean of all elements; NaN if there are none.
    mean, __mean_vjp, __mean_jvp [] -> [()] where [];
    shape |_| ();
    forward |x, _| x.reduce_all(ReduceOp::Mean);
    pullback |ct, dims| scaled(ct.clone(), 1.0 / dims.numel() as f64).expand(dims);

    /// The sums along axis `I`.
    sum_axis, __sum_axis_vjp, __sum_axis_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
    shape |s| Axis::<I>::without(s);
    forward |x, _| x.reduce_axis(ReduceOp::Sum, <S as Axis<I>>::INDEX);
    pullback |ct, dims| ct.unsqueeze(<S as Axis<I>>::INDEX).expand(dims);

    /// The means along axis `I`.
    mean_axis, __mean_axis_vjp, __mean_axis_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
    shape |s| Axis::<I>::without(s);
    forward |x, _| x.reduce_axis(ReduceOp::Mean, <S as Axis<I>>::INDEX);
    pullback |ct, dims| {
        let axis = <S as Axis<I>>::INDEX;
        scaled(ct.clone(), 1.0 / dims[axis] as f64).unsqueeze(axis).expand(dims)
    };

    /// The sums along axis `I`, which stays with size 1.
    sum_axis_keepdim, __sum_axis_keepdim_vjp, __sum_axis_keepdim_jvp [const I: isize] -> [<S as Axis<I>>::Keep] where [S: Axis<I>];
    shape |s| Axis::<I>::keep(s);
    forward |x, _| x.reduce_keepdim(ReduceOp::Sum, &[<S as Axis<I>>::INDEX]);
    pullback |ct, dims| ct.expand(dims);

    /// The means along axis `I`, which stays with size 1.
    mean_axis_keepdim, __mean_axis_keepdim_vjp, __mean_axis_keepdim_jvp [const I: isize] -> [<S as Axis<I>>::Keep] where [S: Axis<I>];
    shape |s| Axis::<I>::keep(s);
    forward |x, _| x.reduce_keepdim(ReduceOp::Mean, &[<S as Axis<I>>::INDEX]);
    pullback |ct, dims| scaled(ct.clone(), 1.0 / dims[<S as Axis<I>>::INDEX] as f64).expand(dims);
}

linear! { Float;
    /// The sums along several axes: `x.sum_axes::<Axes2<0, 2>>()`, `x.sum_axes::<Axes2<-2, -1>>()`.
    sum_axes, __sum_axes_vjp, __sum_axes_jvp [; A: AxisSet] -> [<S as AxesOf<A>>::Without] where [S: AxesOf<A>];
    shape |s| AxesOf::<A>::without_axes(s);
    forward |x, to| x.reduce_keepdim(ReduceOp::Sum, <S as AxesOf<A>>::INDICES).into_reshaped(to);
    pullback |ct, dims| widened(ct, <S as AxesOf<A>>::INDICES).expand(dims);

    /// The sums along several axes, which stay with size 1.
    sum_axes_keepdim, __sum_axes_keepdim_vjp, __sum_axes_keepdim_jvp [; A: AxisSet] -> [<S as AxesOf<A>>::Keep] where [S: AxesOf<A>];
    shape |s| AxesOf::<A>::keep_axes(s);
    forward |x, _| x.reduce_keepdim(ReduceOp::Sum, <S as AxesOf<A>>::INDICES);
    pullback |ct, dims| ct.expand(dims);

    /// The means along several axes: `x.mean_axes::<Axes2<0, 2>>()`.
    mean_axes, __mean_axes_vjp, __mean_axes_jvp [; A: AxisSet] -> [<S as AxesOf<A>>::Without] where [S: AxesOf<A>];
    shape |s| AxesOf::<A>::without_axes(s);
    forward |x, to| x.reduce_keepdim(ReduceOp::Mean, <S as AxesOf<A>>::INDICES).into_reshaped(to);
    pullback |ct, dims| shared(&widened(ct, <S as AxesOf<A>>::INDICES), dims);

    /// The means along several axes, which stay with size 1.
    mean_axes_keepdim, __mean_axes_keepdim_vjp, __mean_axes_keepdim_jvp [; A: AxisSet] -> [<S as AxesOf<A>>::Keep] where [S: AxesOf<A>];
    shape |s| AxesOf::<A>::keep_axes(s);
    forward |x, _| x.reduce_keepdim(ReduceOp::Mean, <S as AxesOf<A>>::INDICES);
    pullback |ct, dims| shared(ct, dims);
}

/// With size 1 on the axes that a reduction removed.
#[track_caller]
fn widened<T: Float, D: Backend>(y: &Raw<T, D>, axes: &[usize]) -> Raw<T, D> {
    axes.iter().fold(y.clone(), |y, &axis| y.unsqueeze(axis))
}

/// Divided among the elements that were averaged.
#[track_caller]
fn shared<T: Float, D: Backend>(ct: &Raw<T, D>, dims: Dims) -> Raw<T, D> {
    let count = dims.numel() as f64 / ct.numel() as f64;
    scaled(ct.clone(), 1.0 / count).expand(dims)
}

/// `max`, `min`: the cotangent goes to the extreme elements, ties share it equally. The pullback
/// saves the output and compares with the input.
macro_rules! extremes {
    ($(
        $what:literal $Op:ident:
        $all:ident $all_vjp:ident $all_jvp:ident,
        $axis:ident $axis_vjp:ident $axis_jvp:ident,
        $keep:ident $keep_vjp:ident $keep_jvp:ident,
        $axes:ident $axes_vjp:ident $axes_jvp:ident,
        $axes_keep:ident $axes_keep_vjp:ident $axes_keep_jvp:ident;
    )*) => { $(
        extreme! {
            #[doc = concat!("The ", $what, " element; NaN if there is one. Of no elements, −∞ for the largest and ∞ for the smallest.")]
            $all, $all_vjp, $all_jvp [] -> [()] where [];
            shape |_| ();
            value |x| x.reduce_all(ReduceOp::$Op);
            widen |y, x| y.reshape(&[1; MAX_RANK][..x.dims().rank()]);

            #[doc = concat!("The ", $what, " elements along axis `I`; NaN where there is one.")]
            $axis, $axis_vjp, $axis_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
            shape |s| Axis::<I>::without(s);
            value |x| x.reduce_axis(ReduceOp::$Op, <S as Axis<I>>::INDEX);
            widen |y, _x| y.unsqueeze(<S as Axis<I>>::INDEX);

            #[doc = concat!("The ", $what, " elements along axis `I`, which stays with size 1.")]
            $keep, $keep_vjp, $keep_jvp [const I: isize] -> [<S as Axis<I>>::Keep] where [S: Axis<I>];
            shape |s| Axis::<I>::keep(s);
            value |x| x.reduce_keepdim(ReduceOp::$Op, &[<S as Axis<I>>::INDEX]);
            widen |y, _x| y.clone();

            #[doc = concat!("The ", $what, " elements along several axes; NaN where there is one.")]
            $axes, $axes_vjp, $axes_jvp [; A: AxisSet] -> [<S as AxesOf<A>>::Without] where [S: AxesOf<A>];
            shape |s| AxesOf::<A>::without_axes(s);
            value |x| {
                let y = x.reduce_keepdim(ReduceOp::$Op, <S as AxesOf<A>>::INDICES);
                let axes = <S as AxesOf<A>>::INDICES.iter().rev();
                let kept = axes.fold(*y.dims(), |dims, &axis| dims.remove(axis));
                y.into_reshaped(kept)
            };
            widen |y, _x| widened(y, <S as AxesOf<A>>::INDICES);

            #[doc = concat!("The ", $what, " elements along several axes, which stay with size 1.")]
            $axes_keep, $axes_keep_vjp, $axes_keep_jvp [; A: AxisSet] -> [<S as AxesOf<A>>::Keep] where [S: AxesOf<A>];
            shape |s| AxesOf::<A>::keep_axes(s);
            value |x| x.reduce_keepdim(ReduceOp::$Op, <S as AxesOf<A>>::INDICES);
            widen |y, _x| y.clone();
        }
    )* };
}

macro_rules! extreme {
    ($(
        #[$doc:meta]
        $name:ident, $vjp:ident, $jvp:ident [$(const $c:ident: $cty:ty)? $(; $g:ident: $gb:ident)?] -> [$out:ty] where [$($w:tt)*];
        shape |$s:pat_param| $shape:expr;
        value |$x:ident| $value:expr;
        widen |$y:ident, $wx:ident| $widen:expr;
    )*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[$doc]
            #[track_caller]
            pub fn $name<$(const $c: $cty)? $($g: $gb)?>(&self) -> Tensor<$out, T, D>
            where
                $($w)*
            {
                let ($s, $x) = (self.shape(), self.raw());
                Tensor::new($shape, $value)
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M: Mode $(, const $c: $cty)? $(, $g: $gb)?>(
                &self,
                _: (M,),
            ) -> (
                Tensor<$out, T, D>,
                impl FnOnce(Ct<Tensor<$out, T, D>>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D $(, $c)? $(, $g)?>,
            )
            where
                $($w)*
            {
                let out = self.$name$(::<$c>)?$(::<$g>)?();
                let saved = M::ON.then(|| out.raw().clone());
                (out, move |ct, x, d| {
                    if let (Some(y), Some(ct)) = (&saved, ct.raw()) {
                        let $wx = x.raw();
                        let widen = |$y: &Raw<T, D>| $widen;
                        d.acc(Tensor::new(x.shape(), Raw::extreme_pullback($wx, &widen(y), &widen(ct))).into());
                    }
                })
            }

            // The directional derivative is the cotangent of a one, row by row, times the tangent.
            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp<$(const $c: $cty)? $($g: $gb)?>(&self, t: &Self) -> (Tensor<$out, T, D>, Tensor<$out, T, D>)
            where
                $($w)*
            {
                let out = self.$name$(::<$c>)?$(::<$g>)?();
                let $wx = self.raw();
                let widen = |$y: &Raw<T, D>| $widen;
                let y = widen(out.raw());
                let ones = Raw::full(out.device(), *y.dims(), T::ONE);
                let weights = Raw::extreme_pullback($wx, &y, &ones);
                let tangent = Raw::binary(BinaryOp::Mul, weights, t.raw().clone()).sum_to(y.dims());
                let tangent = Tensor::new(out.shape(), tangent.into_reshaped(out.dims()));
                (out, tangent)
            }
        }
    )* };
}

extremes! {
    "largest" Max: max __max_vjp __max_jvp, max_axis __max_axis_vjp __max_axis_jvp, max_axis_keepdim __max_axis_keepdim_vjp __max_axis_keepdim_jvp, max_axes __max_axes_vjp __max_axes_jvp, max_axes_keepdim __max_axes_keepdim_vjp __max_axes_keepdim_jvp;
    "smallest" Min: min __min_vjp __min_jvp, min_axis __min_axis_vjp __min_axis_jvp, min_axis_keepdim __min_axis_keepdim_vjp __min_axis_keepdim_jvp, min_axes __min_axes_vjp __min_axes_jvp, min_axes_keepdim __min_axes_keepdim_vjp __min_axes_keepdim_jvp;
}

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// The position of the first largest element along axis `I`; a NaN counts as largest.
    #[track_caller]
    pub fn argmax<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, i64, D>
    where
        S: Axis<I>,
    {
        self.arg_reduce::<I>(ArgOp::Max)
    }

    /// The position of the first smallest element along axis `I`; a NaN counts as smallest.
    #[track_caller]
    pub fn argmin<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, i64, D>
    where
        S: Axis<I>,
    {
        self.arg_reduce::<I>(ArgOp::Min)
    }

    /// As [`argmax`](Tensor::argmax); axis `I` stays with size 1.
    #[track_caller]
    pub fn argmax_keepdim<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Keep, i64, D>
    where
        S: Axis<I>,
    {
        let axis = <S as Axis<I>>::INDEX;
        Tensor::new(
            self.shape().keep(),
            self.raw().arg_reduce(ArgOp::Max, axis).unsqueeze(axis),
        )
    }

    /// As [`argmin`](Tensor::argmin); axis `I` stays with size 1.
    #[track_caller]
    pub fn argmin_keepdim<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Keep, i64, D>
    where
        S: Axis<I>,
    {
        let axis = <S as Axis<I>>::INDEX;
        Tensor::new(
            self.shape().keep(),
            self.raw().arg_reduce(ArgOp::Min, axis).unsqueeze(axis),
        )
    }

    /// The position of the first largest element, counted in row-major order.
    ///
    /// Panics on a tensor without elements.
    #[track_caller]
    pub fn argmax_all(&self) -> Tensor<(), i64, D> {
        self.arg_reduce_all(ArgOp::Max)
    }

    /// The position of the first smallest element, counted in row-major order.
    ///
    /// Panics on a tensor without elements.
    #[track_caller]
    pub fn argmin_all(&self) -> Tensor<(), i64, D> {
        self.arg_reduce_all(ArgOp::Min)
    }

    #[track_caller]
    fn arg_reduce_all(&self, op: ArgOp) -> Tensor<(), i64, D> {
        let count: usize = self.dims().iter().product();
        assert!(count > 0, "argmax and argmin need at least one element");
        Tensor::new((), self.raw().reshape([count]).arg_reduce(op, 0))
    }

    #[track_caller]
    fn arg_reduce<const I: isize>(&self, op: ArgOp) -> Tensor<<S as Axis<I>>::Without, i64, D>
    where
        S: Axis<I>,
    {
        Tensor::new(
            self.shape().without(),
            self.raw().arg_reduce(op, <S as Axis<I>>::INDEX),
        )
    }
}
