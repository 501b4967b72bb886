//! Sine, cosine and tangent: the argument is brought to `[−π/4, π/4]`, where polynomials follow.
//!
//! Up to 10⁶ `π/2` is taken away in parts whose products are exact (Cody and Waite 1980), without a
//! branch, for `f32` in `f64`. Beyond it, in `f32` the bits of `2/π` that matter for the exponent of `x`
//! come from a table (Payne and Hanek 1983), and two products in `f64` give the number of quarter turns
//! modulo 4; in `f64` the standard library answers. Errors: `docs/book/src/reference/accuracy.md`.

#![allow(
    clippy::excessive_precision,
    reason = "coefficients are kept as computed"
)]

use super::math::{ROUND_64, horner};
use core::f64::consts::FRAC_PI_2;

/// The first 192 bits after the point of `2/π`.
const TWO_OVER_PI: [u32; 6] = [
    0xA2F9_836E,
    0x4E44_1529,
    0xFC27_57D1,
    0xF534_DDC0,
    0xDB62_9599,
    0x3C43_9041,
];

/// `2/π · 2ⁱ mod 4`, as 29 bits (two before the point) and 53 more. Zero where there is no such
/// finite `x`, so that infinity becomes NaN.
static QUARTER_TURNS: [[f64; 2]; 128] = {
    let mut table = [[0.0; 2]; 128];
    let mut i = 0;
    while i < 105 {
        let (mut upper, mut lower) = (0u64, 0u64);
        let mut bit = 0;
        while bit < 82 {
            // Two zeros stand before the fraction.
            let at = i + bit;
            let one = if at < 2 {
                0
            } else {
                (TWO_OVER_PI[(at - 2) / 32] >> (31 - (at - 2) % 32)) as u64 & 1
            };
            if bit < 29 {
                upper = upper << 1 | one;
            } else {
                lower = lower << 1 | one;
            }
            bit += 1;
        }
        table[i] = [
            upper as f64 / (1u64 << 27) as f64,
            lower as f64 / (1u64 << 40) as f64 / (1u64 << 40) as f64,
        ];
        i += 1;
    }
    table
};

/// As [`far_f32`] for `|x|` up to [`NEAR`].
#[inline(always)]
fn near_f32(x: f32) -> (u32, f32) {
    let x = f64::from(x);
    let t = x * core::f64::consts::FRAC_2_PI + ROUND_64;
    let n = t - ROUND_64;
    (t.to_bits() as u32, ((x - n * PI_2[0]) - n * PI_2[1]) as f32)
}

/// The quadrant, in the two low bits, and the angle in it.
#[inline(always)]
fn far_f32(x: f32) -> (u32, f32) {
    let exponent = (x.to_bits() >> 23) as i32 & 0xff;
    let i = if exponent > 150 { exponent - 150 } else { 0 };
    let [upper, lower] = QUARTER_TURNS[i as usize & 127];
    // 24 bits times 29 are exact.
    let x = f64::from(x * f32::from_bits(((127 - i) as u32) << 23));
    let (p, q) = (x * upper, x * lower);
    let t = p + q + ROUND_64;
    let turns = (p - (t - ROUND_64)) + q;
    (t.to_bits() as u32, (turns * FRAC_PI_2) as f32)
}

#[inline(always)]
pub(super) fn polynomials_f32(r: f32) -> (f32, f32) {
    let z = r * r;
    let s = horner!(z; 2.724_984_8e-6_f32, -1.984_008_6e-4, 8.333_332e-3, -1.666_666_7e-1);
    let c = horner!(z; -2.730_089_4e-7_f32, 2.480_06e-5, -1.388_888_8e-3, 4.166_666_7e-2);
    // Of −0 the sum would be 0.
    ((r * z * s + r).copysign(r), z * z * c - 0.5 * z + 1.0)
}

#[inline(always)]
pub(super) fn turn_f32(quadrant: u32, (s, c): (f32, f32)) -> f32 {
    let y = if quadrant & 1 == 0 { s } else { c };
    f32::from_bits(y.to_bits() ^ ((quadrant & 2) << 30))
}

macro_rules! functions_f32 {
    ($reduce:ident: $sin:ident $cos:ident $tan:ident) => {
        #[inline(always)]
        fn $sin(x: f32) -> f32 {
            let (quadrant, r) = $reduce(x);
            turn_f32(quadrant, polynomials_f32(r))
        }
        #[inline(always)]
        fn $cos(x: f32) -> f32 {
            let (quadrant, r) = $reduce(x);
            turn_f32(quadrant.wrapping_add(1), polynomials_f32(r))
        }
        #[inline(always)]
        fn $tan(x: f32) -> f32 {
            let (quadrant, r) = $reduce(x);
            let (s, c) = polynomials_f32(r);
            if quadrant & 1 == 0 { s / c } else { -c / s }
        }
    };
}
functions_f32!(near_f32: near_sin_f32 near_cos_f32 near_tan_f32);
functions_f32!(far_f32: far_sin_f32 far_cos_f32 far_tan_f32);

/// Up to here the functions that are called near hold.
const NEAR: f64 = 1e6;

/// `π/2`, in parts of 33 bits whose products with a number of 20 bits are exact, and the rest.
const PI_2: [f64; 3] = [
    1.570_796_326_734_125_614_166_259_765_625,
    6.077_100_506_303_965_976_595_549_136_618_501_506_746e-11,
    2.022_266_248_795_950_631_540_062e-21,
];

/// The quadrant, and the angle in it as a sum of two.
#[inline(always)]
fn reduce_f64(x: f64) -> (u64, f64, f64) {
    let t = x * core::f64::consts::FRAC_2_PI + ROUND_64;
    let n = t - ROUND_64;
    // The first difference is exact; what the second loses is kept.
    let a = x - n * PI_2[0];
    let b = n * PI_2[1];
    let c = a - b;
    let back = a - c;
    let lost = (a - (c + back)) + (back - b);
    let rest = lost - n * PI_2[2];
    let r = c + rest;
    (t.to_bits(), r, (c - r) + rest)
}

#[inline(always)]
pub(super) fn polynomials_f64(r: f64, rest: f64) -> (f64, f64) {
    let z = r * r;
    let s = horner!(z; 1.591_809_356_143_777_220_7e-10_f64, -2.505_113_134_895_025_119_1e-8,
        2.755_731_610_017_207_007_8e-6, -1.984_126_983_675_397_483_6e-4, 8.333_333_333_330_945_451_4e-3,
        -1.666_666_666_666_666_462e-1);
    let c = horner!(z; -1.138_261_007_099_832_337e-11_f64, 2.087_614_595_808_493_956_3e-9,
        -2.755_731_727_024_067_752_1e-7, 2.480_158_729_876_281_679_9e-5, -1.388_888_888_888_739_533_9e-3,
        4.166_666_666_666_666_538_7e-2);
    let half = 0.5 * z;
    let w = 1.0 - half;
    (
        // sin(r + rest) and cos(r + rest), to first order in the rest.
        r + (r * z * s + rest * w),
        w + (((1.0 - w) - half) + (z * z * c - r * rest)),
    )
}

#[inline(always)]
pub(super) fn turn_f64(quadrant: u64, (s, c): (f64, f64)) -> f64 {
    let y = if quadrant & 1 == 0 { s } else { c };
    f64::from_bits(y.to_bits() ^ ((quadrant & 2) << 62))
}

/// `sin x` for `|x|` up to [`NEAR`].
#[inline(always)]
fn near_sin_f64(x: f64) -> f64 {
    let (quadrant, r, rest) = reduce_f64(x);
    let y = turn_f64(quadrant, polynomials_f64(r, rest));
    // The reduction turns −0 into 0.
    if x == 0.0 { x } else { y }
}

/// `cos x` for `|x|` up to [`NEAR`].
#[inline(always)]
fn near_cos_f64(x: f64) -> f64 {
    let (quadrant, r, rest) = reduce_f64(x);
    turn_f64(quadrant.wrapping_add(1), polynomials_f64(r, rest))
}

/// `tan x` for `|x|` up to [`NEAR`].
#[inline(always)]
fn near_tan_f64(x: f64) -> f64 {
    let (quadrant, r, rest) = reduce_f64(x);
    let (s, c) = polynomials_f64(r, rest);
    let y = if quadrant & 1 == 0 { s / c } else { -c / s };
    if x == 0.0 { x } else { y }
}

macro_rules! anywhere {
    ($($t:ident { $($name:ident $near:ident $far:expr, $what:literal;)* })*) => { $($(
        #[doc = $what]
        #[inline(always)]
        pub fn $name(x: $t) -> $t {
            if x.abs() <= NEAR as $t { $near(x) } else { $far(x) }
        }
    )*)* };
}
anywhere! {
    f32 {
        sin_f32 near_sin_f32 far_sin_f32, "`sin x`.";
        cos_f32 near_cos_f32 far_cos_f32, "`cos x`.";
        tan_f32 near_tan_f32 far_tan_f32, "`tan x`.";
    }
    f64 {
        sin_f64 near_sin_f64 f64::sin, "`sin x`.";
        cos_f64 near_cos_f64 f64::cos, "`cos x`.";
        tan_f64 near_tan_f64 f64::tan, "`tan x`.";
    }
}

/// The functions without their branch, for loops that become vector code.
pub trait Trig: Copy {
    /// The largest argument, in size, of the other functions.
    const NEAR: Self;
    /// `sin x`.
    fn near_sin(self) -> Self;
    /// `cos x`.
    fn near_cos(self) -> Self;
    /// `tan x`.
    fn near_tan(self) -> Self;
}

macro_rules! trig {
    ($($t:ident $near:expr, $sin:ident $cos:ident $tan:ident;)*) => { $(
        impl Trig for $t {
            const NEAR: Self = $near;
            #[inline(always)]
            fn near_sin(self) -> Self {
                $sin(self)
            }
            #[inline(always)]
            fn near_cos(self) -> Self {
                $cos(self)
            }
            #[inline(always)]
            fn near_tan(self) -> Self {
                $tan(self)
            }
        }
    )* };
}
trig!(
    f32 NEAR as f32, near_sin_f32 near_cos_f32 near_tan_f32;
    f64 NEAR, near_sin_f64 near_cos_f64 near_tan_f64;
);

#[cfg(test)]
mod tests {
    use super::*;

    fn ulps_f32(y: f32, exact: f64) -> f64 {
        let to = (exact as f32).abs().max(f32::MIN_POSITIVE);
        (f64::from(y) - exact).abs() / f64::from(f32::from_bits(to.to_bits() + 1) - to)
    }

    fn ulps_f64(y: f64, like: f64) -> f64 {
        (y - like).abs() / (f64::EPSILON * like.abs().max(f64::MIN_POSITIVE))
    }

    #[test]
    fn f32_is_within_two_ulp_of_all_arguments() {
        let mut worst = [0.0f64; 3];
        let mut look = |x: f32| {
            let d = f64::from(x);
            for (w, (y, e)) in worst.iter_mut().zip([
                (sin_f32(x), d.sin()),
                (cos_f32(x), d.cos()),
                (tan_f32(x), d.tan()),
            ]) {
                *w = w.max(ulps_f32(y, e));
            }
        };
        // Every exponent, odd steps of the mantissa, and the neighbours of multiples of π/2.
        for i in 0..1_000_000u32 {
            look(f32::from_bits(i.wrapping_mul(4_259) % 0x7f80_0000));
        }
        for n in 1..200_000u32 {
            let x = (f64::from(n) * FRAC_PI_2) as f32;
            look(x);
            look(-f32::from_bits(x.to_bits() + 1));
        }
        let [sin, cos, tan] = worst;
        assert!(sin < 1.5 && cos < 1.5 && tan < 3.0, "{worst:?}");
        // The number that is nearest to a multiple of π/2 (Muller 2006, 11.1).
        assert_eq!(
            cos_f32(16_367_173.0 * 2f32.powi(72)),
            (16_367_173.0 * 2f64.powi(72)).cos() as f32
        );
    }

    #[test]
    fn f64_agrees_with_the_standard_library() {
        let mut worst = [0.0f64; 3];
        let mut look = |x: f64| {
            for (w, (y, e)) in worst.iter_mut().zip([
                (sin_f64(x), x.sin()),
                (cos_f64(x), x.cos()),
                (tan_f64(x), x.tan()),
            ]) {
                *w = w.max(ulps_f64(y, e));
            }
        };
        for i in 0..1_000_000 {
            look(f64::from(i - 500_000) * 2.3e-5);
            look(f64::from(i - 500_000) * 1.999_9 + 1e-3);
        }
        for n in 1..600_000 {
            let x = f64::from(n) * FRAC_PI_2;
            look(x);
            look(-f64::from_bits(x.to_bits() + 1));
        }
        let [sin, cos, tan] = worst;
        // The library's own error is in it.
        assert!(sin < 2.0 && cos < 2.0 && tan < 3.5, "{worst:?}");
        assert_eq!(sin_f64(1e22), 1e22f64.sin());
    }

    #[test]
    fn special_values() {
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(sin_f32(x).is_nan() && cos_f32(x).is_nan() && tan_f32(x).is_nan());
            let x = f64::from(x);
            assert!(sin_f64(x).is_nan() && cos_f64(x).is_nan() && tan_f64(x).is_nan());
        }
        assert!(sin_f32(-0.0).is_sign_negative() && tan_f32(-0.0).is_sign_negative());
        assert!(sin_f64(-0.0).is_sign_negative() && tan_f64(-0.0).is_sign_negative());
        assert!(cos_f32(0.0) == 1.0 && cos_f64(-0.0) == 1.0 && sin_f32(1e-42) == 1e-42);
        assert_eq!(sin_f64(5e-324), 5e-324);
    }
}
