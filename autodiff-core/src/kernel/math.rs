//! Elementary functions without branches, so that loops over them become vector code, and special
//! functions that the standard library lacks.
//!
//! No fused multiply-add: every processor gives the same bits. Errors are below 2 units in the last
//! place, 3 for `ln` in `f64`: `docs/book/src/reference/accuracy.md` has them all, measured against higher precision.

#![allow(
    clippy::excessive_precision,
    reason = "coefficients are kept as published or computed"
)]

use core::f64::consts::LOG2_E;

macro_rules! horner {
    ($x:expr; $c0:expr $(, $c:expr)*) => {{ let x = $x; let r = $c0; $( let r = r * x + $c; )* r }};
}
pub(super) use horner;

/// Adding and subtracting 1.5·2²³ rounds to an integer, which then stands in the low bits.
const ROUND_32: f32 = 12_582_912.0;
/// 1.5·2⁵², likewise.
pub(super) const ROUND_64: f64 = 6_755_399_441_055_744.0;

/// `e^x`: `x = n·ln 2 + r`, a polynomial in `r`, and `2ⁿ` in two factors so that subnormal
/// numbers and infinity come out right.
#[inline(always)]
pub fn exp_f32(x: f32) -> f32 {
    // The comparisons are written so that NaN passes.
    let x = if x < -105.0 { -105.0 } else { x };
    let x = if x > 89.0 { 89.0 } else { x };
    let (u, n) = reduced_f32(x);
    let half = n >> 1;
    let power = |n: i32| f32::from_bits((n.wrapping_add(127) as u32) << 23);
    u * power(half) * power(n.wrapping_sub(half))
}

/// `e^x` of numbers that are not above 0: `2ⁿ` with a fixed factor, which leaves subnormal numbers to the
/// last product.
#[inline(always)]
pub fn exp_of_negative_f32(x: f32) -> f32 {
    // The comparison is written so that NaN passes.
    let x = if x < -105.0 { -105.0 } else { x };
    let (u, n) = reduced_f32(x);
    let power = f32::from_bits((n.wrapping_add(127 + 64) as u32) << 23);
    u * power * 5.421_010_862_427_522e-20
}

/// `u` and `n` with `e^x = 2ⁿ u`.
#[inline(always)]
fn reduced_f32(x: f32) -> (f32, i32) {
    let t = x * LOG2_E as f32 + ROUND_32;
    let n = t - ROUND_32;
    // The upper part of ln 2 has few bits, so that its product with n is exact.
    let r = x - n * 0.693_145_75 - n * 1.428_606_8e-6;
    let u = horner!(r; 0.000_198_527_62_f32, 0.001_393_043_5, 0.008_333_361, 0.041_666_485, 0.166_666_67, 0.5);
    let n = (t.to_bits() as i32).wrapping_sub(ROUND_32.to_bits() as i32);
    (r * r * u + r + 1.0, n)
}

/// `e^x`, as [`exp_f32`].
#[inline(always)]
pub fn exp_f64(x: f64) -> f64 {
    let x = if x < -746.0 { -746.0 } else { x };
    let x = if x > 710.0 { 710.0 } else { x };
    let t = x * LOG2_E + ROUND_64;
    let n = t - ROUND_64;
    let r = x
        - n * 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75
        - n * 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
    let u = horner!(r; 2.088_606_211_072_836_875_363_41e-9_f64, 2.511_129_308_928_765_186_106_61e-8,
        2.755_739_112_349_004_718_933_38e-7, 2.755_723_629_119_288_276_294_23e-6, 2.480_158_715_923_547_299_879_1e-5,
        0.000_198_412_698_960_509_205_564_975, 0.001_388_888_888_897_744_922_079_62, 0.008_333_333_333_316_527_216_649_84,
        0.041_666_666_666_666_504_759_142_2, 0.166_666_666_666_666_851_703_837, 0.5);
    let u = r * r * u + r + 1.0;
    let n = (t.to_bits() as i64).wrapping_sub(ROUND_64.to_bits() as i64);
    // Vector units have no 64-bit arithmetic shift before AVX-512; a bias makes it logical.
    let half = ((n.wrapping_add(4096) as u64) >> 1) as i64 - 2048;
    let power = |n: i64| f64::from_bits((n.wrapping_add(1023) as u64) << 52);
    u * power(half) * power(n.wrapping_sub(half))
}

/// `ln x`: the exponent times ln 2 plus a polynomial in the mantissa, taken in `[2/3, 4/3)`.
#[inline(always)]
pub fn ln_f32(a: f32) -> f32 {
    let tiny = a < f32::MIN_POSITIVE;
    let x = if tiny { a * 8_388_608.0 } else { a };
    let shift = if tiny { -23.0 } else { 0.0 };
    let e = (x.to_bits() as i32).wrapping_sub(0x3f2a_aaab) >> 23;
    let m = f32::from_bits(x.to_bits().wrapping_sub((e as u32) << 23));
    let i = e as f32 + shift;
    let f = m - 1.0;
    let s = f * f;
    let r = horner!(s; -0.130_310_06_f32, -0.121_483_51, -0.166_846_13, -0.249_996_2);
    let t = horner!(s; 0.140_869_14_f32, 0.139_814_85, 0.200_120_35);
    let r = ((t * f + r) * f + 0.333_331_97) * f - 0.5;
    let r = i * core::f32::consts::LN_2 + (r * s + f);
    // Infinity and NaN are themselves.
    let r = if a < f32::INFINITY { r } else { a + a };
    let r = if a == 0.0 { f32::NEG_INFINITY } else { r };
    if a < 0.0 { f32::NAN } else { r }
}

/// `ln x`, as [`ln_f32`] with `atanh((m − 1)/(m + 1))` for the mantissa.
#[inline(always)]
pub fn ln_f64(a: f64) -> f64 {
    let tiny = a < f64::MIN_POSITIVE;
    let x = if tiny {
        a * 18_014_398_509_481_984.0
    } else {
        a
    };
    let shift = if tiny { -54.0 } else { 0.0 };
    let e = x.to_bits().wrapping_sub(0x3FE8_0000_0000_0000);
    let e = (e.wrapping_add(0x4000_0000_0000_0000) >> 52) as i32 - 1024;
    let m = f64::from_bits(x.to_bits().wrapping_sub((i64::from(e) as u64) << 52));
    let i = f64::from(e) + shift;
    let y = (m - 1.0) / (m + 1.0);
    let y2 = y * y;
    let t = horner!(y2; 0.153_487_338_491_425_068_243_146_f64, 0.152_519_917_006_351_951_593_857,
        0.181_863_266_251_982_985_677_316, 0.222_221_366_518_767_365_905_163, 0.285_714_294_746_548_025_383_248,
        0.399_999_999_950_799_600_689_777, 0.666_666_666_666_777_874_006_3);
    let r = i * core::f64::consts::LN_2 + (y + y + y * y2 * t);
    let r = if a < f64::INFINITY { r } else { a + a };
    let r = if a == 0.0 { f64::NEG_INFINITY } else { r };
    if a < 0.0 { f64::NAN } else { r }
}

/// `tanh x`: an odd polynomial near 0, `1 − 2/(e^2x + 1)` elsewhere.
#[inline(always)]
pub fn tanh_f32(x: f32) -> f32 {
    let a = x.abs();
    let z = x * x;
    let p = horner!(z; -5.704_988_7e-3_f32, 2.063_908_9e-2, -5.373_971_6e-2, 1.333_144_2e-1, -3.333_328_2e-1);
    let small = (p * z * x + x).copysign(x);
    let big = (1.0 - 2.0 / (exp_f32(a + a) + 1.0)).copysign(x);
    if a < 0.625 { small } else { big }
}

/// `tanh x`, as [`tanh_f32`] with a rational function near 0.
#[inline(always)]
pub fn tanh_f64(x: f64) -> f64 {
    let a = x.abs();
    let s = x * x;
    let p = horner!(s; -9.643_991_794_250_522_386_28e-1_f64, -9.928_772_310_019_185_865_64e1, -1.614_687_684_417_084_479_52e3);
    let q = horner!(s; 1.0_f64, 1.128_116_784_916_329_314_02e2, 2.235_488_390_601_004_485_83e3, 4.844_063_053_251_254_860_48e3);
    let small = (x * s * p / q + x).copysign(x);
    let big = (1.0 - 2.0 / (exp_f64(a + a) + 1.0)).copysign(x);
    if a < 0.625 { small } else { big }
}

/// The error function.
#[inline(always)]
pub fn erf_f32(a: f32) -> f32 {
    let t = a.abs();
    let s = a * a;
    let r = (-1.728_534_7e-5_f32 * t + 3.831_971_3e-4) * s + (-3.883_964_4e-3 * t + 2.425_462_2e-2);
    let r = ((((r * t - 1.067_778_8e-1) * t - 6.348_468_7e-1) * t - 1.287_175_1e-1) * t) - t;
    let big = (1.0 - exp_f32(r)).copysign(a);
    let big = if t > 4.0 { 1.0_f32.copysign(a) } else { big };
    let p = horner!(s; -5.967_617e-4_f32, 4.991_194_2e-3, -2.676_813_5e-2, 1.128_199_25e-1, -3.761_253_7e-1, 1.283_791_7e-1);
    let small = (p * a + a).copysign(a);
    if t < 0.921_875 { small } else { big }
}

/// The error function: an odd polynomial below 1, `1 − e^(−x²) Q((x − 4)/(x + 4))` above, with Chebyshev
/// interpolants of 50 digits.
#[inline(always)]
pub fn erf_f64(x: f64) -> f64 {
    let a = x.abs();
    let s = x * x;
    let p = horner!(s; 5.957_176_147_748_883_44e-11_f64, -1.137_284_885_679_165_618_1e-9,
        1.465_977_527_404_743_100_1e-8, -1.635_031_270_105_469_424_5e-7, 1.646_100_048_412_136_795_5e-6,
        -1.492_559_526_683_118_156e-5, 1.205_533_111_164_271_092_2e-4, -8.548_326_980_833_789_905_2e-4,
        5.223_977_624_818_014_467_3e-3, -2.686_617_064_507_679_324_8e-2, 1.128_379_167_095_487_866_6e-1,
        -3.761_263_890_318_374_805_6e-1, 1.283_791_670_955_125_737_7e-1);
    let small = (p * x + x).copysign(x);
    // Beyond 6 the value is 1.
    let c = if a > 6.0 { 6.0 } else { a };
    let t = (c - 4.0) / (c + 4.0);
    let q = horner!(t; 7.505_329_280_221_603_225_6e-7_f64, 4.483_180_448_793_563_881_5e-6,
        -9.122_823_549_733_650_376_3e-7, -2.228_150_565_520_783_438_4e-5, 7.895_898_356_281_066_856_2e-5,
        -2.179_660_282_374_750_770_1e-5, -7.991_326_105_416_311_927_9e-4, 4.060_264_649_859_017_207_1e-3,
        -1.284_394_566_933_546_273_8e-2, 3.129_905_651_770_693_888_7e-2, -6.310_781_564_770_189_732_7e-2,
        1.089_631_773_986_148_390_1e-1, -1.642_578_166_972_383_030_9e-1, 2.187_196_789_182_674_306_5e-1,
        -2.590_680_487_601_718_266_7e-1, 1.369_994_576_250_613_873_3e-1);
    let big = (1.0 - exp_f64(-c * c) * q).copysign(x);
    // Written so that NaN takes the first.
    if a >= 1.0 { big } else { small }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error in units in the last place over a sweep of `f32` inputs.
    fn worst(f: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64, lo: f32, hi: f32) -> f64 {
        let n = 400_000;
        let mut worst = 0.0f64;
        for i in 0..n {
            let x = lo + (hi - lo) * (i as f32 / n as f32);
            let e = exact(f64::from(x));
            let y = (e as f32).abs().max(f32::MIN_POSITIVE);
            let ulp = f64::from(f32::from_bits(y.to_bits() + 1) - y);
            worst = worst.max((f64::from(f(x)) - e).abs() / ulp);
        }
        worst
    }

    #[test]
    fn f32_functions_are_within_two_ulp() {
        assert!(worst(exp_f32, f64::exp, -87.0, 88.7) < 2.0);
        assert!(worst(ln_f32, f64::ln, 1e-38, 4.0) < 2.0);
        assert!(worst(ln_f32, f64::ln, 0.5, 1e30) < 2.0);
        assert!(worst(tanh_f32, f64::tanh, -10.0, 10.0) < 2.0);
        assert!(worst(erf_f32, erf_f64, -5.0, 5.0) < 2.0);
    }

    #[test]
    fn f64_functions_agree_with_the_standard_library() {
        for i in -200_000..200_000 {
            let x = f64::from(i) * 3.53e-3 + 1e-5;
            let close = |a: f64, b: f64, ulps: f64| {
                (a - b).abs() <= ulps * f64::EPSILON * b.abs() || a == b
            };
            assert!(
                close(exp_f64(x), x.exp(), 3.0),
                "exp({x}) = {} {}",
                exp_f64(x),
                x.exp()
            );
            assert!(close(ln_f64(x.abs()), x.abs().ln(), 3.0), "ln({x})");
            assert!(
                close(tanh_f64(x * 0.02), (x * 0.02).tanh(), 4.0),
                "tanh({x})"
            );
        }
    }

    #[test]
    fn erf_at_known_points() {
        // Abramowitz and Stegun, table 7.1.
        for (x, y) in [
            (0.5, 0.520_499_877_813_046_5),
            (1.0, 0.842_700_792_949_714_9),
            (2.0, 0.995_322_265_018_952_7),
            (3.0, 0.999_977_909_503_001_4),
        ] {
            assert!((erf_f64(x) - y).abs() < 4e-16, "{x}: {}", erf_f64(x));
            assert_eq!(erf_f64(-x), -erf_f64(x));
        }
    }

    #[test]
    fn special_values() {
        for f in [exp_f32 as fn(f32) -> f32, ln_f32, tanh_f32, erf_f32] {
            assert!(f(f32::NAN).is_nan());
        }
        assert_eq!(exp_f32(f32::INFINITY), f32::INFINITY);
        assert_eq!(exp_f32(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp_f32(0.0), 1.0);
        assert_eq!(exp_f32(-100.0), (-100f64).exp() as f32);
        assert_eq!(ln_f32(0.0), f32::NEG_INFINITY);
        assert_eq!(ln_f32(1.0), 0.0);
        assert!(ln_f32(-1.0).is_nan());
        assert_eq!(ln_f32(f32::INFINITY), f32::INFINITY);
        assert!((ln_f32(1e-42) - 1e-42f32.ln()).abs() < 1e-5);
        assert_eq!(tanh_f32(f32::INFINITY), 1.0);
        assert_eq!(tanh_f32(f32::NEG_INFINITY), -1.0);
        assert!(tanh_f32(-0.0).is_sign_negative() && erf_f32(-0.0).is_sign_negative());
        assert_eq!(erf_f32(f32::NEG_INFINITY), -1.0);
        assert!(
            exp_f64(f64::NAN).is_nan()
                && ln_f64(f64::NAN).is_nan()
                && tanh_f64(f64::NAN).is_nan()
                && erf_f64(f64::NAN).is_nan()
        );
        assert_eq!(exp_f64(f64::INFINITY), f64::INFINITY);
        assert_eq!(exp_f64(f64::NEG_INFINITY), 0.0);
        assert_eq!(ln_f64(0.0), f64::NEG_INFINITY);
        assert_eq!(ln_f64(f64::INFINITY), f64::INFINITY);
        assert!((ln_f64(5e-320) - 5e-320f64.ln()).abs() < 1e-12);
    }
}
