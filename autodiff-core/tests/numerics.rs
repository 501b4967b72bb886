//! Every row of the table in `src/doc/numerics.md`, in both modes.

use autodiff_core::ad::{self, wit};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Equal, with NaN equal to itself and the zeros alike.
#[track_caller]
fn same(found: f64, expected: f64, what: &str) {
    let equal = found == expected || found.is_nan() && expected.is_nan();
    assert!(equal, "{what}: expected {expected:e}, found {found:e}");
}

/// What a pullback adds to an accumulator.
fn added(pull: impl FnOnce(&mut f64)) -> f64 {
    let mut d = -0.0;
    pull(&mut d);
    d
}

macro_rules! saved {
    (input $x:ident $y:ident) => {
        &$x
    };
    (output $x:ident $y:ident) => {
        &$y
    };
}

// `op(x) with (co)tangent t gives expected`, in both modes.
macro_rules! unary {
    ($($op:ident $saved:ident ($x:expr, $t:expr) => $expected:expr;)*) => {$({
        let (x, t): (f64, f64) = ($x, $t);
        let y = x.$op();
        let what = format!("{}({x:?})' · {t:?}", stringify!($op));
        same(added(|d| ad::$op::pull(saved!($saved x y), &t, d)), $expected, &format!("pull {what}"));
        same(ad::$op::push(&x, &y, &t), $expected, &format!("push {what}"));
    })*};
}

// The derivatives of `a.op(b)` by `a` and `b`.
macro_rules! binary {
    ($($op:ident ($a:expr, $b:expr) => $by_a:expr, $by_b:expr;)*) => {$({
        let (a, b): (f64, f64) = ($a, $b);
        let out = a.$op(b);
        let what = format!("{}({a:?}, {b:?})", stringify!($op));
        same(added(|d| ad::$op::pull_l(&a, &b, &out, &1.0, d)), $by_a, &format!("pull_l {what}"));
        same(added(|d| ad::$op::pull_r(&a, &b, &out, &1.0, d)), $by_b, &format!("pull_r {what}"));
        same(ad::$op::push_l(&a, &b, &out, &1.0), $by_a, &format!("push_l {what}"));
        same(ad::$op::push_r(&a, &b, &out, &1.0), $by_b, &format!("push_r {what}"));
    })*};
}

macro_rules! extremum {
    ($($op:ident ($a:expr, $b:expr) => $by_a:expr, $by_b:expr;)*) => {$({
        let (a, b): (f64, f64) = ($a, $b);
        let (sel, out) = (ad::$op::sel(&a, &b), a.$op(b));
        let (wit_a, wit_b) = (wit(&a), wit(&b));
        let what = format!("{}({a:?}, {b:?})", stringify!($op));
        same(added(|d| ad::$op::pull_l(&wit_a, &wit_b, &sel, &1.0, d)), $by_a, &what);
        same(added(|d| ad::$op::pull_r(&wit_a, &wit_b, &sel, &1.0, d)), $by_b, &what);
        same(ad::$op::push_l(&a, &b, &out, &1.0), $by_a, &what);
        same(ad::$op::push_r(&a, &b, &out, &1.0), $by_b, &what);
    })*};
}

/// The derivatives of `a / b`.
#[track_caller]
fn quotient(a: f64, b: f64, t: f64, by_a: f64, by_b: f64) {
    let out = a / b;
    same(
        added(|d| ad::div::pull_l(&wit(&a), &b, &t, d)),
        by_a,
        "pull_l",
    );
    same(
        added(|d| ad::div::pull_r(&wit(&a), &b, &out, &t, d)),
        by_b,
        "pull_r",
    );
    same(ad::div::push_l(&a, &b, &out, &t), by_a, "push_l");
    same(ad::div::push_r(&a, &b, &out, &t), by_b, "push_r");
}

/// The derivatives of `x.clamp(lo, hi)`.
#[track_caller]
fn clamped(x: f64, lo: f64, hi: f64, expected: [f64; 3]) {
    let (sel, out) = (ad::clamp::sel(&x, &lo, &hi), x.clamp(lo, hi));
    let (wit_x, wit_b) = (wit(&x), wit(&lo));
    same(
        added(|d| ad::clamp::pull_x(&wit_x, &sel, &1.0, d)),
        expected[0],
        "pull x",
    );
    same(
        added(|d| ad::clamp::pull_lo(&wit_x, &wit_b, &sel, &1.0, d)),
        expected[1],
        "pull lo",
    );
    same(
        added(|d| ad::clamp::pull_hi(&wit_x, &wit_b, &sel, &1.0, d)),
        expected[2],
        "pull hi",
    );
    same(
        ad::clamp::push_x(&x, &lo, &hi, &out, &1.0),
        expected[0],
        "push x",
    );
    same(
        ad::clamp::push_lo(&x, &lo, &hi, &out, &1.0),
        expected[1],
        "push lo",
    );
    same(
        ad::clamp::push_hi(&x, &lo, &hi, &out, &1.0),
        expected[2],
        "push hi",
    );
}

#[test]
fn ties_are_shared() {
    extremum! {
        max (2.0, 2.0) => 0.5, 0.5;
        min (2.0, 2.0) => 0.5, 0.5;
        max (0.0, -0.0) => 0.5, 0.5;
        min (-0.0, 0.0) => 0.5, 0.5;
        max (INF, INF) => 0.5, 0.5;
        max (INF, 0.0) => 1.0, 0.0;
    }
}

#[test]
fn a_nan_is_not_selected_beside_a_number() {
    extremum! {
        max (NAN, 1.0) => 0.0, 1.0;
        max (1.0, NAN) => 1.0, 0.0;
        min (NAN, 1.0) => 0.0, 1.0;
        min (1.0, NAN) => 1.0, 0.0;
        max (NAN, NAN) => 1.0, 0.0;
        min (NAN, NAN) => 1.0, 0.0;
    }
}

#[test]
fn kinks() {
    unary! {
        abs input (0.0, 1.0) => 0.0;
        abs input (-0.0, 1.0) => 0.0;
        abs input (-INF, 1.0) => -1.0;
        abs input (NAN, 1.0) => NAN;
        fract input (2.0, 1.0) => 1.0;
        fract input (-2.0, 1.0) => 1.0;
    }
}

#[test]
fn the_edges_of_clamp_belong_to_the_inside() {
    clamped(1.0, 1.0, 2.0, [1.0, 0.0, 0.0]);
    clamped(2.0, 1.0, 2.0, [1.0, 0.0, 0.0]);
    clamped(1.0, 1.0, 1.0, [1.0, 0.0, 0.0]);
    clamped(0.0, 1.0, 2.0, [0.0, 1.0, 0.0]);
    clamped(INF, 1.0, 2.0, [0.0, 0.0, 1.0]);
    clamped(NAN, 1.0, 2.0, [0.0, 0.0, 0.0]);
}

#[test]
fn infinite_slopes() {
    unary! {
        sqrt output (0.0, 1.0) => INF;
        sqrt output (0.0, -1.0) => -INF;
        sqrt output (-1.0, 1.0) => NAN;
        sqrt output (INF, 1.0) => 0.0;
        cbrt output (0.0, 1.0) => INF;
        cbrt output (-0.0, 1.0) => INF;
        ln input (0.0, 1.0) => INF;
        ln input (-0.0, 1.0) => -INF;
        log2 input (0.0, 1.0) => INF;
        log10 input (0.0, 1.0) => INF;
        ln_1p input (-1.0, 1.0) => INF;
        recip output (0.0, 1.0) => -INF;
        asin input (1.0, 1.0) => INF;
        asin input (-1.0, 1.0) => INF;
        acos input (1.0, 1.0) => -INF;
        acos input (-1.0, 1.0) => -INF;
        acosh input (1.0, 1.0) => INF;
        atanh input (1.0, 1.0) => INF;
        atanh input (-1.0, 1.0) => INF;
    }
    quotient(1.0, 0.0, 1.0, INF, -INF);
    quotient(1.0, -0.0, 1.0, -INF, -INF);
    quotient(0.0, 0.0, 1.0, INF, NAN);
}

#[test]
fn outside_the_domain() {
    unary! {
        ln input (-2.0, 1.0) => -0.5;
        asin input (2.0, 1.0) => NAN;
        acos input (2.0, 1.0) => NAN;
        acosh input (0.0, 1.0) => NAN;
    }
}

#[test]
fn integer_powers() {
    for (x, n, expected) in [
        (0.0, 0, 0.0),
        (INF, 0, 0.0),
        (NAN, 0, 0.0),
        (0.0, 1, 1.0),
        (0.0, 2, 0.0),
        (0.0, -1, -INF),
        (-2.0, 3, 12.0),
        (1.0, i32::MIN, f64::from(i32::MIN)),
        (1.0, i32::MAX, f64::from(i32::MAX)),
    ] {
        let what = format!("powi({x:?}, {n})");
        same(added(|d| ad::powi::pull(&x, n, &1.0, d)), expected, &what);
        same(ad::powi::push(&x, n, &x.powi(n), &1.0), expected, &what);
    }
}

#[test]
fn real_powers() {
    binary! {
        powf (0.0, 0.0) => 0.0, 0.0;
        powf (3.0, 0.0) => 0.0, 3.0f64.ln();
        powf (NAN, 0.0) => 0.0, NAN;
        powf (0.0, 1.0) => 1.0, 0.0;
        powf (0.0, 2.0) => 0.0, 0.0;
        powf (0.0, 0.5) => INF, 0.0;
        powf (0.0, -1.0) => -INF, -INF;
        powf (-2.0, 3.0) => 12.0, NAN;
        powf (-2.0, 0.5) => NAN, NAN;
    }
}

#[test]
fn the_origin_of_the_plane() {
    binary! {
        hypot (0.0, 0.0) => 0.0, 0.0;
        hypot (-0.0, 0.0) => 0.0, 0.0;
        hypot (3.0, -4.0) => 0.6, -0.8;
        hypot (1e-200, 0.0) => 1.0, 0.0;
        atan2 (0.0, 0.0) => NAN, NAN;
        atan2 (0.0, 2.0) => 0.5, 0.0;
        atan2 (0.0, -2.0) => -0.5, 0.0;
    }
}

#[test]
fn overflow() {
    unary! {
        exp output (1000.0, 1.0) => INF;
        exp output (-1000.0, 1.0) => 0.0;
        exp2 output (2000.0, 1.0) => INF;
        exp_m1 output (1000.0, -1.0) => -INF;
        sinh input (1000.0, 1.0) => INF;
        cosh input (-1000.0, 1.0) => -INF;
        tanh output (1000.0, 1.0) => 0.0;
        atan input (INF, 1.0) => 0.0;
        asinh input (INF, 1.0) => 0.0;
    }
}

#[test]
fn nan_is_not_hidden() {
    unary! {
        exp output (NAN, 1.0) => NAN; exp2 output (NAN, 1.0) => NAN;
        exp_m1 output (NAN, 1.0) => NAN; sqrt output (NAN, 1.0) => NAN;
        cbrt output (NAN, 1.0) => NAN; recip output (NAN, 1.0) => NAN;
        tan output (NAN, 1.0) => NAN; tanh output (NAN, 1.0) => NAN;
        ln input (NAN, 1.0) => NAN; log2 input (NAN, 1.0) => NAN;
        log10 input (NAN, 1.0) => NAN; ln_1p input (NAN, 1.0) => NAN;
        sin input (NAN, 1.0) => NAN; cos input (NAN, 1.0) => NAN;
        sinh input (NAN, 1.0) => NAN; cosh input (NAN, 1.0) => NAN;
        asin input (NAN, 1.0) => NAN; acos input (NAN, 1.0) => NAN;
        atan input (NAN, 1.0) => NAN; asinh input (NAN, 1.0) => NAN;
        acosh input (NAN, 1.0) => NAN; atanh input (NAN, 1.0) => NAN;
        exp output (0.0, NAN) => NAN; ln input (1.0, NAN) => NAN;
    }
    binary! {
        powf (NAN, 2.0) => NAN, NAN;
        hypot (NAN, 1.0) => NAN, NAN;
        atan2 (NAN, 1.0) => NAN, NAN;
    }
    quotient(1.0, 2.0, NAN, NAN, NAN);
}

#[test]
fn a_zero_cotangent_stays_zero_where_the_slope_is_infinite() {
    for zero in [0.0, -0.0] {
        unary! {
            sqrt output (0.0, zero) => 0.0; cbrt output (0.0, zero) => 0.0;
            recip output (0.0, zero) => 0.0; ln input (0.0, zero) => 0.0;
            log2 input (0.0, zero) => 0.0; log10 input (0.0, zero) => 0.0;
            ln_1p input (-1.0, zero) => 0.0; exp output (1000.0, zero) => 0.0;
            exp2 output (2000.0, zero) => 0.0; exp_m1 output (1000.0, zero) => 0.0;
            sinh input (1000.0, zero) => 0.0; cosh input (1000.0, zero) => 0.0;
            asin input (1.0, zero) => 0.0; acos input (1.0, zero) => 0.0;
            acosh input (1.0, zero) => 0.0; atanh input (1.0, zero) => 0.0;
        }
        quotient(1.0, 0.0, zero, 0.0, 0.0);
        same(added(|d| ad::powi::pull(&0.0, -1, &zero, d)), 0.0, "powi");
        same(
            added(|d| ad::powf::pull_l(&0.0, &0.5, &0.0, &zero, d)),
            0.0,
            "powf by a",
        );
        same(
            added(|d| ad::powf::pull_r(&0.0, &-1.0, &INF, &zero, d)),
            0.0,
            "powf by b",
        );
        same(
            added(|d| ad::atan2::pull_l(&0.0, &0.0, &0.0, &zero, d)),
            0.0,
            "atan2",
        );
    }
}

#[test]
fn a_product_with_an_infinite_factor_is_nan() {
    same(
        added(|d| ad::mul::pull_l(&wit(&1.0), &INF, &0.0, d)),
        NAN,
        "pull_l",
    );
    same(ad::mul::push_r(&INF, &1.0, &INF, &0.0), NAN, "push_r");
}

#[test]
fn what_nothing_was_added_to_is_negative_zero_inside_and_zero_outside() {
    use autodiff_core::ad::Differentiable;
    let inside = f64::zero_ct(&());
    assert!(inside.is_sign_negative() && inside == 0.0);
    assert_eq!((inside + -0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(f64::finish(&(), inside).to_bits(), 0.0f64.to_bits());
}

#[test]
fn remainders_at_a_jump() {
    let (a, b) = (6.0, 2.0);
    let out: f64 = a % b;
    assert_eq!(added(|d| ad::rem::pull_l(&a, &b, &out, &1.0, d)), 1.0);
    assert_eq!(added(|d| ad::rem::pull_r(&a, &b, &out, &1.0, d)), -3.0);
    assert_eq!(ad::rem::push_l(&a, &b, &out, &1.0), 1.0);
    assert_eq!(ad::rem::push_r(&a, &b, &out, &1.0), -3.0);
    assert_eq!(ad::rem::push_r(&1.0, &f64::INFINITY, &1.0, &1.0), 0.0);
}

#[test]
#[allow(deprecated)] // `abs_sub` still has a derivative
fn pieces_of_linear_functions() {
    binary! {
        rem_euclid (6.0, 2.0) => 1.0, -3.0;
        rem_euclid (-5.0, 3.0) => 1.0, 2.0;
        copysign (2.0, -1.0) => -1.0, 0.0;
        copysign (-2.0, -1.0) => 1.0, 0.0;
        copysign (-2.0, 0.0) => -1.0, 0.0;
        copysign (0.0, -1.0) => 0.0, 0.0;
        copysign (-0.0, 1.0) => 0.0, 0.0;
        midpoint (1.0, 4.0) => 0.5, 0.5;
        abs_sub (3.0, 1.0) => 1.0, -1.0;
        abs_sub (1.0, 3.0) => 0.0, 0.0;
        abs_sub (1.0, 1.0) => 0.0, 0.0;
    }
    unary! {
        next_up input (1.0, 2.0) => 2.0;
        next_down input (0.0, 2.0) => 2.0;
    }
}
