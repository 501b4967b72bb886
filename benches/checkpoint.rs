//! The gradient of a long loop with `#[checkpoint]` against the same with a tape, and against one written by
//! hand. What each takes in memory is in `tests/memory.rs`.
//!
//! `cargo bench -p differentiable --bench checkpoint`; add `-- --quick` to only check that it runs.

#[macro_use]
#[path = "support/leapfrog.rs"]
mod leapfrog;
mod support;

use differentiable::prelude::*;
use std::hint::black_box;
use support::{Effort, assert_close, case, compare};

pendulum!(pendulum:);
pendulum!(pendulum_balanced: #[checkpoint]);
pendulum!(pendulum_hundred: #[checkpoint(snapshots = 100)]);
pendulum!(pendulum_thousand: #[checkpoint(snapshots = 1000)]);

fn leap(y: &mut [f64; 2], k: f64) {
    let h = 0.001;
    y[1] -= 0.5 * h * k * y[0].sin();
    y[0] += h * y[1];
    y[1] -= 0.5 * h * k * y[0].sin();
}

/// The derivatives of [`pendulum`] by hand, with a state for each `√n` steps.
fn pendulum_by_hand(start: [f64; 2], k: f64, n: usize) -> ([f64; 2], f64) {
    let (h, apart) = (0.001, n.saturating_sub(1).isqrt() + 1);
    let (mut y, mut kept) = (start, Vec::with_capacity(apart));
    for i in 0..n {
        if i % apart == 0 {
            kept.push(y);
        }
        leap(&mut y, k);
    }
    let (mut d, mut d_k) = ([y[1], y[0]], 0.0);
    let mut angles = Vec::with_capacity(apart);
    let mut end = n;
    while let Some(from) = kept.pop() {
        y = from;
        let begin = kept.len() * apart;
        for _ in begin..end {
            let before = y[0];
            leap(&mut y, k);
            angles.push((before, y[0]));
        }
        end = begin;
        while let Some((before, after)) = angles.pop() {
            for (angle, first) in [(after, false), (before, true)] {
                let (s, c) = angle.sin_cos();
                d_k -= 0.5 * h * s * d[1];
                d[0] -= 0.5 * h * k * c * d[1];
                if !first {
                    d[1] += h * d[0];
                }
            }
        }
    }
    (d, d_k)
}

/// The Lorenz system by steps of Runge and Kutta.
macro_rules! lorenz {
    ($name:ident: $($how:tt)*) => {
        #[differentiable]
        fn $name(start: [f64; 3], r: [f64; 3], n: usize) -> f64 {
            let mut y = start;
            let h = 0.0001;
            $($how)*
            for _ in 0..n {
                let a = slope(y, r);
                let b = slope(along(y, 0.5 * h, a), r);
                let c = slope(along(y, 0.5 * h, b), r);
                let d = slope(along(y, h, c), r);
                for j in 0..3 {
                    y[j] += h / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]);
                }
            }
            y[0] * y[1] + y[2]
        }
    };
}
lorenz!(lorenz:);
lorenz!(lorenz_balanced: #[checkpoint]);
lorenz!(lorenz_hundred: #[checkpoint(snapshots = 100)]);

#[differentiable]
fn slope(y: [f64; 3], r: [f64; 3]) -> [f64; 3] {
    [
        r[0] * (y[1] - y[0]),
        y[0] * (r[1] - y[2]) - y[1],
        y[0] * y[1] - r[2] * y[2],
    ]
}

#[differentiable]
fn along(y: [f64; 3], h: f64, k: [f64; 3]) -> [f64; 3] {
    [y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]]
}

fn main() {
    let effort = Effort::from_args();
    let n = 100_000;

    let (y, k) = (black_box([0.7, 0.1]), black_box(1.3));
    let (d, d_k) = pendulum::grad(y, k, n);
    let (by_hand, by_hand_k) = pendulum_by_hand(y, k, n);
    assert_close("by hand", &by_hand, &d, 1e-9);
    assert_close("by hand", &[by_hand_k], &[d_k], 1e-9);
    assert_eq!(pendulum_balanced::grad(y, k, n), (d, d_k));
    compare(
        effort,
        "pendulum, 100 000 steps: gradient, with a tape",
        3.5,
        case("tape", || pendulum::grad(y, k, n)),
        vec![
            case("checkpoint, by hand", || pendulum_by_hand(y, k, n)),
            case("checkpoint", || pendulum_balanced::grad(y, k, n)),
            case("snapshots = 1000", || pendulum_thousand::grad(y, k, n)),
            case("snapshots = 100", || pendulum_hundred::grad(y, k, n)),
        ],
    );

    let (y, r) = (
        black_box([1.0, 0.5, 2.0]),
        black_box([10.0, 28.0, 8.0 / 3.0]),
    );
    assert_eq!(lorenz_balanced::grad(y, r, n), lorenz::grad(y, r, n));
    compare(
        effort,
        "Lorenz system, 100 000 steps: gradient, with a tape",
        3.5,
        case("tape", || lorenz::grad(y, r, n)),
        vec![
            case("checkpoint", || lorenz_balanced::grad(y, r, n)),
            case("snapshots = 100", || lorenz_hundred::grad(y, r, n)),
        ],
    );
}
