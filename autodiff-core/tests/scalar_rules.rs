//! Every rule of the scalars, in both modes and both precisions, against differences of the function
//! itself in `f64`, and against one another.

use autodiff_core::ad::{self, Differentiable, NoGrad, wit};
use proptest::prelude::*;

/// The five-point central difference, exact to fourth order.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-3 * (1.0 + x.abs());
    (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
}

#[track_caller]
fn close(expected: f64, found: f64, tolerance: f64) {
    let error = (expected - found).abs();
    assert!(
        error <= tolerance * (1.0 + expected.abs()),
        "expected {expected:e}, found {found:e}"
    );
}

const F64: f64 = 1e-7;
const F32: f64 = 2e-5;

// `pull`, `push`: expressions for the image of a (co)tangent in the scalar type `S`.
macro_rules! both_modes {
    ($S:ident, $reference:expr, $ct:expr, $tolerance:expr, pull $pull:expr, push $push:expr) => {
        let (reference, ct): (f64, $S) = ($reference, $ct);
        let pulled: $S = $pull;
        let pushed: $S = $push;
        close(f64::from(ct) * reference, f64::from(pulled), $tolerance);
        close(f64::from(ct) * reference, f64::from(pushed), $tolerance);
        // A scalar map is its own transpose.
        assert_eq!(pulled, pushed);
    };
}

// Runs a pullback into a real accumulator, and once into none: it must accept both.
macro_rules! pulled {
    ($S:ident, $($path:ident)::+($($arg:expr),*)) => {{
        let mut d = <$S as Differentiable>::zero_ct(&());
        $($path)::+($($arg,)* &mut d);
        $($path)::+($($arg,)* &mut NoGrad);
        d
    }};
}

macro_rules! unary {
    ($($op:ident($saved:ident) on $domain:expr;)*) => {$(
        proptest! {
            #[test]
            fn $op(x in $domain, ct in -3.0..3.0f64) {
                unary!(f64 F64 $op $saved x ct);
                unary!(f32 F32 $op $saved x ct);
            }
        }
    )*};
    ($S:ident $tolerance:ident $op:ident $saved:ident $x:ident $ct:ident) => {
        let (input, ct) = ($x as $S, $ct as $S);
        let output = input.$op();
        both_modes!(
            $S, slope(f64::$op, f64::from(input)), ct, $tolerance,
            pull pulled!($S, ad::$op::pull(saved!($saved input output), &ct)),
            push ad::$op::push(&input, &output, &ct)
        );
    };
}

macro_rules! saved {
    (input $input:ident $output:ident) => {
        &$input
    };
    (output $input:ident $output:ident) => {
        &$output
    };
}

unary! {
    exp(output) on -4.0..4.0;
    exp2(output) on -4.0..4.0;
    exp_m1(output) on -4.0..4.0;
    sqrt(output) on 0.1..50.0;
    cbrt(output) on 0.1..50.0;
    recip(output) on 0.1..20.0;
    tan(output) on -1.2..1.2;
    tanh(output) on -5.0..5.0;
    ln(input) on 0.1..50.0;
    log2(input) on 0.1..50.0;
    log10(input) on 0.1..50.0;
    ln_1p(input) on -0.9..20.0;
    sin(input) on -20.0..20.0;
    cos(input) on -20.0..20.0;
    sinh(input) on -4.0..4.0;
    cosh(input) on -4.0..4.0;
    asin(input) on -0.9..0.9;
    acos(input) on -0.9..0.9;
    atan(input) on -20.0..20.0;
    asinh(input) on -20.0..20.0;
    acosh(input) on 1.2..20.0;
    atanh(input) on -0.9..0.9;
    to_degrees(input) on -10.0..10.0;
    to_radians(input) on -400.0..400.0;
}

proptest! {
    #[test]
    fn abs_away_from_zero(x in 0.1..50.0f64, negative: bool, ct in -3.0..3.0f64) {
        let (x, op) = (if negative { -x } else { x }, f64::abs);
        both_modes!(f64, slope(op, x), ct, F64,
            pull pulled!(f64, ad::abs::pull(&x, &ct)), push ad::abs::push(&x, &op(x), &ct));
    }

    #[test]
    fn fract_between_integers(whole in -5..5, part in 0.1..0.9f64, ct in -3.0..3.0f64) {
        let x = f64::from(whole) + if whole < 0 { -part } else { part };
        both_modes!(f64, slope(f64::fract, x), ct, F64,
            pull pulled!(f64, ad::fract::pull(&x, &ct)), push ad::fract::push(&x, &x.fract(), &ct));
    }

    #[test]
    fn neg(x in -50.0..50.0, ct in -3.0..3.0f64) {
        both_modes!(f64, -1.0, ct, F64,
            pull pulled!(f64, ad::neg::pull(&wit(&x), &ct)), push ad::neg::push(&x, &-x, &ct));
    }

    #[test]
    fn powi(x in 0.3..3.0f64, negative: bool, n in -6..7, ct in -3.0..3.0f64) {
        let x = if negative { -x } else { x };
        both_modes!(f64, slope(|x| x.powi(n), x), ct, 1e-5,
            pull pulled!(f64, ad::powi::pull(&x, n, &ct)), push ad::powi::push(&x, n, &x.powi(n), &ct));
        let (x, ct) = (x as f32, ct as f32);
        both_modes!(f32, slope(|x| x.powi(n), f64::from(x)), ct, 1e-4,
            pull pulled!(f32, ad::powi::pull(&x, n, &ct)), push ad::powi::push(&x, n, &x.powi(n), &ct));
    }
}

/// A value in ±[0.2, 5).
fn away_from_zero() -> impl Strategy<Value = f64> {
    (0.2..5.0f64, any::<bool>()).prop_map(|(x, negative)| if negative { -x } else { x })
}

// `l` and `r`: the arguments of the left and right pullback before the cotangent.
macro_rules! binary {
    ($($op:ident |$a:ident, $b:ident, $out:ident| $value:expr,
        on ($A:expr, $B:expr), l($($l:expr),*), r($($r:expr),*);)*) => {$(
        proptest! {
            #[test]
            fn $op(a in $A, b in $B, ct in -3.0..3.0f64) {
                binary!(f64 F64 $op |$a, $b, $out| $value, l($($l),*), r($($r),*), a b ct);
                binary!(f32 1e-4 $op |$a, $b, $out| $value, l($($l),*), r($($r),*), a b ct);
            }
        }
    )*};
    ($S:ident $tolerance:literal $($rest:tt)*) => { binary!(@ $S ($tolerance) $($rest)*) };
    ($S:ident $tolerance:ident $($rest:tt)*) => { binary!(@ $S ($tolerance) $($rest)*) };
    (@ $S:ident ($tolerance:expr) $op:ident |$a:ident, $b:ident, $out:ident| $value:expr,
        l($($l:expr),*), r($($r:expr),*), $x:ident $y:ident $ct:ident) => {
        let ($a, $b, ct) = ($x as $S, $y as $S, $ct as $S);
        let $out: $S = $value;
        let reference = |$a: f64, $b: f64| -> f64 { $value };
        let (x, y) = (f64::from($a), f64::from($b));
        both_modes!($S, slope(|x| reference(x, y), x), ct, $tolerance,
            pull pulled!($S, ad::$op::pull_l($($l,)* &ct)),
            push ad::$op::push_l(&$a, &$b, &$out, &ct));
        both_modes!($S, slope(|y| reference(x, y), y), ct, $tolerance,
            pull pulled!($S, ad::$op::pull_r($($r,)* &ct)),
            push ad::$op::push_r(&$a, &$b, &$out, &ct));
    };
}

binary! {
    add |a, b, out| a + b, on (-50.0..50.0, -50.0..50.0), l(&wit(&a), &wit(&b)), r(&wit(&a), &wit(&b));
    sub |a, b, out| a - b, on (-50.0..50.0, -50.0..50.0), l(&wit(&a), &wit(&b)), r(&wit(&a), &wit(&b));
    mul |a, b, out| a * b, on (-50.0..50.0, -50.0..50.0), l(&wit(&a), &b), r(&a, &wit(&b));
    div |a, b, out| a / b, on (-50.0..50.0, away_from_zero()), l(&wit(&a), &b), r(&wit(&a), &b, &out);
    powf |a, b, out| a.powf(b), on (0.3..4.0, -2.0..3.0), l(&a, &b, &out), r(&a, &b, &out);
    hypot |a, b, out| a.hypot(b), on (away_from_zero(), -50.0..50.0), l(&a, &b, &out), r(&a, &b, &out);
    atan2 |a, b, out| a.atan2(b), on (away_from_zero(), away_from_zero()), l(&a, &b, &out), r(&a, &b, &out);
}

proptest! {
    #[test]
    fn max_and_min_of_distinct_values(a in -5.0..5.0f64, gap in away_from_zero(), ct in -3.0..3.0f64) {
        let b = a + gap;
        macro_rules! check { ($op:ident) => {
            let (sel, out) = (ad::$op::sel(&a, &b), a.$op(b));
            both_modes!(f64, slope(|a| a.$op(b), a), ct, F64,
                pull pulled!(f64, ad::$op::pull_l(&wit(&a), &wit(&b), &sel, &ct)),
                push ad::$op::push_l(&a, &b, &out, &ct));
            both_modes!(f64, slope(|b| a.$op(b), b), ct, F64,
                pull pulled!(f64, ad::$op::pull_r(&wit(&a), &wit(&b), &sel, &ct)),
                push ad::$op::push_r(&a, &b, &out, &ct));
        } }
        check!(max);
        check!(min);
    }

    #[test]
    fn clamp(x in -3.0..3.0f64, lo in -2.0..-0.1f64, hi in 0.1..2.0f64, ct in -3.0..3.0f64) {
        prop_assume!((x - lo).abs() > 0.02 && (x - hi).abs() > 0.02);
        let (sel, out) = (ad::clamp::sel(&x, &lo, &hi), x.clamp(lo, hi));
        both_modes!(f64, slope(|x| x.clamp(lo, hi), x), ct, F64,
            pull pulled!(f64, ad::clamp::pull_x(&wit(&x), &sel, &ct)),
            push ad::clamp::push_x(&x, &lo, &hi, &out, &ct));
        both_modes!(f64, slope(|lo| x.clamp(lo, hi), lo), ct, F64,
            pull pulled!(f64, ad::clamp::pull_lo(&wit(&x), &wit(&lo), &sel, &ct)),
            push ad::clamp::push_lo(&x, &lo, &hi, &out, &ct));
        both_modes!(f64, slope(|hi| x.clamp(lo, hi), hi), ct, F64,
            pull pulled!(f64, ad::clamp::pull_hi(&wit(&x), &wit(&hi), &sel, &ct)),
            push ad::clamp::push_hi(&x, &lo, &hi, &out, &ct));
    }

    #[test]
    fn cast_between_floats(x in -50.0..50.0, ct in -3.0..3.0f64) {
        let (narrow, narrow_ct) = (x as f32, ct as f32);
        let mut d = -0.0;
        ad::cast::pull(&wit(&x), &wit(&narrow), &narrow_ct, &mut d);
        prop_assert_eq!(d, f64::from(narrow_ct));
        prop_assert_eq!(ad::cast::push(&x, &narrow, &ct), narrow_ct);
        let mut d = -0.0;
        ad::cast::pull(&wit(&narrow), &wit(&x), &ct, &mut d);
        prop_assert_eq!(d, narrow_ct);
        prop_assert_eq!(ad::cast::push(&narrow, &x, &narrow_ct), f64::from(narrow_ct));
    }
}

#[test]
fn integers_have_no_tangent() {
    let (a, b) = (3i32, 4i32);
    ad::mul::pull_l(&wit(&a), &b, &NoGrad, &mut NoGrad);
    ad::div::pull_r(&wit(&a), &b, &0, &NoGrad, &mut NoGrad);
    ad::max::pull_l(&wit(&a), &wit(&b), &(), &NoGrad, &mut NoGrad);
    assert_eq!(ad::cast::push(&a, &3.0f64, &()), 0.0);
    let mut d = -0.0;
    ad::cast::pull(&wit(&1.5f64), &wit(&1i64), &NoGrad, &mut d);
    assert_eq!(d, 0.0);
}

#[test]
fn subnormal_and_huge_arguments_keep_their_derivatives() {
    let subnormal = f64::from_bits(1 << 40);
    let pull = |f: &dyn Fn(&mut f64)| {
        let mut d = -0.0;
        f(&mut d);
        d
    };
    close(
        1.0,
        pull(&|d| ad::ln::pull(&subnormal, &subnormal, d)),
        1e-12,
    );
    close(1.0, pull(&|d| ad::sin::pull(&subnormal, &1.0, d)), 1e-15);
    // Neither the squares of the coordinates nor that of `x` may overflow or vanish.
    for size in [1e-200, 1e200] {
        close(
            0.5,
            pull(&|d| ad::atan2::pull_l(&size, &size, &0.0, &size, d)),
            1e-12,
        );
        close(
            -0.5,
            pull(&|d| ad::atan2::pull_r(&size, &size, &0.0, &size, d)),
            1e-12,
        );
    }
    close(1.0, pull(&|d| ad::asinh::pull(&1e200, &1e200, d)), 1e-12);
}
