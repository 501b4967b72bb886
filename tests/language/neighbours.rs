//! Loops that read several neighbours in an array: in reverse their cotangents are added block by block.

use crate::check;
use differentiable::ad::check_hvp;
use differentiable::prelude::*;

/// Lengths around that of a block, and without a trip.
const LENGTHS: [usize; 9] = [2, 3, 4, 31, 33, 34, 35, 67, 100];

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.8 + 0.3 * (1.7 * i as f64).sin()).collect()
}

#[differentiable(higher_order)]
fn three_points(x: &[f64], rate: f64) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    for i in 1..n - 1 {
        u[i] = rate * x[i] * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
    }
    let mut total = 0.0;
    for i in 0..n - 1 {
        total += (u[i + 1] - u[i]).powi(2) * u[i];
    }
    total
}

#[test]
fn neighbours_in_a_row() {
    for n in LENGTHS {
        let x = numbers(n);
        check::<three_points, _>(&(x.clone(), 0.7));
        check_hvp::<three_points, f64, _>(&(x, 0.7)).unwrap();
    }
}

#[differentiable]
fn five_points(x: &[f64], width: usize) -> f64 {
    let height = x.len() / width;
    let mut u = x.to_vec();
    let mut next = vec![0.0; x.len()];
    for _ in 0..3 {
        for i in 1..height - 1 {
            for j in 1..width - 1 {
                let here = u[i * width + j];
                let around = u[(i - 1) * width + j]
                    + u[(i + 1) * width + j]
                    + u[i * width + j - 1]
                    + u[i * width + j + 1];
                next[i * width + j] = here + 0.1 * (around - 4.0 * here * here);
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v).sum()
}

#[test]
fn neighbours_in_a_table() {
    for width in [3, 4, 40] {
        let x = numbers(width * 5);
        check::<five_points, _>(&(x, width));
    }
}

#[differentiable]
fn five_points_in_rows(x: &[Vec<f64>], rate: f64) -> f64 {
    let (height, width) = (x.len(), x[0].len());
    let mut u = x.to_vec();
    for _ in 0..3 {
        let mut next = u.clone();
        for i in 1..height - 1 {
            for j in 1..width - 1 {
                let flux = |a: usize, b: usize| (x[i][j] + x[a][b]) * (u[a][b] - u[i][j]);
                next[i][j] +=
                    rate * (flux(i - 1, j) + flux(i + 1, j) + flux(i, j - 1) + flux(i, j + 1));
            }
        }
        u = next;
    }
    u.iter().flatten().map(|v| v * v).sum()
}

#[differentiable]
fn with_a_name(x: &[f64], width: usize) -> f64 {
    let height = x.len() / width;
    let mut next = vec![0.0; x.len()];
    for i in 1..height - 1 {
        let row = i * width;
        for j in 1..width - 1 {
            let k = row + j;
            let below = k + width;
            next[k] = x[k - 1] * x[k + 1] + x[k - width] * x[below] * x[k];
        }
    }
    next.iter().map(|v| v * v).sum()
}

#[differentiable]
fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let (n, m, p) = (a.len(), b.len(), b[0].len());
    let mut c = vec![vec![0.0; p]; n];
    for i in 0..n {
        for k in 0..m {
            for j in 0..p {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c.iter().flatten().map(|c| c.sin()).sum()
}

// The second row shares nothing with the first, though both have the same index at times.
#[differentiable]
fn rows_that_meet(x: &[Vec<f64>], other: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        for j in 0..x[i].len() {
            total += x[i][j] * x[other][j] * x[i][0];
        }
    }
    total
}

// The row is another one in each iteration, and ends with the last.
#[differentiable]
fn a_row_that_moves(x: &[Vec<f64>]) -> f64 {
    let mut total = 0.0;
    let mut row = 0;
    for j in 0..x.len() {
        total += x[row][j] * x[j][row];
        row = (row + j) % x.len();
    }
    total
}

fn rows(height: usize, width: usize) -> Vec<Vec<f64>> {
    numbers(height * width)
        .chunks(width)
        .map(<[f64]>::to_vec)
        .collect()
}

#[test]
fn neighbours_in_rows() {
    for width in [3, 4, 40, 70] {
        let x = rows(5, width);
        check::<five_points_in_rows, _>(&(x.clone(), 0.05));
        check::<with_a_name, _>(&(x.concat(), width));
        check::<product, _>(&(x.clone(), rows(width, 4)));
        check::<rows_that_meet, _>(&(x, 2));
    }
    check::<a_row_that_moves, _>(&(rows(5, 5),));
}

#[differentiable]
fn chain(start: &[f64], stiffness: &[f64], damping: f64) -> f64 {
    let n = start.len();
    let mut x = start.to_vec();
    let mut v = vec![0.0; n];
    for _ in 0..4 {
        for i in 0..n - 1 {
            let d = x[i + 1] - x[i];
            let force = stiffness[i] * d + d * d * d - damping * (v[i + 1] - v[i]);
            v[i] += 0.1 * force;
            v[i + 1] -= 0.1 * force;
        }
        for i in 0..n {
            x[i] += 0.1 * v[i];
        }
    }
    let mut total = 0.0;
    for i in 0..n {
        total += x[i] * v[i];
    }
    total
}

#[differentiable]
fn pulled(start: &[f64], stiffness: &[f64]) -> f64 {
    let n = start.len();
    let mut x = start.to_vec();
    let mut v = Vec::new();
    for s in start {
        v.push(0.1 * s);
    }
    for _ in 0..4 {
        for i in 0..n - 1 {
            let d = x[i + 1] - x[i];
            let force = stiffness[i] * d + d * d * d;
            v[i] += 0.1 * force;
            v[i + 1] -= 0.1 * force;
        }
        for i in 0..n {
            x[i] += 0.1 * v[i];
        }
    }
    v.iter().map(|v| v * v).sum()
}

#[test]
fn neighbours_that_are_added_to() {
    for n in LENGTHS {
        let (x, k) = (numbers(n), numbers(n));
        check::<chain, _>(&(x.clone(), k.clone(), 0.3));
        check::<pulled, _>(&(x, k));
    }
}

/// Each trip reads what the one before has written.
#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    for i in 1..u.len() - 1 {
        u[i] = u[i] + 0.2 * u[i - 1] * u[i + 1];
    }
    for i in 1..u.len() {
        u[i] += 0.3 * u[i - 1];
    }
    for i in 0..u.len() - 1 {
        u[i + 1] = 0.5 * u[i];
    }
    u.iter().map(|v| v * v).sum()
}

#[differentiable]
fn parts(x: &[f64], from: usize) -> f64 {
    let (n, end) = (x.len(), x.len() - 1);
    let mut out = vec![0.0; n];
    for k in 0..n - from - 1 {
        out[k] = x[from..][k] * x[from..end + 1][k + 1] - x[k + from - 1 + 1];
    }
    for k in from..n {
        out[k - from] = out[k - from] * x[k - from] + x[n - 1] * x[k];
    }
    let mut total = 1.0;
    for v in out {
        total = total * 0.9 + v;
    }
    total
}

/// An array that is read with one index that follows the loop and one that does not.
#[differentiable]
fn jumps(x: &[f64], order: &[usize]) -> f64 {
    let mut y = vec![0.0; x.len()];
    for i in 0..order.len() - 1 {
        y[i] = x[i] * x[i + 1] - x[order[i]];
    }
    for i in 0..order.len() - 1 {
        y[order[i]] += y[i + 1] * 0.5;
    }
    let mut total = 0.0;
    for i in 1..y.len() {
        total += y[i] * y[i - 1] * x[order[i]];
    }
    total
}

#[test]
fn other_indices() {
    for n in LENGTHS {
        let x = numbers(n);
        check::<in_place, _>(&(x.clone(),));
        check::<parts, _>(&(x.clone(), 1));
        let order: Vec<usize> = (0..n).map(|i| (7 * i + 3) % n).collect();
        check::<jumps, _>(&(x, order));
    }
}

#[differentiable]
fn pushed(x: &[f64], from: usize) -> f64 {
    let n = x.len();
    let mut out = vec![x[0]];
    for i in from..n {
        out.push(x[i] * x[i - from]);
    }
    for i in (0..n).rev() {
        out.push(x[i] * (1.0 + i as f64));
    }
    for i in (1..n).rev() {
        out.push((x[i] * x[i - 1]).sin());
    }
    for row in 0..3 {
        for i in 0..n {
            out.push(x[i] * x[row % n] * x[i]);
        }
        out.push(0.5);
    }
    for i in 0..n {
        out.push(x[i]);
        out.push(2.0 * x[i]);
    }
    for i in 0..n {
        out.push(x[i] * out.len() as f64);
    }
    let last = out.pop().unwrap();
    out.truncate(5 * n);
    let mut total = last * last;
    for i in 1..out.len() {
        total = 0.9 * total + out[i] * out[i - 1] * (i as f64).cos();
    }
    total
}

#[differentiable]
fn collected(x: &[f64], w: &[f64], k: f64) -> f64 {
    let scaled: Vec<f64> = x.iter().map(|v| k * v * v).collect();
    let back: Vec<f64> = scaled.iter().rev().map(|v| k * v).collect();
    let both: Vec<f64> = back.iter().zip(&scaled).map(|(a, b)| a * b + k).collect();
    let mut u = both.clone();
    for _ in 0..3 {
        u = u.iter().zip(w).map(|(u, w)| u * w + k * u).collect();
        u = u
            .into_iter()
            .enumerate()
            .map(|(i, v)| v * (i as f64).sin())
            .collect();
    }
    let pairs: Vec<f64> = u.windows(2).map(|p| p[0] * p[1]).collect();
    pairs.iter().zip(&both).map(|(a, b)| a * b).sum::<f64>() + both[0] * scaled[1]
}

/// Offsets and constants that change between the loops, and in them.
#[differentiable]
fn moving(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = 0;
    let mut c: Vec<f64> = (0..n).map(|i| 0.5 + 0.01 * i as f64).collect();
    let mut y = vec![1.0; n];
    for i in 0..n - 1 {
        y[i] = x[a + i] * x[a + i + 1] * c[i];
        c[i + 1] = 0.5 * c[i];
    }
    a += 1;
    for i in 1..n {
        y[i - a] += x[i - a] * x[i] * c[i - a] - c[i];
    }
    a = 0;
    c[0] = 3.0;
    let mut skip = 0;
    for i in 0..n / 2 {
        skip += 1;
        y[i] = y[i] * x[i + skip - 1 + a] * x[skip];
    }
    let mut total = 0.0;
    for i in 1..n {
        total += y[i] * y[i - 1] * c[0];
    }
    total
}

#[test]
fn pushes_in_any_order() {
    for n in LENGTHS {
        let x = numbers(n);
        check::<pushed, _>(&(x.clone(), 0));
        check::<pushed, _>(&(x.clone(), 1));
        check::<collected, _>(&(x.clone(), numbers(n), 0.9));
        check::<moving, _>(&(x,));
    }
}
