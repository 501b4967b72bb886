//! Derivatives of functions of two numbers.

use super::double::Double;
use crate::{Swept, error, unit};
use differentiable::__rt as ad;
use differentiable::device::{BinaryOp, Cpu, Side};
use differentiable::tensor::raw::Raw;

type Exact = fn(Double, Double) -> Double;

struct Pair {
    name: &'static str,
    op: BinaryOp,
    side: Side,
    exact: Exact,
    f32: fn(f32, f32) -> f32,
    f64: fn(f64, f64) -> f64,
    bound: f64,
}

/// Of the rule of scalars, by the first or the second.
macro_rules! pair {
    ($name:ident $text:literal $Op:ident $Side:ident $push:ident $bound:literal, |$a:ident, $b:ident| $exact:expr) => {
        Pair {
            name: $text,
            op: BinaryOp::$Op,
            side: Side::$Side,
            exact: |$a, $b| $exact,
            f32: |a, b| ad::$name::$push(&a, &b, &a.$name(b), &1.0),
            f64: |a, b| ad::$name::$push(&a, &b, &a.$name(b), &1.0),
            bound: $bound,
        }
    };
}

fn pairs() -> [Pair; 4] {
    [
        pair!(atan2 "`a.atan2(b)` by `a`" Atan2 Left push_l 3.5, |a, b| b / (a * a + b * b)),
        pair!(atan2 "`a.atan2(b)` by `b`" Atan2 Right push_r 3.5, |a, b| -a / (a * a + b * b)),
        pair!(hypot "`a.hypot(b)` by `a`" Hypot Left push_l 3.5, |a, b| a / (a * a + b * b).sqrt()),
        pair!(hypot "`a.hypot(b)` by `b`" Hypot Right push_r 3.5, |a, b| b / (a * a + b * b).sqrt()),
    ]
}

/// Numbers of both signs and of sizes from 2 to the first power to 2 to the second.
fn numbers<T: Swept>(from: i32, to: i32) -> Vec<T> {
    let mut seed = 1u64;
    (0..1200)
        .map(|i| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let digits = 1.0 + (seed >> 33) as f64 / (1u64 << 31) as f64;
            let power = from + (to - from) * i / 1200;
            T::from_f64(digits * 2f64.powi(power) * if seed & 4096 == 0 { 1.0 } else { -1.0 })
        })
        .collect()
}

/// The worst error, in units.
fn worst<T: Swept>(p: &Pair, (from, to): (i32, i32), scalar: fn(T, T) -> T) -> [f64; 2] {
    let x = numbers::<T>(from, to);
    let mut worst = [0f64; 2];
    // Each with those of similar size, and with some of every size.
    for step in [1, 7, 31, 211, 599] {
        let y: Vec<T> = (0..x.len()).map(|i| x[(i * 7 + step) % x.len()]).collect();
        let y: Vec<T> = if step < 40 {
            (0..x.len()).map(|i| x[(i + step) % x.len()]).collect()
        } else {
            y
        };
        let raw = |x: &[T]| Raw::from_slice(&Cpu, [x.len()], x);
        let ct = Raw::full(&Cpu, [x.len()], T::ONE);
        let tensors = Raw::binary_pullback(p.op, p.side, &raw(&x), &raw(&y), ct).to_vec();
        for ((&a, &b), tensor) in x.iter().zip(&y).zip(tensors) {
            let exact = (p.exact)(a.to_f64().into(), b.to_f64().into());
            let least = T::MIN_POSITIVE.to_f64();
            // Of two subnormal numbers the value that scalars keep has few digits itself.
            let tiny = a.to_f64().abs().max(b.to_f64().abs()) < least;
            if tiny || exact.0.abs() < least || !T::from_f64(exact.0).to_f64().is_finite() {
                continue;
            }
            let by = unit::<T>(exact.0);
            for (worst, found) in worst.iter_mut().zip([tensor, scalar(a, b)]) {
                let off = ((found.to_f64() - exact.0) / by - exact.1 / by).abs();
                assert!(
                    off <= p.bound,
                    "{}: {a:?} {b:?}: {found:?}, exact {exact:?}",
                    p.name
                );
                *worst = worst.max(off);
            }
        }
    }
    worst
}

/// The rows of the page.
pub fn lines() -> String {
    let mut lines = String::new();
    for p in pairs() {
        // The reference squares them in `f64`; of larger and smaller numbers `size_does_not_matter` has the test.
        let of = [
            ("f32", worst::<f32>(&p, (-149, 127), p.f32)),
            ("f64", worst::<f64>(&p, (-400, 400), p.f64)),
        ];
        for (elements, [tensors, scalars]) in of {
            // Of scalars `hypot` itself is that of the standard library.
            let std = matches!(p.op, BinaryOp::Hypot);
            lines += &format!(
                "| {} | `{elements}` | {} | {} | {} |\n",
                p.name,
                error(Some(tensors), false),
                error(Some(scalars), std),
                p.bound
            );
        }
    }
    lines
}

#[test]
fn size_does_not_matter() {
    for p in pairs() {
        for (a, b) in [(3.0, 4.0), (-1.0, 2.0), (0.0, 1.0)] {
            let at = |scale: f64| {
                let raw = |x: f64| Raw::from_slice(&Cpu, [1], &[x * scale]);
                let ct = Raw::full(&Cpu, [1], 1.0);
                let tensor = Raw::binary_pullback(p.op, p.side, &raw(a), &raw(b), ct).to_vec()[0];
                [tensor, (p.f64)(a * scale, b * scale)]
            };
            let homogeneous = if matches!(p.op, BinaryOp::Atan2) {
                -1
            } else {
                0
            };
            for power in [-1020, -600, 600, 1000] {
                let scale = 2f64.powi(power);
                let by = if homogeneous == 0 { 1.0 } else { scale };
                for (found, near_one) in at(scale).into_iter().zip(at(1.0)) {
                    let off = (found * by - near_one).abs();
                    assert!(
                        off <= 1e-15 * near_one.abs(),
                        "{}: {a}, {b}, 2^{power}",
                        p.name
                    );
                }
            }
        }
    }
}
