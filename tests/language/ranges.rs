//! Ranges that have a name, and types of the standard library that have no derivative.

use crate::check;
use differentiable::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

#[differentiable]
fn of_a_parameter(x: &[f64], part: Range<usize>) -> f64 {
    let mut s = 1.0;
    for i in part.clone() {
        s = s * x[i] + 0.5;
    }
    for i in part {
        // Not the ends of the range.
        let (start, end) = (x[0], 0.5);
        s += x[i] * start * end;
    }
    s
}

#[differentiable]
fn of_a_variable(x: &[f64]) -> f64 {
    let n = x.len();
    let inner = 1..n - 1;
    let mut s = 0.0;
    for i in inner.clone() {
        s += x[i] * x[i - 1];
    }
    for i in inner.clone().rev().step_by(2) {
        s *= x[i] + 1.0;
    }
    let t: f64 = inner.clone().map(|i| x[i + 1].sin()).sum();
    let part: f64 = x[inner.clone()].iter().sum();
    s + t * (inner.len() as f64) + part * inner.start as f64
}

fn block(k: usize) -> Range<usize> {
    2 * k..2 * k + 2
}

#[differentiable]
fn of_a_type(x: &[f64], blocks: usize, by: &RangeInclusive<i32>) -> f64 {
    let mut s = 1.0;
    for k in 0..blocks {
        let part: Range<usize> = block(k);
        for i in part {
            s = s * x[i] + 0.5;
        }
    }
    for k in by.clone() {
        s = s * x[0] - k as f64;
    }
    s
}

/// The end of a range is computed where the range is made; another variable of the name is another range.
#[differentiable]
fn made_before(x: f64, mut n: usize) -> f64 {
    let trips = 0..n;
    n += 10;
    let mut s = x;
    for _ in trips {
        s = s.sin() + x;
    }
    let trips = 0..n / 5;
    for i in trips {
        s *= x + i as f64;
    }
    s
}

#[derive(Debug, Clone, Differentiable)]
struct Settings {
    #[constant]
    weights: HashMap<String, f64>,
    steps: usize,
}

#[differentiable]
fn with_settings(
    x: f64,
    #[constant] settings: &Settings,
    #[constant] step: Duration,
    #[constant] skipped: &BTreeSet<usize>,
    #[constant] names: &HashMap<String, usize>,
) -> f64 {
    let mut s = x;
    for i in 0..settings.steps {
        if !skipped.contains(&i) {
            s += step.as_secs_f64() * s.sin();
        }
    }
    s * settings.weights["a"] * names["b"] as f64
}

#[differentiable(higher_order)]
fn curved(x: &[f64], #[constant] part: &Range<usize>) -> f64 {
    let mut s = 1.0;
    for i in part.clone().rev() {
        s *= x[i] + s;
    }
    s
}

#[test]
fn with_a_name() {
    let x: Vec<f64> = (0..7).map(|i| (i as f64 * 0.7).sin()).collect();
    for part in [0..0, 1..4, 0..7] {
        check::<of_a_parameter, _>(&(x.clone(), part.clone()));
        check::<curved, _>(&(x.clone(), part.clone()));
        let grad_of = |i: usize, h: f64| {
            let mut moved = x.clone();
            moved[i] += h;
            curved::grad(&moved, &part)
        };
        let hessian = curved::hessian(&x, &part);
        for (i, row) in hessian.iter().enumerate() {
            for ((h, p), m) in row.iter().zip(grad_of(i, 1e-5)).zip(grad_of(i, -1e-5)) {
                assert!((h - (p - m) / 2e-5).abs() < 1e-6);
            }
        }
    }
    for n in [2, 3, 7] {
        check::<of_a_variable, _>(&(x[..n].to_vec(),));
    }
    check::<of_a_type, _>(&(x, 3, 2..=4));
    check::<made_before, _>(&(0.4, 3));
}

#[test]
fn of_the_standard_library() {
    let settings = Settings {
        weights: [("a".to_string(), 1.5)].into(),
        steps: 5,
    };
    let names = HashMap::from([("b".to_string(), 2)]);
    let step = Duration::from_millis(300);
    check::<with_settings, _>(&(0.3, settings, step, BTreeSet::from([1, 3]), names));
}

struct Rows {
    begin: Vec<usize>,
    column: Vec<usize>,
}

#[differentiable]
fn times(entries: &[f64], #[constant] a: &Rows, x: &[f64]) -> Vec<f64> {
    (0..a.begin.len() - 1)
        .map(|i| {
            (a.begin[i]..a.begin[i + 1])
                .map(|k| entries[k] * x[a.column[k]])
                .sum()
        })
        .collect()
}

/// Chains over ranges that do not begin with 0.
#[differentiable]
fn chained(entries: &[f64], x: &[f64], #[constant] a: &Rows, last: i32) -> f64 {
    let y = times(entries, a, x);
    let n = x.len();
    let mut sum: f64 = (1..n).map(|i| (x[i] - x[i - 1]).powi(2)).sum();
    sum += (1..=n - 1).rev().map(|i| x[i] * i as f64).sum::<f64>();
    sum += (2..=last).map(|i| x[0] * f64::from(i)).sum::<f64>();
    let none = 1;
    sum += (3..none).map(|i: usize| x[i]).sum::<f64>();
    sum *= (1..n)
        .filter(|i| i % 2 == 1)
        .map(|i| x[i].cos())
        .product::<f64>();
    for (k, d) in (2..n).map(|i| x[i] * x[i - 2]).enumerate() {
        sum += d * k as f64;
    }
    let far: Vec<f64> = (a.begin[1]..n).map(|i| x[i].sin()).collect();
    let pairs: f64 = (0..n)
        .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
        .map(|(i, j)| x[i] * x[j] * x[j])
        .sum();
    let most = (1..n)
        .map(|i| x[i] * x[i - 1])
        .fold(f64::NEG_INFINITY, f64::max);
    let stop = (1..n).map(|i| x[i]).take_while(|v| *v > 0.5).sum::<f64>();
    let both: f64 = (1..n).zip(&y).map(|(i, y)| x[i] * y).sum();
    sum + far.iter().product::<f64>() + pairs + most + stop + both
}

#[test]
fn that_do_not_begin_with_zero() {
    let (begin, column) = (vec![0, 2, 2, 5], vec![0, 3, 1, 2, 0]);
    let a = Rows { begin, column };
    let x: Vec<f64> = (0..6).map(|i| (0.7 * f64::from(i)).sin() + 0.4).collect();
    let f = |entries: &[f64], x: &[f64]| chained(entries, x, &a, 4);
    let entries = [0.3, -1.1, 0.8, 1.4, 0.6];
    let (value, (d_entries, d_x)) = chained::value_and_grad(&entries, &x, &a, 4);
    assert_eq!(value, f(&entries, &x));
    let close = |d: f64, up: f64, down: f64| {
        let difference = (up - down) / 2e-6;
        assert!(
            (d - difference).abs() < 1e-7 * (1.0 + d.abs()),
            "{d} {difference}"
        );
    };
    for k in 0..5 {
        let mut e = [entries; 2];
        (e[0][k], e[1][k]) = (e[0][k] + 1e-6, e[1][k] - 1e-6);
        close(d_entries[k], f(&e[0], &x), f(&e[1], &x));
    }
    for k in 0..6 {
        let (mut up, mut down) = (x.clone(), x.clone());
        (up[k], down[k]) = (up[k] + 1e-6, down[k] - 1e-6);
        close(d_x[k], f(&entries, &up), f(&entries, &down));
    }
}

/// Says of its argument what type it has.
fn inverse(n: u64) -> f64 {
    1.0 / (n as f64)
}

fn fraction(n: i8) -> f64 {
    f64::from(n) / 3.0
}

/// What the bodies do with the numbers of their loops is in part not done again.
#[differentiable]
fn of_literals(x: f64) -> f64 {
    let mut s: f64 = (1..100)
        .map(|n| x * inverse(n) * (n * n * n * n * n) as f64)
        .sum();
    s += (0..100)
        .map(|n| x * inverse(n + 1) * (n * n * n * n * n) as f64)
        .sum::<f64>();
    for n in 1..100 {
        s += x * inverse(n) * (n * n * n * n * n) as f64;
    }
    for n in (1..=90).rev() {
        for k in -3..3 {
            s += x * inverse(n) * (n * n * n * n * n) as f64 * fraction(k);
        }
    }
    for n in (1..99).step_by(7) {
        s += x * inverse(n) * (n.rem_euclid(3) + n * n * n * n * n) as f64;
    }
    s
}

#[test]
fn of_literals_have_a_type_in_both_passes() {
    let (value, slope) = of_literals::value_and_grad(1.5);
    assert!(
        (slope - value / 1.5).abs() < 1e-9 * slope.abs(),
        "{value} {slope}"
    );
    check::<of_literals, _>(&(0.7,));
}

/// Numbers with a name, whose type only what the forward pass does with them says.
#[differentiable]
fn named_literals(x: f64, rate: f32) -> f64 {
    let k = 100_000;
    let mut s = x * inverse(k) * (k * k) as f64;
    for i in 1..4 {
        let (j, far) = (i + 1, 2 * 50_000);
        s += x.sin() * inverse(j) * (far * far) as f64 * inverse(far);
        let wide = -(3_000_000_000);
        s *= 1.0 + x * 1e-9 * (wide + i64::from(fraction_of(wide))) as f64;
    }
    let mut total = 0.0;
    let add = |t: f64| {
        let n = 70_000;
        t * (n * n) as f64 * inverse(n)
    };
    for i in 0..3 {
        total += add(x * f64::from(i));
        if total > 1.0 {
            let m = 90_000;
            total += x * x * (m * m) as f64 * inverse(m);
        }
    }
    let third = 1.0 / 3.0;
    let single = rate * third * of_single(third);
    s + total * f64::from(single)
}

fn fraction_of(n: i64) -> i32 {
    (n % 7) as i32
}

fn of_single(x: f32) -> f32 {
    x + 1.0
}

#[test]
fn of_named_literals_have_a_type_in_both_passes() {
    let f = |x: f64| named_literals(x, 0.5);
    for x in [0.3, -0.7] {
        let (value, (slope, by_rate)) = named_literals::value_and_grad(x, 0.5);
        assert_eq!(value, f(x));
        let h = 1e-6;
        let difference = (f(x + h) - f(x - h)) / (2.0 * h);
        assert!(
            (slope - difference).abs() < 1e-7 * slope.abs(),
            "{slope} {difference}"
        );
        let by = named_literals(x, 0.75) - named_literals(x, 0.25);
        let by_rate = f64::from(by_rate);
        assert!(
            (by_rate - 2.0 * by).abs() < 1e-5 * by_rate.abs().max(1.0),
            "{by_rate} {by}"
        );
    }
}
