//! Functions near `e^x` and `ln x` without branches: `e^x − 1`, `ln(1 + x)`, powers and the inverse
//! hyperbolic functions.

use super::math::{exp_f64, ln_f64};
use crate::device::Float;

/// `e^x − 1`: the rounding error of `e^x` cancels in the ratio to its own logarithm (Kahan; Higham
/// 2002, section 1.14.1). Below 4 units in the last place.
#[inline(always)]
pub fn exp_m1<T: Float>(x: T) -> T {
    let u = x.exp();
    let d = u - T::ONE;
    // Not the product first: it overflows before the value does.
    let y = d * (x / u.ln());
    let y = if d == T::ZERO { x } else { y };
    if d == -T::ONE || u == T::INFINITY {
        d
    } else {
        y
    }
}

/// `ln(1 + x)`: what rounding `1 + x` lost is made up for by the ratio (Goldberg 1991, theorem 4).
/// Below 4 units in the last place.
#[inline(always)]
pub fn ln_1p<T: Float>(x: T) -> T {
    let u = T::ONE + x;
    let d = u - T::ONE;
    let y = u.ln() * (x / d);
    let y = if d == T::ZERO { x } else { y };
    if u == T::INFINITY { u } else { y }
}

/// `asinh x = ln_1p(a + a²/(1 + √(1 + a²)))` for `a = |x|`, `ln 2a` where the square is so large that the rest
/// is lost. Below 5 units in the last place.
#[inline(always)]
pub fn asinh<T: Float>(x: T) -> T {
    let a = x.abs();
    let square = a * a;
    let y = (a + square / (T::ONE + (T::ONE + square).sqrt())).ln_1p();
    let y = if a > T::lit(LARGE) { ln_twice(a) } else { y };
    // Zeros are themselves.
    if x < T::ZERO {
        -y
    } else if x == T::ZERO {
        x
    } else {
        y
    }
}

/// `acosh x = ln_1p(t + √(t(t + 2)))` for `t = x − 1`. Below 5 units in the last place.
#[inline(always)]
pub fn acosh<T: Float>(x: T) -> T {
    let t = x - T::ONE;
    let y = (t + (t * (t + T::lit(2.0))).sqrt()).ln_1p();
    let y = if x > T::lit(LARGE) { ln_twice(x) } else { y };
    if x < T::ONE { T::NAN } else { y }
}

/// `atanh x = ½ ln_1p(2a/(1 − a))` for `a = |x|`, which cancels for neither sign. Below 5 units in the last
/// place.
#[inline(always)]
pub fn atanh<T: Float>(x: T) -> T {
    let a = x.abs();
    let y = T::lit(0.5) * ((a + a) / (T::ONE - a)).ln_1p();
    if x < T::ZERO {
        -y
    } else if x == T::ZERO {
        x
    } else {
        y
    }
}

/// From here on `x² + 1` is `x²`, in all digits.
const LARGE: f64 = (1u64 << 28) as f64;

#[inline(always)]
fn ln_twice<T: Float>(x: T) -> T {
    x.ln() + T::lit(core::f64::consts::LN_2)
}

/// `a^b` by `e^(b ln |a|)` in `f64`, correctly rounded but for rare cases; the special values are those of
/// IEEE 754's `pow`.
#[inline(always)]
pub fn powf_f32(a: f32, b: f32) -> f32 {
    let (wide, b) = (f64::from(a.abs()), f64::from(b));
    let y = exp_f64(b * ln_f64(wide));
    // 0·∞: any number to the power 0, and 1 to any power.
    let y = if b == 0.0 || wide == 1.0 { 1.0 } else { y };
    let integer = b.trunc() == b;
    let half = b * 0.5;
    let odd = integer && half.trunc() != half;
    let signed = if odd { -y } else { y };
    // A negative number has only integer powers; zeros and infinities have all.
    let signed = if integer || wide == 0.0 || wide == f64::INFINITY {
        signed
    } else {
        f64::NAN
    };
    // (−1)^±∞ is 1, and b = 0 takes even a NaN to 1.
    let signed = if b == 0.0 { 1.0 } else { signed };
    let y = if a.is_sign_negative() && !a.is_nan() {
        signed
    } else {
        y
    };
    if a == 1.0 || b == 0.0 { 1.0 } else { y as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: f32, b: f32) -> bool {
        a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
    }

    #[test]
    fn special_powers_are_those_of_the_standard_library() {
        let inf = f32::INFINITY;
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            -2.0,
            0.5,
            -0.5,
            3.0,
            -3.0,
            1e-45,
            -1e-45,
            1e38,
            -1e38,
            16_777_217.0,
            inf,
            -inf,
            f32::NAN,
        ];
        for a in values {
            for b in values {
                assert!(
                    same(powf_f32(a, b), a.powf(b)),
                    "{a}^{b}: {} {}",
                    powf_f32(a, b),
                    a.powf(b)
                );
            }
        }
    }

    #[test]
    fn powers_are_correctly_rounded_but_for_rare_cases() {
        let mut wrong = 0;
        for i in 0..300_000u32 {
            let a = (i % 1000) as f32 * 0.013 + 1e-3;
            let b = (i / 1000) as f32 * 0.11 - 16.0;
            let (y, exact) = (powf_f32(a, b), f64::from(a).powf(f64::from(b)));
            if y != exact as f32 {
                wrong += 1;
                let gap = f64::from(y) / exact - 1.0;
                assert!(gap.abs() < 6.1e-8 || exact < 1e-37, "{a}^{b}: {y} {exact}");
            }
        }
        assert!(wrong < 30, "{wrong}");
    }

    fn worst<T: Float>(
        f: fn(T) -> T,
        exact: fn(f64) -> f64,
        points: impl Iterator<Item = f64>,
    ) -> f64 {
        let eps = if T::DTYPE == crate::device::DType::F32 {
            f64::from(f32::EPSILON)
        } else {
            f64::EPSILON
        };
        points.fold(0.0, |w, x| {
            let x = T::lit(x);
            let e = exact(x.to_f64());
            f64::max(w, (f(x).to_f64() - e).abs() / (eps * e.abs().max(1e-300)))
        })
    }

    #[test]
    fn near_zero_no_digit_is_lost() {
        let points = || {
            (0..200_000)
                .map(|i| (f64::from(i) * 2e-4 - 36.0).exp() * if i % 2 == 0 { 1.0 } else { -1.0 })
        };
        let up = || points().filter(|x| x.abs() < 80.0);
        let above = || points().filter(|x| *x > -0.999);
        let worst = [
            worst::<f32>(exp_m1, f64::exp_m1, up()),
            worst::<f64>(exp_m1, f64::exp_m1, up()),
            worst::<f32>(ln_1p, f64::ln_1p, above()),
            worst::<f64>(ln_1p, f64::ln_1p, above()),
        ];
        assert!(worst.iter().all(|w| *w < 4.0), "{worst:?}");
    }

    #[test]
    fn special_values() {
        let inf = f64::INFINITY;
        assert_eq!((exp_m1(inf), exp_m1(-inf), exp_m1(710.0)), (inf, -1.0, inf));
        assert_eq!((ln_1p(inf), ln_1p(-1.0)), (inf, -inf));
        assert!(exp_m1(f64::NAN).is_nan() && ln_1p(f64::NAN).is_nan() && ln_1p(-1.5).is_nan());
        assert!(exp_m1(-0.0f64).is_sign_negative() && ln_1p(-0.0f64).is_sign_negative());
        assert_eq!((exp_m1(5e-324), ln_1p(5e-324)), (5e-324, 5e-324));
    }
}
