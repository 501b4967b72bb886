//! Questions about masks along several axes, or with the axes kept: `any all count`, with `_axes` and
//! `_keepdim`. Results are discrete and have no derivative.

use crate::device::{Backend, CompareOp};
use crate::shape::{AxesOf, Axis, AxisSet, Shape};
use crate::tensor::{Raw, Tensor};

macro_rules! questions {
    ($($what:literal $E:ty: $keep:ident $axes:ident $axes_keep:ident |$count:ident, $of:pat_param| $answer:expr;)*) => {
        impl<S: Shape, D: Backend> Tensor<S, bool, D> { $(
            #[doc = concat!($what, " along axis `I`, which stays with size 1.")]
            #[track_caller]
            pub fn $keep<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Keep, $E, D>
            where
                S: Axis<I>,
            {
                let shape = Axis::<I>::keep(self.shape());
                let ($count, $of) = counted(self.raw(), &[<S as Axis<I>>::INDEX]);
                Tensor::new(shape, $answer.into_reshaped(shape.dims()))
            }

            #[doc = concat!($what, " along several axes.")]
            #[track_caller]
            pub fn $axes<A: AxisSet>(&self) -> Tensor<<S as AxesOf<A>>::Without, $E, D>
            where
                S: AxesOf<A>,
            {
                let shape = AxesOf::<A>::without_axes(self.shape());
                let ($count, $of) = counted(self.raw(), <S as AxesOf<A>>::INDICES);
                Tensor::new(shape, $answer)
            }

            #[doc = concat!($what, " along several axes, which stay with size 1.")]
            #[track_caller]
            pub fn $axes_keep<A: AxisSet>(&self) -> Tensor<<S as AxesOf<A>>::Keep, $E, D>
            where
                S: AxesOf<A>,
            {
                let shape = AxesOf::<A>::keep_axes(self.shape());
                let ($count, $of) = counted(self.raw(), <S as AxesOf<A>>::INDICES);
                Tensor::new(shape, $answer.into_reshaped(shape.dims()))
            }
        )* }
    };
}

/// The numbers of `true`, and of how many elements each is.
#[track_caller]
fn counted<D: Backend>(mask: &Raw<bool, D>, axes: &[usize]) -> (Raw<i64, D>, usize) {
    let of = axes.iter().map(|&i| mask.dims()[i]).product();
    (mask.count_axes(axes), of)
}

questions! {
    "Whether an element is true" bool: any_axis_keepdim any_axes any_axes_keepdim
        |count, _| count.equals(CompareOp::Ne, 0);
    "Whether every element is true, also if there are none," bool: all_axis_keepdim all_axes all_axes_keepdim
        |count, of| count.equals(CompareOp::Eq, of);
    "The number of `true`" i64: count_axis_keepdim count_axes count_axes_keepdim
        |count, _| count;
}
