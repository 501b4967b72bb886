//! Duals as elements of tensors: what second derivatives of tensors are computed on.
//!
//! `Tensor<S, Dual<f32>>` is a tensor and its tangent, number beside number. All that is differentiable of tensors of
//! floats runs on it, pullbacks too; the derivative of a pullback is a product with the Hessian.

use super::elem::Make;
use super::elem::sealed::Sealed;
use super::{DType, Elem, Float, FloatElem, Math};
use crate::ad::*;
use crate::kernel::fused::rules;

impl<T: FloatElem + Scalar, const K: usize> Sealed for Dual<T, K> {}

/// Conversions take the value: what changes it must not go through them.
impl<T: FloatElem + Scalar, const K: usize> Elem for Dual<T, K> {
    const DTYPE: DType = DType::Dual;
    const ONE: Self = Dual {
        value: <T as Elem>::ONE,
        tangents: [<T as Scalar>::ZERO; K],
    };
    const ANY_BITS: bool = true;
    const INTEGER: bool = false;
    const MAKE: Make = T::MAKE.with_tangents(K);
    const COMPOSITE: bool = true;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        Elem::to_f64(self.value)
    }
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Dual::constant(<T as Elem>::from_f64(x))
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        self.value.to_i64()
    }
    #[inline(always)]
    fn from_i64(x: i64) -> Self {
        Dual::constant(<T as Elem>::from_i64(x))
    }
    #[inline(always)]
    fn changes(self) -> bool {
        // A zero may have tangents itself.
        let any = |t: &T| !t.is_zero() || t.changes();
        self.value.changes() || self.tangents.iter().any(any)
    }
}

/// The functions of duals: the value by that of the number, the tangents by its rule.
#[derive(Debug)]
pub enum OfDuals {}

impl<T: FloatElem + Scalar, const K: usize> FloatElem for Dual<T, K> {
    type Math = OfDuals;
}

/// `ψ″`, the derivative of the trigamma function: `ψ″(x) = ψ″(x + 1) − 2/x³`, from 12 on by its series in `1/x²`
/// (Abramowitz and Stegun 6.4.14), and below 0 by reflection.
fn tetragamma<T: Float>(x: T) -> T {
    let lit = T::lit;
    if x <= lit(0.0) {
        // ψ″(1 − x) − ψ″(x) = 2π³ cot(πx) / sin²(πx)
        let turn = lit(core::f64::consts::PI) * x;
        let (sin, cos) = (turn.sin(), turn.cos());
        let pi = lit(core::f64::consts::PI);
        return tetragamma(lit(1.0) - x) - lit(2.0) * pi * pi * pi * cos / (sin * sin * sin);
    }
    let (mut x, mut sum) = (x, lit(0.0));
    while x < lit(12.0) {
        sum = sum - lit(2.0) / (x * x * x);
        x = x + lit(1.0);
    }
    let y = lit(1.0) / (x * x);
    let series = [
        -1.0,
        -0.5,
        1.0 / 6.0,
        -1.0 / 6.0,
        0.3,
        -5.0 / 6.0,
        691.0 / 210.0,
    ];
    let series = series.iter().rev().fold(lit(0.0), |s, &c| s * y + lit(c));
    sum + y * (series - lit(1.0) / x)
}

macro_rules! functions {
    ({ $($g:ident |$x:ident, $y:ident| $slope:expr;)* }
        [$($(#[$doc:meta])* $f:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
        [$($(#[$doc0:meta])* $flat:ident $Op0:tt $Rule0:tt $reads0:ident ($cost0:literal $pull_cost0:literal) $domain0:tt;)*]
    ) => {
        impl<T: FloatElem + Scalar, const K: usize> Math<Dual<T, K>> for OfDuals {
            const ZERO: Dual<T, K> = <Dual<T, K> as Scalar>::ZERO;
            const NAN: Dual<T, K> = Dual { value: T::NAN, tangents: [<T as Scalar>::ZERO; K] };
            const INFINITY: Dual<T, K> = Dual { value: T::INFINITY, tangents: [<T as Scalar>::ZERO; K] };
            const MIN_POSITIVE: Dual<T, K> = Dual { value: T::MIN_POSITIVE, tangents: [<T as Scalar>::ZERO; K] };
            #[inline(always)]
            fn lit(x: f64) -> Dual<T, K> {
                Dual::constant(<T as Float>::lit(x))
            }
            #[inline(always)]
            fn is_nan(x: Dual<T, K>) -> bool {
                Float::is_nan(x.value)
            }
            $(
                #[inline(always)]
                fn $f(x: Dual<T, K>) -> Dual<T, K> {
                    let y = Float::$f(x.value);
                    x.chain(y, <T as $Rule>::push(&x.value, &y, &<T as Scalar>::ONE))
                }
            )*
            $(
                #[inline(always)]
                fn $flat(x: Dual<T, K>) -> Dual<T, K> {
                    Dual::constant(Float::$flat(x.value))
                }
            )*
            $(
                #[inline(always)]
                fn $g(x: Dual<T, K>) -> Dual<T, K> {
                    let ($x, $y) = (x.value, Float::$g(x.value));
                    x.chain($y, $slope)
                }
            )*
            #[inline(always)]
            fn powi(x: Dual<T, K>, n: i32) -> Dual<T, K> {
                x.chain(Float::powi(x.value, n), <T as PowiRule>::push(&x.value, n, &x.value, &<T as Scalar>::ONE))
            }
            #[inline(always)]
            fn powf(a: Dual<T, K>, b: Dual<T, K>) -> Dual<T, K> {
                let (x, p) = (a.value, b.value);
                let y = Float::powf(x, p);
                let one = <T as Scalar>::ONE;
                let by_base = <T as PowfRule<T>>::push_l(&x, &p, &y, &one);
                a.chain2(b, y, by_base, <T as PowfRule<T>>::push_r(&x, &p, &y, &one))
            }
            #[inline(always)]
            fn atan2(a: Dual<T, K>, b: Dual<T, K>) -> Dual<T, K> {
                Scalar::atan2(a, b)
            }
            #[inline(always)]
            fn hypot(a: Dual<T, K>, b: Dual<T, K>) -> Dual<T, K> {
                Scalar::hypot(a, b)
            }
            #[inline(always)]
            fn remainder(a: Dual<T, K>, b: Dual<T, K>) -> Dual<T, K> {
                a % b
            }
            #[inline(always)]
            fn maximum(a: Dual<T, K>, b: Dual<T, K>) -> Dual<T, K> {
                Scalar::max(a, b)
            }
            #[inline(always)]
            fn minimum(a: Dual<T, K>, b: Dual<T, K>) -> Dual<T, K> {
                Scalar::min(a, b)
            }
        }
    };
}

autodiff_vocabulary::functions!(short functions, {
    // Through `e^−x`, which overflows where the slope is 0, it would be 0·∞.
    sigmoid |x, y| rules::sigmoid::pull(x, y, <T as Scalar>::ONE);
    erf |x, y| rules::erf::pull(x, y, <T as Scalar>::ONE);
    erfc |x, y| rules::erfc::pull(x, y, <T as Scalar>::ONE);
    ln_gamma |x, _y| x.digamma();
    digamma |x, _y| x.trigamma();
    trigamma |x, _y| tetragamma(x);
} [numbers turns shifts] [flat]);
