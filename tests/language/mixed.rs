//! Constructs combined.

use crate::{check, check_outputs};
use differentiable::prelude::*;

#[derive(Differentiable, Clone)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn closest(points: &[Point], limit: f64) -> Point {
    for p in points {
        let d = (p.x * p.x + p.y * p.y).sqrt();
        if d < limit {
            return Point { x: p.x * d, y: p.y };
        }
    }
    Point { x: 0.0, y: limit }
}

#[differentiable]
fn of_closest(a: f64, b: f64, limit: f64) -> f64 {
    let points = [
        Point { x: a, y: b },
        Point {
            x: b * 0.1,
            y: a * b,
        },
    ];
    let p = closest(&points, limit);
    p.x * 3.0 + p.y * p.y
}

#[test]
fn early_return_of_a_struct() {
    check::<of_closest, _>(&(0.5, 0.4, 1.0));
    check::<of_closest, _>(&(5.0, 0.1, 1.0));
    check::<of_closest, _>(&(5.0, 4.0, 1.0));
}

#[differentiable]
fn pair(x: f64, n: usize) -> (f64, Vec<f64>) {
    let mut kept = vec![x; 3];
    for i in 0..n {
        if i == 4 {
            return (x, kept);
        }
        kept[i % 3] *= x + i as f64;
    }
    (x * 2.0, kept)
}

#[differentiable]
fn of_pair(x: f64, n: usize) -> f64 {
    let (a, v) = pair(x, n);
    a * v.iter().sum::<f64>() + v[1] * v[2]
}

#[test]
fn early_return_of_a_tuple() {
    check::<of_pair, _>(&(0.8, 3));
    check::<of_pair, _>(&(0.8, 9));
}

#[differentiable]
fn first_negative(rows: &[f64], n: usize) -> f64 {
    let mut best = 1.0;
    'search: for (i, row) in rows.chunks_exact(n).enumerate() {
        let mut product = 1.0;
        for v in row.iter().filter(|v| v.abs() > 0.1) {
            product *= v;
            if product < -2.0 {
                best *= product * (i as f64 + 1.0);
                continue 'search;
            }
            if product > 50.0 {
                break 'search;
            }
        }
        best += product;
    }
    best
}

#[test]
fn labels_across_chains() {
    check::<first_negative, _>(&(vec![1.0, 2.0, -3.0, 0.05, 1.5, 2.0, 0.5, 0.5, -1.0], 3));
    check::<first_negative, _>(&(vec![1.0, 2.0, 3.0, 6.0, 5.0, 2.0, 0.5, 0.5, -1.0], 3));
}

#[differentiable]
fn steps(x: f64, program: &[u8]) -> f64 {
    let mut y = x;
    let mut stack = [0.0; 8];
    let mut top = 0;
    let mut at = 0;
    while at < program.len() {
        match program[at] {
            0 => y = y * y,
            1 => {
                stack[top] = y;
                top += 1;
            }
            2 => {
                if top == 0 {
                    break;
                }
                top -= 1;
                y += stack[top];
            }
            3 => {
                at += 2;
                y = y.sin();
                continue;
            }
            _ => return y * 100.0,
        }
        at += 1;
    }
    y + top as f64
}

#[test]
fn an_interpreter() {
    for program in [
        vec![0, 1, 0, 2],
        vec![1, 3, 0, 2, 1],
        vec![2, 0],
        vec![0, 1, 7, 0],
        vec![],
    ] {
        check::<steps, _>(&(0.9, program));
    }
}

#[differentiable]
fn bisect(a: f64, target: f64) -> f64 {
    // The interval is data; the last step carries the derivative.
    let mut lo = 0.0;
    let mut hi = 10.0;
    let f = |x: f64| x * x * x + a * x - target;
    let mut mid = 0.5 * (lo + hi);
    for _ in 0..200 {
        mid = 0.5 * (lo + hi);
        let v = stop_gradient(f(mid));
        if v.abs() < 1e-13 {
            break;
        }
        if v > 0.0 {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    let x = stop_gradient(mid);
    x - f(x) / (3.0 * x * x + a)
}

#[test]
fn a_root_with_one_differentiated_step() {
    let (value, (d_a, d_t)) = bisect::value_and_grad(2.0, 12.0);
    assert!((value - 2.0).abs() < 1e-12);
    // x' = 1 / (3x² + a) for the target, -x / (3x² + a) for a.
    assert!((d_t - 1.0 / 14.0).abs() < 1e-9 && (d_a + 2.0 / 14.0).abs() < 1e-9);
}

#[differentiable]
fn lstm_like(x: &[f64], w: &[f64]) -> f64 {
    let n = w.len();
    let mut state = vec![0.1; n];
    let mut loss = 0.0;
    for v in x.iter() {
        let old = state.clone();
        for (k, s) in state.iter_mut().enumerate() {
            let gate = 1.0 / (1.0 + (-(w[k] * v + old[(k + 1) % n])).exp());
            *s = gate * old[k] + (1.0 - gate) * v.tanh();
        }
        loss += state.iter().map(|s| s * s).sum::<f64>();
    }
    loss
}

#[test]
fn state_changed_in_place() {
    check::<lstm_like, _>(&(vec![0.3, -0.7, 1.1], vec![0.4, 0.9, -0.2, 0.6]));
}

#[differentiable]
fn never_runs(x: f64, n: usize) -> f64 {
    let mut y = x;
    while y > 1e9 {
        y *= 0.5;
    }
    for i in 0..n {
        if i > n {
            return 0.0;
        }
        y *= 1.1;
    }
    y
}

#[test]
fn loops_that_do_not_run() {
    check::<never_runs, _>(&(1.5, 0));
    check::<never_runs, _>(&(1.5, 3));
}

#[test]
fn a_pullback_moves_to_another_thread() {
    #[differentiable]
    fn local(x: f64) -> f64 {
        let mut y = x;
        while y < 10.0 {
            y = y * y + 1.0;
        }
        y
    }
    let (_, pullback) = local::vjp(1.2);
    let there = std::thread::spawn(move || pullback(1.0)).join().unwrap();
    assert_eq!(there, local::grad(1.2));
}

#[derive(Clone, Debug, Differentiable)]
struct Ring {
    values: Vec<f64>,
    offset: usize,
}

#[differentiable]
fn wrapped(ring: &Ring, x: f64, period: f64) -> f64 {
    let mut phase = x % period;
    phase %= 0.7;
    let mut s = phase;
    for i in 0..5 {
        s += ring.values[(i + ring.offset) % ring.values.len()] * phase;
    }
    s
}

#[test]
fn remainders() {
    let ring = Ring {
        values: vec![0.3, 0.7, 1.1],
        offset: 2,
    };
    check::<wrapped, _>(&(ring.clone(), 5.3, 1.9));
    check::<wrapped, _>(&(ring, -5.3, 1.9));
}

const LIMIT: f64 = 0.5;

#[differentiable]
fn inferred(x: f64, d: &[f64]) -> (f64, Option<f64>) {
    let mut least: Option<usize> = None;
    for i in 0..d.len() {
        least = match least {
            None => Some(i),
            Some(j) if d[i] < d[j] => Some(i),
            keep => keep,
        };
    }
    let Some(i) = least else {
        return (x, None);
    };
    let larger = if d[i] < x { i } else { 0 };
    let picked: Vec<f64> = d.iter().filter(|a| **a > 0.3).cloned().collect();
    let product: Option<f64> = d.iter().fold(None, |m: Option<f64>, x| match m {
        None => Some(*x),
        Some(q) => Some(q * x),
    });
    let mut s = (Some(x), 1.0);
    s = (None, s.0.unwrap_or(0.1));
    let scaled = match x {
        LIMIT => 1.0,
        v => v * v,
    };
    let mut all = vec![x];
    all.append(&mut picked.clone());
    let total: f64 = all.iter().sum();
    (
        d[i] * d[larger] * total * scaled * s.1,
        product.map(|p| p * x),
    )
}

#[test]
fn types_that_are_inferred() {
    check_outputs::<inferred, _>(&(0.7, vec![]));
    check_outputs::<inferred, _>(&(0.7, vec![0.6, 0.2, 0.9]));
}
