//! CPU kernels over untyped buffers; never generic over shape.
//!
//! Kernels are written once over [`Float`](crate::device::Float) and compiled here, once for each
//! element type, through [`FloatKernels`]: a program that uses them does not compile them again.
//!
//! They run on [`Dual`]s too. A kernel that computes a pullback, run on duals, computes the derivative of the
//! pullback; so second derivatives need no rules of their own, and a kernel must not take numbers out of its elements
//! (`to_f64`) but to compare them.
//!
//! Numbers of mixed precision have those of `f32`, with products of their own (`mixed/`).

pub mod activation;
pub mod along;
pub mod attention;
pub mod binary;
mod chained;
pub mod channels;
pub mod conv;
pub mod ctc;
pub mod drive;
pub mod dropout;
mod dual;
pub mod exponential;
pub mod fold;
mod formulas;
#[cfg(feature = "fft")]
pub mod fourier;
pub mod fused;
#[cfg(not(feature = "fft"))]
pub mod fourier {
    //! Without the feature `fft` there are no transforms.

    /// No kernels.
    pub trait FourierKernels {}
    impl<T> FourierKernels for T {}
}
pub mod gemm;
pub mod index;
pub mod integer;
mod lanes;
#[cfg(feature = "linalg")]
pub mod linalg;
#[cfg(not(feature = "linalg"))]
pub mod linalg {
    //! Without the feature `linalg` there are no factorisations.

    /// No kernels.
    pub trait LinalgKernels {}
    impl<T> LinalgKernels for T {}
}
pub mod map;
pub mod mask;
pub mod math;
mod matrix;
mod mixed;
pub mod nest;
pub mod norm;
pub mod normal;
pub mod optim;
pub mod par;
pub mod pool;
pub mod pooling;
pub mod random;
pub mod recurrent;
pub mod reduce;
pub mod resample;
pub mod rows;
pub mod scan;
pub mod simd;
pub mod sort;
pub mod special;
pub mod transpose;
pub mod trig;
pub mod unary;

use crate::ad::{Dual, Half, Mixed, Scalar};
use crate::device::{
    AdamStep, ArgOp, BinaryOp, CompareOp, ConvShape, Dims, FloatElem, FoldOp, IntegerOp, Layout,
    NormShape, PoolOp, PoolShape, Random, Recurrence, ReduceOp, Resample, ScanOp, SgdStep, Side,
    SoftmaxOp, SortOrder, UnaryOp, Write,
};
use attention::{Gradients, Problem, Tangents};
use drive::Src;
use half::{bf16, f16};
use map::Arg;
use recurrent::Ran;

macro_rules! kernels {
    (
        $(#[$about:meta])* trait $kernels:ident for $types:tt;
        $( $(#[$doc:meta])* fn $name:ident $args:tt = $module:ident :: $f:ident $(, duals $of:ident)? $(, mixed $with:ident)?; )*
    ) => {
        $(#[$about])*
        #[allow(clippy::too_many_arguments)]
        pub trait $kernels: Sized {
            $( kernels!(@declare $(#[$doc])* $name $args); )*
        }
        kernels!(@each $kernels $types [$( $name $args $module $f; )*]);
        kernels!(@duals $kernels $types [$( $name $args $module $f [$($of)?]; )*]);
        kernels!(@mixed $kernels $types [$( $name $args $module $f [$($with)?]; )*]);
    };
    (@declare $(#[$doc:meta])* $name:ident ($($arg:ident: $t:ty),* $(,)?)) => {
        $(#[$doc])* fn $name($($arg: $t),*);
    };
    (@each $kernels:ident [$($type:ident)*] $list:tt) => { $( kernels!(@impl $kernels $type $list); )* };
    (@duals IntegerKernels $types:tt $list:tt) => {};
    // Compiled where they are used: most programs have no tensors of duals.
    (@duals $kernels:ident $types:tt [$( $name:ident $args:tt $module:ident $f:ident $of:tt; )*]) => {
        impl<T: FloatElem + Scalar, const K: usize> $kernels for Dual<T, K> {
            $( kernels!(@dual $name $args $module $f $of); )*
        }
    };
    (@dual $name:ident ($($arg:ident: $t:ty),* $(,)?) $module:ident $f:ident []) => {
        fn $name($($arg: $t),*) { $module::$f($($arg),*) }
    };
    (@dual $name:ident ($($arg:ident: $t:ty),* $(,)?) $module:ident $f:ident [$of:ident]) => {
        fn $name($($arg: $t),*) { $of::$f($($arg),*) }
    };
    (@mixed IntegerKernels $types:tt $list:tt) => {};
    // Those of `f32`, but for products: `own` ones round their operands, `same` ones are made of such products and
    // compiled where they are used.
    (@mixed $kernels:ident $types:tt [$( $name:ident $args:tt $module:ident $f:ident $with:tt; )*]) => {
        impl<H: Half> $kernels for Mixed<H> {
            $( kernels!(@one_mixed $kernels $name $args $module $f $with); )*
        }
    };
    (@one_mixed $kernels:ident $name:ident ($($arg:ident: $t:ty),* $(,)?) $module:ident $f:ident []) => {
        #[inline]
        fn $name($($arg: $t),*) { <f32 as $kernels>::$name($(mixed::Plain::plain($arg)),*) }
    };
    (@one_mixed $kernels:ident $name:ident ($($arg:ident: $t:ty),* $(,)?) $module:ident $f:ident [same]) => {
        fn $name($($arg: $t),*) { $module::$f($($arg),*) }
    };
    (@one_mixed $kernels:ident $name:ident ($($arg:ident: $t:ty),* $(,)?) $module:ident $f:ident [own]) => {
        fn $name($($arg: $t),*) { mixed::$name($($arg),*) }
    };
    (@impl $kernels:ident $type:ident [$( $name:ident ($($arg:ident: $t:ty),* $(,)?) $module:ident $f:ident; )*]) => {
        impl $kernels for $type {
            // Never inlined: a caller's crate would compile the kernel again.
            $( #[inline(never)] fn $name($($arg: $t),*) { $module::$f($($arg),*) } )*
        }
    };
}

kernels! {
    /// The arithmetic kernels of one element type. See the modules for what each does.
    trait FloatKernels for [f32 f64];
    /// [`unary::apply`]
    fn unary(op: UnaryOp, out: &mut [Self], dims: &[usize], x: Src<'_, Self>) = unary::apply, duals chained;
    /// [`unary::pullback`]
    fn unary_pullback(op: UnaryOp, out: &mut [Self], dims: &[usize], saved: Src<'_, Self>, ct: Src<'_, Self>, write: Write) = unary::pullback;
    /// [`binary::apply`]
    fn binary(op: BinaryOp, out: &mut [Self], dims: &[usize], a: Src<'_, Self>, b: Src<'_, Self>, write: Write) = binary::apply;
    /// [`binary::pullback`]
    fn binary_pullback(op: BinaryOp, side: Side, out: &mut [Self], dims: &[usize], a: Src<'_, Self>, b: Src<'_, Self>, ct: Src<'_, Self>, write: Write) = binary::pullback;
    /// [`fused::run()`]
    fn region(dims: &[usize], inputs: &[Src<'_, Self>], outputs: &mut [fused::Output<'_, Self>], cost: usize, op: fused::run::BlockOp<'_, Self>) = fused::run, mixed own;
    /// [`binary::add_scaled`]
    fn add_scaled(alpha: Self, y: (&mut [Self], Layout), x: (&[Self], Layout)) = binary::add_scaled;
    /// [`gemm::gemm`]
    fn gemm(beta: Self, a: (&[Self], Layout), b: (&[Self], Layout), out: (&mut [Self], Layout)) = gemm::gemm, mixed own;
    /// [`reduce::reduce`]
    fn reduce(op: ReduceOp, out: &mut [Self], dims: &Dims, x: &[Self], layout: Layout, write: Write) = reduce::reduce;
    /// [`reduce::extreme_pullback`]
    fn extreme_pullback(out: &mut [Self], x: (&[Self], Layout), y: (&[Self], Layout), ct: (&[Self], Layout), write: Write) = reduce::extreme_pullback;
    /// [`rows::softmax`]
    fn softmax(op: SoftmaxOp, out: &mut [Self], x: &[Self], layout: Layout) = rows::softmax;
    /// [`rows::softmax_pullback`]
    fn softmax_pullback(op: SoftmaxOp, out: &mut [Self], y: (&[Self], Layout), ct: (&[Self], Layout), write: Write) = rows::softmax_pullback;
    /// [`random::fill`]
    fn random(law: Random, seed: u64, stream: u64, out: &mut [Self]) = random::fill;
    /// [`dropout::apply`]
    fn dropout(p: f64, seed: u64, x: Option<&[Self]>, out: &mut [Self]) = dropout::apply;
    /// [`fold::apply`]
    fn fold(op: FoldOp, out: &mut [Self], dims: &Dims, x: &[Self], layout: Layout) = fold::apply;
    /// [`fold::pullback`]
    fn fold_pullback(op: FoldOp, out: &mut [Self], x: (&[Self], Layout), y: (&[Self], Layout), ct: (&[Self], Layout)) = fold::pullback;
    /// [`scan::apply`]
    fn scan(op: ScanOp, out: &mut [Self], x: (&[Self], Layout)) = scan::apply;
    /// [`scan::cumprod_pullback`]
    fn cumprod_pullback(out: &mut [Self], x: (&[Self], Layout), y: (&[Self], Layout), ct: (&[Self], Layout)) = scan::cumprod_pullback;
    /// [`scan::cumprod_pushforward`]
    fn cumprod_pushforward(out: &mut [Self], x: (&[Self], Layout), y: (&[Self], Layout), t: (&[Self], Layout)) = scan::cumprod_pushforward;
    /// [`optim::sgd`]
    fn sgd(step: &SgdStep, param: &mut [Self], grad: &[Self], velocity: Option<&mut [Self]>) = optim::sgd;
    /// [`optim::adam`]
    fn adam(step: &AdamStep, param: &mut [Self], grad: &[Self], first: &mut [Self], second: &mut [Self]) = optim::adam;
    /// [`rows::cross_entropy`]
    fn cross_entropy(x: (&[Self], Layout), targets: &[usize], lse: &mut [Self], loss: &mut Self) = rows::cross_entropy;
    /// [`rows::cross_entropy_pullback`]
    fn cross_entropy_pullback(out: &mut [Self], x: (&[Self], Layout), targets: &[usize], lse: (&[Self], Layout), ct: Self, write: Write) = rows::cross_entropy_pullback;
    /// [`norm::forward`]
    fn norm(shape: &NormShape, x: &[Self], scale: &[Self], shift: &[Self], out: &mut [Self], stats: &mut [Self]) = norm::forward;
    /// [`norm::pullback`]
    fn norm_pullback(shape: &NormShape, x: &[Self], stats: &[Self], scale: &[Self], ct: &[Self], d_x: &mut [Self], d_scale: &mut [Self], d_shift: &mut [Self]) = norm::pullback;
    /// [`norm::pushforward`]
    fn norm_pushforward(shape: &NormShape, x: &[Self], stats: &[Self], t: &[Self], out: &mut [Self]) = norm::pushforward;
    /// [`conv::forward`]
    fn conv(shape: &ConvShape, x: &[Self], w: &[Self], out: &mut [Self]) = conv::forward, mixed own;
    /// [`conv::input`]
    fn conv_input(shape: &ConvShape, w: &[Self], ct: &[Self], out: &mut [Self]) = conv::input, mixed own;
    /// [`conv::weight`]
    fn conv_weight(shape: &ConvShape, x: &[Self], ct: &[Self], out: &mut [Self]) = conv::weight, mixed own;
    /// [`conv::unfold`]
    fn unfold_windows(shape: &ConvShape, x: &[Self], out: &mut [Self]) = conv::unfold;
    /// [`conv::fold`]
    fn fold_windows(shape: &ConvShape, matrix: &[Self], out: &mut [Self]) = conv::fold;
    /// [`pooling::pool`]
    fn pool(op: PoolOp, shape: &PoolShape, x: &[Self], out: &mut [Self]) = pooling::pool;
    /// [`pooling::pullback`]
    fn pool_pullback(op: PoolOp, shape: &PoolShape, x: &[Self], ct: &[Self], out: &mut [Self]) = pooling::pullback;
    /// [`pooling::pushforward`]
    fn pool_pushforward(shape: &PoolShape, x: &[Self], t: &[Self], out: &mut [Self]) = pooling::pushforward;
    /// [`attention::forward`]
    fn attention(problem: Problem<'_, Self>, out: &mut [Self], stats: &mut [Self]) = attention::forward, mixed same;
    /// [`attention::pullback`]
    fn attention_pullback(problem: Problem<'_, Self>, saved: [&[Self]; 2], ct: &[Self], into: Gradients<'_, Self>) = attention::pullback, mixed same;
    /// [`attention::pushforward`]
    fn attention_pushforward(problem: Problem<'_, Self>, saved: [&[Self]; 2], tangents: Tangents<'_, Self>, out: &mut [Self]) = attention::pushforward, mixed same;
    /// [`recurrent::forward`]
    fn recurrence(shape: &Recurrence, weights: &[Self], bias: &[Self], h0: &[Self], c0: &[Self], slots: &mut [Self], memory: &mut [Self], out: &mut [Self]) = recurrent::forward, mixed same;
    /// [`recurrent::backward`]
    fn recurrence_pullback(shape: &Recurrence, weights: &[Self], ran: Ran<'_, Self>, ct: recurrent::Cotangents<'_, Self>, into: recurrent::Gradients<'_, Self>) = recurrent::backward, mixed same;
    /// [`recurrent::tangent`]
    fn recurrence_pushforward(shape: &Recurrence, weights: &[Self], ran: Ran<'_, Self>, slots: &[Self], t_slots: &[Self], t_h0: &[Self], t_c: &mut [Self], out: &mut [Self]) = recurrent::tangent, mixed same;
    /// [`ctc::losses`]
    fn ctc(sequences: ctc::Sequences<'_, Self>, out: &mut [Self]) = ctc::losses;
    /// [`ctc::pullback`]
    fn ctc_pullback(sequences: ctc::Sequences<'_, Self>, ct: &[Self], out: &mut [Self]) = ctc::pullback;
    /// [`channels::affine`]
    fn channel_affine(sizes: [usize; 3], x: &[Self], of_channels: [&[Self]; 3], out: &mut [Self]) = channels::affine;
    /// [`channels::moments`]
    fn channel_moments(sizes: [usize; 3], x: &[Self], centre: &[Self], ct: &[Self], out: &mut [Self]) = channels::moments;
    /// [`resample::forward`]
    fn resample(shape: &Resample, x: &[Self], out: &mut [Self]) = resample::forward;
    /// [`resample::pullback`]
    fn resample_pullback(shape: &Resample, ct: &[Self], out: &mut [Self]) = resample::pullback;
    /// [`index::scatter_add`]
    fn scatter_add(out: &mut [Self], x: (&[Self], Layout), picks: &[usize]) = index::scatter_add;
    /// [`along::add`]
    fn add_axis(out: &mut [Self], x: &[Self], picks: &[usize], n: usize, inner: usize) = along::add;
    /// [`along::add_each`]
    fn add_along(out: &mut [Self], x: &[Self], picks: &[usize], sizes: [usize; 3]) = along::add_each;
}

kernels! {
    /// The kernels that every element type has. See the modules for what each does.
    trait ElemKernels for [f32 f64 bf16 f16 i64 u32 u8 bool];
    /// [`map::copy`]
    fn copy(out: &mut [Self], dims: &[usize], x: Arg<'_, Self>) = map::copy;
    /// [`binary::compare`]
    fn compare(op: CompareOp, out: &mut [bool], dims: &[usize], a: Arg<'_, Self>, b: Arg<'_, Self>) = binary::compare;
    /// [`binary::select`]
    fn select(out: &mut [Self], dims: &[usize], mask: Arg<'_, bool>, a: Src<'_, Self>, b: Src<'_, Self>) = binary::select;
    /// [`index::gather`]
    fn gather(out: &mut [Self], x: (&[Self], Layout), picks: &[usize]) = index::gather;
    /// [`sort::argsort`]
    fn argsort(order: SortOrder, out: &mut [i64], x: (&[Self], Layout), keep: usize) = sort::argsort;
    /// [`along::select`]
    fn select_axis(out: &mut [Self], x: &[Self], picks: &[usize], n: usize, inner: usize) = along::select;
    /// [`along::take`]
    fn take_along(out: &mut [Self], x: &[Self], picks: &[usize], sizes: [usize; 3]) = along::take;
    /// [`along::put_each`]
    fn put_along(out: &mut [Self], x: &[Self], picks: &[usize], sizes: [usize; 3]) = along::put_each;
    /// [`along::triangle`]
    fn triangle(out: &mut [Self], sizes: [usize; 2], upper: bool, k: isize) = along::triangle;
    /// [`reduce::arg`]
    fn arg(op: ArgOp, out: &mut [i64], x: &[Self], layout: Layout) = reduce::arg;
}

kernels! {
    /// The arithmetic kernels of integers. See the modules for what each does.
    trait IntegerKernels for [i64 u32 u8];
    /// [`integer::apply`]
    fn integer(op: IntegerOp, out: &mut [Self], dims: &[usize], a: Arg<'_, Self>, b: Arg<'_, Self>) = integer::apply;
}
