//! References to what has no derivative: they are taken again where the reverse pass needs them.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn parts(w: f64, #[constant] table: &[f64], ids: &[usize]) -> f64 {
    let tail = &table[1..];
    let all = &ids;
    let mut total = 0.0;
    for i in 0..all.len() {
        total += (w * tail[all[i]]).sin() * w;
    }
    total
}

#[test]
fn parts_of_parameters() {
    let (table, ids) = ([9.0, 0.5, -1.2, 2.0], [2, 0, 1, 1]);
    let (w, mut expected) = (0.7_f64, 0.0);
    for i in ids {
        let (sine, cosine) = (w * table[i + 1]).sin_cos();
        expected += sine + w * table[i + 1] * cosine;
    }
    let found = parts::grad(w, &table, &ids);
    assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    assert_eq!(parts::jvp((w, 1.0), &table, &ids).1, found);
}

/// What is borrowed is made here, and moves into the pullback.
#[differentiable]
fn made(w: f64, n: usize) -> f64 {
    let table: Vec<f64> = (0..n).map(|i| i as f64 * 0.3).collect();
    let (first, tail) = (&table[0], &table[1..]);
    let mut y = w + first;
    for i in 0..tail.len() {
        let k = 0.1 * tail[i].sqrt().to_string().len() as f64;
        let r = &k;
        y = (y * r).sin() * w;
    }
    y
}

#[test]
fn of_what_is_made_here() {
    check::<made, _>(&(0.8, 5));
}

/// In a loop, of a value that costs something to make.
#[differentiable]
fn cloned(w: &[f64], rows: &[Vec<usize>]) -> f64 {
    let mut total = 0.0;
    for i in 0..rows.len() {
        let row = no_grad!(rows[i].clone());
        let ids = &row;
        for k in 0..ids.len() {
            total += w[ids[k]] * w[ids[k]] * (i as f64 + 1.0);
        }
    }
    total
}

#[test]
fn in_a_loop() {
    check::<cloned, _>(&(
        vec![0.3, -0.7, 1.1],
        vec![vec![0, 2], vec![], vec![1, 1, 0]],
    ));
}
