//! Index operators of the user's own types in functions of higher order.

use differentiable::ad::{check_grads, check_hvp};
use differentiable::prelude::*;
use std::ops::{Index, IndexMut};

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Grid {
    cols: usize,
    data: Vec<f64>,
}

#[differentiable(higher_order)]
impl Index<(usize, usize)> for Grid {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

#[differentiable(higher_order)]
impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

#[differentiable(higher_order)]
impl Index<usize> for Grid {
    type Output = [f64];
    fn index(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }
}

#[differentiable(higher_order)]
impl Grid {
    fn energy(&self, k: f64) -> f64 {
        let mut total = 0.0;
        for i in 0..2 {
            for j in 0..self.cols {
                total += self[(i, j)].powi(3) * k * self[(1 - i, j)] + self[i][j].sin();
            }
        }
        total
    }
}

#[differentiable(higher_order)]
fn relaxed(g: &Grid, k: f64) -> f64 {
    let mut h = g.clone();
    for j in 0..2 {
        h[(0, j)] = g[(1, j)] * h[(0, 1 - j)] * k;
        h[(1, j)] += k * h[(0, j)];
    }
    h.energy(k) * h[(0, 1)]
}

#[test]
fn read_and_written() {
    let grid = Grid {
        cols: 2,
        data: vec![0.3, -0.7, 0.9, 0.4],
    };
    check_grads::<relaxed, _>(&(grid.clone(), 0.8)).unwrap();
    check_hvp::<relaxed, f64, _>(&(grid, 0.8)).unwrap();
}

/// Generic over the scalar, without an annotation.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair<T>([T; 2]);

impl<T> Index<(usize,)> for Pair<T> {
    type Output = T;
    fn index(&self, (i,): (usize,)) -> &T {
        &self.0[i]
    }
}

#[differentiable]
fn of_pairs<T: differentiable::ad::Scalar>(a: T, b: T) -> T {
    let p = Pair([a * b, a]);
    p[(0,)] * p[(1,)] * p[(1,)]
}

#[test]
fn of_a_generic_type() {
    check_hvp::<of_pairs, f64, _>(&(0.8, -0.3)).unwrap();
}
