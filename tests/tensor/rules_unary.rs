//! Functions of one element, `powi powf clamp`, negation.

use crate::check::{between, check, finish};
use crate::method;
use differentiable::__rt as ad;
use differentiable::__rt::{Differentiable, On, wit};
use differentiable::prelude::*;

dim!(Batch);

/// Checks a function in the domain `low..high`, at several sizes.
macro_rules! function {
    (output $name:ident $low:expr, $high:expr) => { function!(@each $name $low, $high, |_x, y| y) };
    (input $name:ident $low:expr, $high:expr) => { function!(@each $name $low, $high, |x, _y| x) };
    (@each $name:ident $low:expr, $high:expr, |$x:ident, $y:ident| $saved:ident) => {{
        function!(@at $name, between(<shape![3, 37]>::default(), 1, $low, $high), |$x, $y| $saved);
        function!(@at $name, between(<shape![]>::default(), 2, $low, $high), |$x, $y| $saved);
        function!(@at $name, between((Batch(0), Sz::<3>), 3, $low, $high), |$x, $y| $saved);
        function!(@at $name, between((Batch(5), Sz::<1>), 4, $low, $high), |$x, $y| $saved);
        function!(@at $name, between(<shape![4, 3]>::default(), 5, $low, $high).transpose::<0, 1>(), |$x, $y| $saved);
    }};
    (@at $name:ident, $at:expr, |$x:ident, $y:ident| $saved:ident) => {
        check(
            stringify!($name),
            &$at,
            |x| x.$name(),
            |$x, ct| {
                let $y = &$x.$name();
                let mut d = $x.zero_adj(On);
                ad::$name::pull($saved, &ct, &mut d);
                ($y.clone(), finish($x, d))
            },
            |x, t| {
                let y = x.$name();
                let t = ad::$name::push(x, &y, t);
                (y, t)
            },
        )
    };
}

#[test]
fn exponentials_and_logarithms() {
    function!(output exp - 2.0, 2.0);
    function!(output exp2 - 2.0, 2.0);
    function!(output exp_m1 - 2.0, 2.0);
    function!(input ln 0.3, 4.0);
    function!(input log2 0.3, 4.0);
    function!(input log10 0.3, 4.0);
    function!(input ln_1p - 0.6, 4.0);
}

#[test]
fn roots_and_recip() {
    function!(output sqrt 0.3, 4.0);
    function!(output cbrt 0.3, 4.0);
    function!(output recip 0.5, 4.0);
}

#[test]
fn trigonometric() {
    function!(input sin - 4.0, 4.0);
    function!(input cos - 4.0, 4.0);
    function!(output tan - 1.2, 1.2);
    function!(input asin - 0.8, 0.8);
    function!(input acos - 0.8, 0.8);
    function!(input atan - 4.0, 4.0);
}

#[test]
fn hyperbolic() {
    function!(input sinh - 2.0, 2.0);
    function!(input cosh - 2.0, 2.0);
    function!(output tanh - 2.0, 2.0);
    function!(input asinh - 2.0, 2.0);
    function!(input acosh 1.3, 4.0);
    function!(input atanh - 0.8, 0.8);
}

#[test]
fn activations() {
    function!(output relu - 2.0, 2.0);
    function!(output sigmoid - 4.0, 4.0);
    function!(input gelu - 4.0, 4.0);
    function!(input silu - 4.0, 4.0);
    function!(input softplus - 4.0, 4.0);
}

#[test]
fn piecewise_linear() {
    function!(input abs 0.1, 2.0);
    function!(input abs - 2.0, -0.1);
    function!(input fract 0.1, 0.9);
    function!(input to_degrees - 2.0, 2.0);
    function!(input to_radians - 200.0, 200.0);
}

#[test]
fn functions_without_a_table_trait() {
    let x = between(<shape![3, 7]>::default(), 1, 1.1, 1.4);
    method!(x, square __square_vjp __square_jvp []);
    method!(x, gelu_tanh __gelu_tanh_vjp __gelu_tanh_jvp []);
    method!(x, floor __floor_vjp __floor_jvp []);
    method!(x, ceil __ceil_vjp __ceil_jvp []);
    method!(x, round __round_vjp __round_jvp []);
    method!(x, trunc __trunc_vjp __trunc_jvp []);
    method!(x, signum __signum_vjp __signum_jvp []);
}

#[test]
fn negation() {
    check(
        "neg",
        &between((Batch(3), Sz::<5>), 1, -2.0, 2.0),
        |x| -x,
        |x, ct| {
            let mut d = x.zero_adj(On);
            ad::neg::pull(&wit(x), &ct, &mut d);
            (-x, finish(x, d))
        },
        |x, t| (-x, ad::neg::push(x, &-x, t)),
    );
}

#[test]
fn powi() {
    for n in [-3, -1, 0, 1, 2, 5] {
        check(
            "powi",
            &between(<shape![3, 5]>::default(), 1, -2.0, -0.4),
            |x| x.powi(n),
            |x, ct| {
                let mut d = x.zero_adj(On);
                ad::powi::pull(x, n, &ct, &mut d);
                (x.powi(n), finish(x, d))
            },
            |x, t| (x.powi(n), ad::powi::push(x, n, &x.powi(n), t)),
        );
    }
}

#[test]
fn powf() {
    for p in [-1.5, 0.5, 2.0, 3.7] {
        check(
            "powf",
            &(between(<shape![3, 5]>::default(), 1, 0.4, 2.0), p),
            |(x, p)| x.powf(*p),
            |(x, p), ct| {
                let y = x.powf(*p);
                let (mut d, mut dp) = (x.zero_adj(On), p.zero_adj(On));
                ad::powf::pull_l(x, p, &y, &ct, &mut d);
                ad::powf::pull_r(x, p, &y, &ct, &mut dp);
                (y, (finish(x, d), dp))
            },
            |(x, p), (t, tp)| {
                let y = x.powf(*p);
                let dy = ad::powf::push_l(x, p, &y, t) + ad::powf::push_r(x, p, &y, tp);
                (y, dy)
            },
        );
    }
}

#[test]
fn clamp() {
    check(
        "clamp",
        &(between(<shape![3, 15]>::default(), 1, -2.0, 2.0), -0.7, 0.9),
        |(x, lo, hi)| x.clamp(*lo, *hi),
        |(x, lo, hi), ct| {
            let sel = ad::clamp::sel(x, lo, hi);
            let (wx, w) = (wit(x), wit(lo));
            let (mut d, mut dlo, mut dhi) = (x.zero_adj(On), 0.0, 0.0);
            ad::clamp::pull_x::<_, f64, _>(&wx, &sel, &ct, &mut d);
            ad::clamp::pull_lo(&wx, &w, &sel, &ct, &mut dlo);
            ad::clamp::pull_hi(&wx, &w, &sel, &ct, &mut dhi);
            (x.clamp(*lo, *hi), (finish(x, d), dlo, dhi))
        },
        |(x, lo, hi), (t, tlo, thi)| {
            let y = x.clamp(*lo, *hi);
            let dy = ad::clamp::push_x(x, lo, hi, &y, t)
                + ad::clamp::push_lo(x, lo, hi, &y, tlo)
                + ad::clamp::push_hi(x, lo, hi, &y, thi);
            (y, dy)
        },
    );
}
