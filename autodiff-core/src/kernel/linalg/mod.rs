//! Factorisations of batches of dense row-major matrices, by faer.
//!
//! A matrix with an entry that is not finite gets NaN as its result, before faer sees it: iterations
//! on NaN need not end. Kernels that can fail return the number of the first matrix that did.

mod batch;
mod cholesky;
mod cofactor;
mod exp;
mod gaps;
mod lu;
mod product;
mod qr;
mod spectral;
mod triangular;

pub(crate) use batch::count;
pub(crate) use cofactor::has_good_inverse;
pub use gaps::Gaps;
pub use triangular::Triangle;

use crate::ad::{Half, Mixed};
use crate::device::Float;

/// An element type that faer can factorise matrices of.
pub(crate) trait Field: Float + faer::traits::RealField {
    /// The distance from 1 to the next number.
    const EPSILON: f64;
    /// Entries between the first and the second need no scaling before their squares are taken.
    const SAFE: [f64; 2];
    /// The degree of the Padé approximant of `exp`, 7 or 13, and the norm that it is good for.
    const PADE: (usize, f64);
}
impl Field for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;
    const SAFE: [f64; 2] = [1e-14, 1e14];
    const PADE: (usize, f64) = (7, 3.92572478313866);
}
impl Field for f64 {
    const EPSILON: f64 = f64::EPSILON;
    const SAFE: [f64; 2] = [1e-120, 1e120];
    const PADE: (usize, f64) = (13, 5.371920351148152);
}

fn finite<T: Float>(x: &[T]) -> bool {
    x.iter().all(|&x| x * T::ZERO == T::ZERO)
}

/// A program that factorises matrices of mixed precision is not compiled: the products of pullbacks would be rounded.
fn refused<H: Half, R>() -> R {
    const {
        assert!(
            size_of::<H>() == 0,
            "matrices of mixed precision are not factorised, expected `f32` or `f64`: convert them by `x.cast::<f32>()`"
        );
    }
    unreachable!("not compiled")
}

macro_rules! kernels {
    ($( $(#[$doc:meta])* fn $name:ident ($($arg:ident: $t:ty),* $(,)?) $(-> $out:ty)? = $module:ident :: $f:ident; )*) => {
        /// The factorisations of one element type. See the modules for what each does.
        pub trait LinalgKernels: Sized {
            $( $(#[$doc])* fn $name($($arg: $t),*) $(-> $out)?; )*
        }
        kernels!(@impl f32 [$( $name ($($arg: $t),*) ($($out)?) $module $f; )*]);
        kernels!(@impl f64 [$( $name ($($arg: $t),*) ($($out)?) $module $f; )*]);
        impl<H: Half> LinalgKernels for Mixed<H> {
            $( fn $name($(_: $t),*) $(-> $out)? { refused::<H, _>() } )*
        }
    };
    (@impl $type:ident [$( $name:ident ($($arg:ident: $t:ty),*) ($($out:ty)?) $module:ident $f:ident; )*]) => {
        impl LinalgKernels for $type {
            // Never inlined: a caller's crate would compile the kernel again.
            $( #[inline(never)] fn $name($($arg: $t),*) $(-> $out)? { $module::$f($($arg),*) } )*
        }
    };
}

kernels! {
    /// `lu::factor`
    fn lu(n: usize, x: &[Self], lu: &mut [Self], order: &mut [i64]) = lu::factor;
    /// `lu::solve`
    fn lu_solve(n: usize, k: usize, transposed: bool, lu: &[Self], order: &[i64], b: &[Self], out: &mut [Self]) -> Option<usize> = lu::solve;
    /// `lu::determinant`
    fn lu_determinant(n: usize, lu: &[Self], order: &[i64], sign: &mut [Self], log: &mut [Self]) = lu::determinant;
    /// `lu::whole_determinant`
    fn determinant(n: usize, x: &[Self], det: &mut [Self]) = lu::whole_determinant;
    /// `cofactor::cofactor`
    fn cofactor(n: usize, x: &[Self], out: &mut [Self]) = cofactor::cofactor;
    /// `triangular::solve`
    fn solve_triangular(n: usize, k: usize, which: Triangle, a: &[Self], b: &[Self], out: &mut [Self]) -> Option<usize> = triangular::solve;
    /// `cholesky::factor`
    fn cholesky(n: usize, x: &[Self], out: &mut [Self]) -> Option<usize> = cholesky::factor;
    /// `qr::factor`
    fn qr(m: usize, n: usize, x: &[Self], q: &mut [Self], r: &mut [Self]) = qr::factor;
    /// `spectral::eigh`
    fn eigh(n: usize, x: &[Self], w: &mut [Self], v: &mut [Self]) -> Option<usize> = spectral::eigh;
    /// `spectral::svd`
    fn svd(m: usize, n: usize, x: &[Self], u: &mut [Self], s: &mut [Self], vt: &mut [Self]) -> Option<usize> = spectral::svd;
    /// `gaps::divide`
    fn divide_gaps(how: Gaps, rows: usize, n: usize, w: &[Self], x: &[Self], out: &mut [Self]) = gaps::divide;
    /// `exp::exp`
    fn matrix_exp(n: usize, x: &[Self], out: &mut [Self]) = exp::exp;
    /// `exp::derivative`
    fn matrix_exp_derivative(n: usize, x: &[Self], t: &[Self], out: &mut [Self]) = exp::derivative;
}
