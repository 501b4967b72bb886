//! Operands of kernels, read as operands of `f32`.

use crate::ad::{Half, Mixed};
use crate::device::{
    AdamStep, ArgOp, BinaryOp, CompareOp, ConvShape, Dims, FoldOp, Layout, NormShape, PoolOp,
    PoolShape, Random, ReduceOp, Resample, ScanOp, SgdStep, Side, SoftmaxOp, SortOrder, UnaryOp,
    Write,
};
use crate::kernel::ctc::Sequences;
use crate::kernel::drive::Src;
use crate::kernel::map::Arg;

/// The same elements as `f32`.
pub fn numbers<H>(x: &[Mixed<H>]) -> &[f32] {
    // SAFETY: a `Mixed` is an `f32` (`repr(transparent)`).
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len()) }
}

/// The same elements as `f32`, for writing.
pub fn numbers_mut<H>(x: &mut [Mixed<H>]) -> &mut [f32] {
    // SAFETY: as in `numbers`; every `f32` is a `Mixed`.
    unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) }
}

/// The same elements of mixed precision.
pub fn mixed<H>(x: &[f32]) -> &[Mixed<H>] {
    // SAFETY: as in `numbers`.
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len()) }
}

/// The same elements of mixed precision, for writing.
pub fn mixed_mut<H>(x: &mut [f32]) -> &mut [Mixed<H>] {
    // SAFETY: as in `numbers_mut`.
    unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) }
}

/// An operand of a kernel over numbers of mixed precision.
pub trait Plain {
    /// The operand of the same kernel over `f32`.
    type As;
    /// Reads it as that.
    fn plain(self) -> Self::As;
}

impl<H> Plain for Mixed<H> {
    type As = f32;
    #[inline(always)]
    fn plain(self) -> f32 {
        self.get()
    }
}

impl<'a, H> Plain for &'a [Mixed<H>] {
    type As = &'a [f32];
    #[inline(always)]
    fn plain(self) -> &'a [f32] {
        numbers(self)
    }
}

impl<'a, H> Plain for &'a mut [Mixed<H>] {
    type As = &'a mut [f32];
    #[inline(always)]
    fn plain(self) -> &'a mut [f32] {
        numbers_mut(self)
    }
}

impl<'a, H> Plain for &'a mut Mixed<H> {
    type As = &'a mut f32;
    #[inline(always)]
    fn plain(self) -> &'a mut f32 {
        &mut numbers_mut(core::slice::from_mut(self))[0]
    }
}

impl<'a, H: Half> Plain for Arg<'a, Mixed<H>> {
    type As = Arg<'a, f32>;
    #[inline(always)]
    fn plain(self) -> Arg<'a, f32> {
        match self {
            Arg::View(x, layout) => Arg::View(numbers(x), layout),
            Arg::Scalar(x) => Arg::Scalar(x.get()),
        }
    }
}

impl<'a, H: Half> Plain for Src<'a, Mixed<H>> {
    type As = Src<'a, f32>;
    #[inline(always)]
    fn plain(self) -> Src<'a, f32> {
        match self {
            Src::Arg(arg) => Src::Arg(arg.plain()),
            Src::Output => Src::Output,
        }
    }
}

impl<'a, H: Half> Plain for Sequences<'a, Mixed<H>> {
    type As = Sequences<'a, f32>;
    fn plain(self) -> Sequences<'a, f32> {
        Sequences {
            sizes: self.sizes,
            blank: self.blank,
            x: numbers(self.x),
            labels: self.labels,
            lengths: self.lengths,
        }
    }
}

impl<A: Plain, B: Plain> Plain for (A, B) {
    type As = (A::As, B::As);
    #[inline(always)]
    fn plain(self) -> Self::As {
        (self.0.plain(), self.1.plain())
    }
}

impl<A: Plain> Plain for Option<A> {
    type As = Option<A::As>;
    #[inline(always)]
    fn plain(self) -> Self::As {
        self.map(A::plain)
    }
}

impl<A: Plain, const N: usize> Plain for [A; N] {
    type As = [A::As; N];
    #[inline(always)]
    fn plain(self) -> Self::As {
        self.map(A::plain)
    }
}

/// What has no elements of mixed precision.
macro_rules! same {
    ($($t:ty),* $(,)?) => { $(
        impl Plain for $t {
            type As = Self;
            #[inline(always)]
            fn plain(self) -> Self {
                self
            }
        }
    )* };
}
same! {
    usize, isize, bool, f64, u64, Layout,
    ArgOp, BinaryOp, CompareOp, FoldOp, PoolOp, Random, ReduceOp, ScanOp, Side, SoftmaxOp, SortOrder, UnaryOp, Write,
    &AdamStep, &ConvShape, &Dims, &NormShape, &PoolShape, &Resample, &SgdStep,
    &[usize], &[i64], &mut [i64], &mut [bool], Arg<'_, bool>,
}
