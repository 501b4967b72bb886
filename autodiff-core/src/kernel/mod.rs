//! CPU kernels over untyped buffers; never generic over shape.
//!
//! Kernels are written once over [`Float`](crate::device::Float) and compiled here, once for each
//! element type, through [`FloatKernels`]: a program that uses them does not compile them again.

pub mod binary;
pub mod drive;
pub mod gemm;
pub mod index;
pub mod map;
pub mod math;
pub mod nest;
pub mod optim;
pub mod par;
pub mod pool;
pub mod random;
pub mod reduce;
pub mod rows;
pub mod simd;
pub mod unary;

use crate::device::{
    AdamStep, BinaryOp, Dims, Layout, Random, ReduceOp, SgdStep, Side, SoftmaxOp, UnaryOp, Write,
};
use drive::Src;
use map::Arg;

macro_rules! kernels {
    ($( $(#[$doc:meta])* fn $name:ident($($arg:ident: $t:ty),*) = $module:ident :: $f:ident; )*) => {
        /// The kernels of one element type. See the modules for what each does.
        #[allow(clippy::too_many_arguments)]
        pub trait FloatKernels: Sized {
            $( $(#[$doc])* fn $name($($arg: $t),*); )*
        }
        kernels!(@ f32 $( fn $name($($arg: $t),*) = $module::$f; )*);
        kernels!(@ f64 $( fn $name($($arg: $t),*) = $module::$f; )*);
    };
    (@ $float:ident $( fn $name:ident($($arg:ident: $t:ty),*) = $module:ident :: $f:ident; )*) => {
        impl FloatKernels for $float {
            $( fn $name($($arg: $t),*) { $module::$f($($arg),*) } )*
        }
    };
}

kernels! {
    /// [`unary::apply`]
    fn unary(op: UnaryOp, out: &mut [Self], dims: &[usize], x: Src<'_, Self>) = unary::apply;
    /// [`unary::pullback`]
    fn unary_pullback(op: UnaryOp, out: &mut [Self], dims: &[usize], saved: Src<'_, Self>, ct: Src<'_, Self>, write: Write) = unary::pullback;
    /// [`binary::apply`]
    fn binary(op: BinaryOp, out: &mut [Self], dims: &[usize], a: Src<'_, Self>, b: Src<'_, Self>, write: Write) = binary::apply;
    /// [`binary::pullback`]
    fn binary_pullback(op: BinaryOp, side: Side, out: &mut [Self], dims: &[usize], a: Src<'_, Self>, b: Src<'_, Self>, ct: Src<'_, Self>, write: Write) = binary::pullback;
    /// [`binary::add_scaled`]
    fn add_scaled(alpha: Self, y: &mut [Self], dims: &[usize], x: Arg<'_, Self>) = binary::add_scaled;
    /// [`gemm::gemm`]
    fn gemm(beta: Self, a: (&[Self], Layout), b: (&[Self], Layout), out: (&mut [Self], Layout)) = gemm::gemm;
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
    /// [`optim::sgd`]
    fn sgd(step: &SgdStep, param: &mut [Self], grad: &[Self], velocity: Option<&mut [Self]>) = optim::sgd;
    /// [`optim::adam`]
    fn adam(step: &AdamStep, param: &mut [Self], grad: &[Self], first: &mut [Self], second: &mut [Self]) = optim::adam;
}
