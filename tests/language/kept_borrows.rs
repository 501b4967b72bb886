//! Borrowed parts of constants, in the forms in which data is read: the pullback borrows none of them.

use differentiable::prelude::*;

#[differentiable]
fn scored_chunks(w: &[f64], #[constant] points: &[f64], #[constant] labels: &[f64]) -> f64 {
    let d = w.len();
    let mut loss = 0.0;
    for (row, y) in points.chunks(d).zip(labels) {
        let margin: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
        loss += (-y * margin).exp().ln_1p();
    }
    loss
}
#[differentiable]
fn numbered_chunks(w: &[f64], #[constant] points: &[f64], #[constant] labels: &[f64]) -> f64 {
    let d = w.len();
    let mut loss = 0.0;
    for (i, row) in points.chunks(d).enumerate() {
        let margin: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
        loss += (-labels[i] * margin).exp().ln_1p();
    }
    loss
}
#[differentiable]
fn rows_by_ranges(w: &[f64], #[constant] points: &[f64], #[constant] labels: &[f64]) -> f64 {
    let d = w.len();
    let mut loss = 0.0;
    for i in 0..labels.len() {
        let row = &points[i * d..(i + 1) * d];
        let margin: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
        loss += (-labels[i] * margin).exp().ln_1p();
    }
    loss
}
#[differentiable]
fn chunks_in_loops(w: &[f64], #[constant] points: &[f64], #[constant] labels: &[f64]) -> f64 {
    let mut loss = 0.0;
    for (row, y) in points.chunks(3).zip(labels.iter()) {
        let mut margin = 0.0;
        for (x, w) in row.iter().zip(w.iter()) {
            margin += x * w;
        }
        loss += (-y * margin).exp().ln_1p();
    }
    loss
}
#[differentiable]
fn rows_of_vectors(w: &[f64], #[constant] points: &[Vec<f64>], #[constant] labels: &[f64]) -> f64 {
    let mut loss = 0.0;
    for (row, y) in points.iter().zip(labels.iter()) {
        let margin: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
        loss += (-y * margin).exp().ln_1p();
    }
    loss
}

#[differentiable]
fn split(w: &[f64], #[constant] points: &[f64]) -> f64 {
    let (head, tail) = points.split_at(3);
    let mut s = 0.0;
    for i in 0..3 {
        s += head[i] * w[i] * w[i];
    }
    for (t, w) in tail.iter().zip(w) {
        s += t * w * w;
    }
    s
}
#[differentiable]
fn looked_up(w: &[f64], #[constant] points: &[Vec<f64>]) -> f64 {
    let mut s = 0.0;
    for i in 0..points.len() {
        let row = points.get(i).unwrap();
        let dot: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
        s += dot * dot;
    }
    s
}
#[differentiable]
fn one_of_two(w: &[f64], #[constant] a: &[f64], #[constant] b: &[f64], first: bool) -> f64 {
    let row: &[f64] = if first { a } else { b };
    let dot: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
    dot * dot
}
fn row_of(points: &[f64], d: usize, i: usize) -> &[f64] {
    &points[i * d..(i + 1) * d]
}
#[differentiable]
fn row_of_a_function(w: &[f64], #[constant] points: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..points.len() / 3 {
        let row = row_of(points, 3, i);
        let dot: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
        s += dot * dot;
    }
    s
}
#[derive(Clone, Differentiable)]
struct Data {
    x: Vec<f64>,
    y: Vec<f64>,
    d: usize,
}
#[differentiable]
fn rows_of_a_struct(w: &[f64], #[constant] data: &Data) -> f64 {
    let mut s = 0.0;
    for (row, y) in data.x.chunks_exact(data.d).zip(&data.y) {
        let p: f64 = row.iter().zip(w).map(|(a, b)| a * b).sum();
        s += (p - y).powi(2);
    }
    s
}
#[differentiable]
fn pairs_by_reference(w: &[f64], #[constant] points: &[f64], pairs: &[(usize, usize)]) -> f64 {
    let mut s = 0.0;
    for (i, j) in pairs.iter() {
        s += points[*i] * w[*j] * w[*j];
    }
    for &(i, j) in pairs {
        s += points[i] * w[j] * w[j];
    }
    for p in pairs {
        s += points[p.0] * w[p.1] * w[p.1];
    }
    s
}
#[differentiable]
fn ends(w: &[f64], #[constant] points: &[f64]) -> f64 {
    let first = points.first().unwrap();
    let last = points.last().unwrap();
    (w[0] * first).sin() + w[1] * w[1] * last
}
#[differentiable]
fn nearest(w: &[f64], #[constant] points: &[Vec<f64>]) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..points.len() {
        let row = points.get(i).unwrap();
        let d: f64 = row.iter().zip(w).map(|(x, w)| (x - w) * (x - w)).sum();
        if d < best {
            best = d;
        }
    }
    best
}
#[differentiable]
fn arms(w: &[f64], #[constant] points: &[Vec<f64>], flag: bool) -> f64 {
    let mut s = 0.0;
    let mut i = 0;
    while i < points.len() {
        if flag {
            let row = &points.get(i).unwrap()[1..];
            let d: f64 = row.iter().zip(w).map(|(x, w)| x * w * w).sum();
            s += d;
        } else if let Some(x) = points[i].first() {
            s += x * w[0] * w[0];
        }
        i += 1;
    }
    s
}

#[track_caller]
fn check_at(gradient: &[f64], f: impl Fn(&[f64]) -> f64) {
    for i in 0..W.len() {
        let at = |h: f64| {
            let mut w = W;
            w[i] += h;
            f(&w)
        };
        let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
        let error = (slope - gradient[i]).abs();
        assert!(
            error < 1e-7 * (1.0 + slope.abs()),
            "entry {i}: {slope} {}",
            gradient[i]
        );
    }
}

const W: [f64; 3] = [0.3, -0.7, 0.9];
const LABELS: [f64; 4] = [1.0, -1.0, 1.0, 1.0];

fn table() -> Vec<f64> {
    (0..12).map(|i| (f64::from(i) * 0.7).sin()).collect()
}

fn rows() -> Vec<Vec<f64>> {
    table().chunks(3).map(<[f64]>::to_vec).collect()
}

#[test]
fn rows_of_a_table() {
    let (p, l) = (table(), LABELS);
    check_at(&scored_chunks::grad(&W, &p, &l), |w| {
        scored_chunks(w, &p, &l)
    });
    check_at(&numbered_chunks::grad(&W, &p, &l), |w| {
        numbered_chunks(w, &p, &l)
    });
    check_at(&rows_by_ranges::grad(&W, &p, &l), |w| {
        rows_by_ranges(w, &p, &l)
    });
    check_at(&chunks_in_loops::grad(&W, &p, &l), |w| {
        chunks_in_loops(w, &p, &l)
    });
    check_at(&rows_of_vectors::grad(&W, &rows(), &l), |w| {
        rows_of_vectors(w, &rows(), &l)
    });
    let data = Data {
        x: p,
        y: l.to_vec(),
        d: 3,
    };
    check_at(&rows_of_a_struct::grad(&W, &data), |w| {
        rows_of_a_struct(w, &data)
    });
}

/// Only the compiler knows that these are references.
#[test]
fn references_by_methods_and_functions() {
    let p = table();
    check_at(&split::grad(&W, &p), |w| split(w, &p));
    check_at(&looked_up::grad(&W, &rows()), |w| looked_up(w, &rows()));
    check_at(&one_of_two::grad(&W, &p, &LABELS, false), |w| {
        one_of_two(w, &p, &LABELS, false)
    });
    check_at(&row_of_a_function::grad(&W, &p), |w| {
        row_of_a_function(w, &p)
    });
    check_at(&ends::grad(&W, &p), |w| ends(w, &p));
    let pairs = [(0, 1), (3, 2), (4, 0)];
    check_at(&pairs_by_reference::grad(&W, &p, &pairs), |w| {
        pairs_by_reference(w, &p, &pairs)
    });
}

#[test]
fn references_in_arms_and_searches() {
    check_at(&nearest::grad(&W, &rows()), |w| nearest(w, &rows()));
    for flag in [false, true] {
        check_at(&arms::grad(&W, &rows(), flag), |w| arms(w, &rows(), flag));
    }
}

/// A pullback that keeps such values can be used again.
#[test]
fn a_copy_of_a_pullback() {
    let rows = rows();
    let (_, pullback) = looked_up::vjp(&W, &rows);
    assert_eq!(pullback.clone()(1.0), pullback(1.0));
}

fn pick(i: usize) -> usize {
    i % 3
}

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiable]
fn in_a_closure(x: f64, #[constant] t: &[f64]) -> f64 {
    apply(
        |y: f64| {
            let j = pick(4);
            y * y * t[j]
        },
        x,
    )
}

#[differentiable]
fn in_the_arm_of_a_search(x: &[f64], #[constant] t: &[Vec<f64>]) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..x.len() {
        let d = x[i] * x[i];
        if d < best {
            let row = t.get(i).unwrap();
            best = d * row[1] * row[2];
        }
    }
    best
}

#[differentiable]
fn before_a_checkpoint(w: &[f64], #[constant] data: &[f64], n: usize) -> f64 {
    let rows = &data[..n];
    let mut s = 0.0;
    #[checkpoint(every = 2)]
    for i in 0..n {
        s = (s + w[0] * rows[i]).sin() * w[1];
    }
    s * w[2]
}

#[test]
fn closures_searches_and_checkpoints() {
    let p = table();
    assert_eq!(in_a_closure::grad(0.3, &p), 2.0 * 0.3 * p[1]);
    check_at(&in_the_arm_of_a_search::grad(&W, &rows()), |w| {
        in_the_arm_of_a_search(w, &rows())
    });
    check_at(&before_a_checkpoint::grad(&W, &p, 5), |w| {
        before_a_checkpoint(w, &p, 5)
    });
}

/// Written types of references.
#[differentiable]
fn typed(w: &[f64], #[constant] x: &[f64]) -> f64 {
    let row: &[f64] = x.get(1..3).unwrap();
    let last: &f64 = x.last().unwrap();
    let one: &f64 = if *last > 0.0 { last } else { &row[1] };
    let mut s = w[2] * w[2] * one;
    for i in 0..3 {
        let entry: &f64 = x.get(i).unwrap();
        s += (w[i] * entry).sin() * row[0];
    }
    for i in 0..3 {
        let entry: &f64 = x.get(i).unwrap();
        if *entry > 0.5 {
            s += w[0] * w[i] * *entry;
        }
    }
    s
}

#[test]
fn references_of_written_types() {
    let p = table();
    check_at(&typed::grad(&W, &p), |w| typed(w, &p));
}
