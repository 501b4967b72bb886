//! Tables that are stored row by row, and tables that are filled diagonal by diagonal: which of their entries change no more
//! (`passes/order`), and which do.

use crate::{check, check_outputs};
use differentiable::prelude::*;

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.9 + 0.3 * (1.3 * i as f64).sin()).collect()
}

#[differentiable]
fn distance(a: &[f64], b: &[f64], table: &mut [f64]) -> f64 {
    let n = a.len();
    let m = b.len();
    for i in 1..n {
        for j in 1..m {
            let at = i * m + j;
            let (up, left) = (table[(i - 1) * m + j], table[i * m + j - 1]);
            table[at] = (up * left + a[i] * b[j]).tanh() + table[at - m - 1] * up;
        }
    }
    table[(n - 1) * m + m - 1]
}

/// The table is changed by its owner once the function has returned.
#[differentiable]
fn distances(a: &[f64], b: &[f64]) -> f64 {
    let mut table = vec![0.7; a.len() * b.len()];
    let first = distance(a, b, &mut table);
    for v in table.iter_mut() {
        *v *= first;
    }
    first + distance(b, a, &mut table) * table[0]
}

#[differentiable]
fn chain(sizes: &[f64], table: &mut [f64]) -> f64 {
    let n = sizes.len() - 1;
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            let mut sum = 0.0;
            for k in i..j {
                let whole = table[i * n + k]
                    + table[(k + 1) * n + j]
                    + sizes[i] * sizes[k + 1] * sizes[j + 1];
                sum += 1.0 / whole;
            }
            table[i * n + j] = 1.0 / sum;
        }
    }
    table[n - 1]
}

#[differentiable]
fn chains(sizes: &[f64]) -> f64 {
    let n = sizes.len() - 1;
    let mut table = vec![0.0; n * n];
    let once = chain(sizes, &mut table);
    table[0] = once * once;
    once * chain(sizes, &mut table)
}

#[differentiable]
fn chain_of_rows(sizes: &[f64]) -> f64 {
    let n = sizes.len() - 1;
    let mut table = vec![vec![0.1; n]; n];
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            for k in i..j {
                let both = table[i][k] * table[k + 1][j];
                table[i][j] += (both + sizes[k]).sqrt() * both;
            }
        }
    }
    table[0][n - 1]
}

/// Sums of indices are those of the diagonals.
#[differentiable]
fn wavefront(a: &[f64], n: usize) -> f64 {
    let mut t = vec![1.0; n * n];
    for s in 2..2 * n - 1 {
        for i in 1..n {
            if s < i + 1 || s - i >= n {
                continue;
            }
            let j = s - i;
            t[i * n + j] = a[i] * t[(i - 1) * n + j] * t[i * n + j - 1] + a[j];
        }
    }
    t[n * n - 1]
}

/// Each row is written over the one before: nothing stays.
#[differentiable]
fn one_row(a: &[f64], m: usize) -> f64 {
    let n = a.len();
    let mut t = vec![1.0; 2 * m];
    for i in 1..n {
        for j in 1..m {
            t[(i % 2) * m + j] =
                a[i] * t[((i + 1) % 2) * m + j] * t[(i % 2) * m + j - 1] + a[j % n];
        }
    }
    t[m - 1] * t[2 * m - 1]
}

/// The columns are longer than the stride: rows overlap.
#[differentiable]
fn overlapping(a: &[f64], stride: usize) -> Vec<f64> {
    let n = a.len();
    let mut t = vec![0.5; n * (stride + 2)];
    for i in 1..n {
        for j in 0..stride + 2 {
            t[i * stride + j] = a[i] * t[(i - 1) * stride + j] * t[i * stride + j] + 0.1;
        }
    }
    t
}

/// A later trip writes a shorter diagonal.
#[differentiable]
fn shrinking(a: &[f64]) -> f64 {
    let n = a.len();
    let mut t = vec![0.9; n * n];
    for length in (1..n).rev() {
        for i in 0..n - length {
            let j = i + length;
            for k in i..j {
                t[i * n + j] *= t[i * n + k] * a[k] + 0.2;
            }
        }
    }
    t[n - 1] * t[1]
}

/// The rows have another length in each trip of the outer loop.
#[differentiable]
fn varying_stride(a: &[f64], m: usize, n: usize) -> f64 {
    let mut t = vec![0.9; 12 * m];
    for k in 0..t.len() {
        t[k] = a[k % a.len()];
    }
    let mut total = 0.0;
    for s in 0..n {
        let w = m - s;
        for i in s + 1..n + 1 {
            for j in 0..m - n {
                t[i * w + j] += 0.3 * t[s * w + j] * t[s * w + j] * a[j];
            }
        }
    }
    for k in 0..t.len() {
        total += t[k] * t[k];
    }
    total
}

/// The same, by a variable that changes.
#[differentiable]
fn changing_stride(a: &[f64]) -> f64 {
    let n = 2;
    let mut t = a.to_vec();
    let mut w = 9;
    for i in 1..5 {
        for j in 0..n {
            let at = i * (n + w) + j;
            let up = (i - 1) * (n + w) + j;
            t[at] = 0.5 * t[at] + 0.3 * t[up] * t[up];
        }
        if w > 2 {
            w -= 3;
        }
    }
    t.iter().map(|x| x * x).sum()
}

/// Columns before the first are in the row before, which is written later.
#[differentiable]
fn before_the_first(a: &[f64], n: usize) -> f64 {
    let m = a.len();
    let d = 2;
    let mut t = vec![0.9; n * m];
    for i in (1..n).rev() {
        for j in 0..m {
            for e in 0..2 {
                let back = i * m + j - d + e;
                t[i * m + j] = 0.5 * a[j] * t[back] * t[back] + 0.4;
                t[(i - 1) * m + j] *= 1.1;
            }
        }
    }
    t.iter().map(|x| x * x).sum()
}

/// The same, where only entries of the row itself are written.
#[differentiable]
fn before_the_row(a: &[f64], n: usize) -> f64 {
    let m = a.len();
    let d = 2;
    let mut t = vec![0.9; n * m];
    for i in (1..n).rev() {
        for j in 0..m {
            for e in 0..2 {
                let back = t[i * m + j - d + e];
                t[i * m + j] = 0.5 * a[j] * back * back + 0.4;
            }
        }
    }
    t.iter().map(|x| x * x).sum()
}

/// Multiples: the counter is the stride.
#[differentiable]
fn multiples(a: &[f64]) -> f64 {
    let n = a.len();
    let mut t = vec![0.9; n * n];
    for i in 1..n {
        for j in 1..n {
            t[i * j] = 0.5 * t[i * j] + a[i] * t[(i - 1) * j] * t[(i - 1) * j];
        }
    }
    for i in 1..n {
        t[i * (n - i)] = t[i * (n - i)] * a[i] + t[i * (n - i)] * t[i];
    }
    t.iter().map(|x| x * x).sum()
}

#[differentiable]
fn factor(a: &[f64], n: usize) -> Vec<f64> {
    let mut l = a.to_vec();
    for j in 0..n {
        l[j * n + j] += n as f64;
        for k in 0..j {
            l[j * n + j] -= l[j * n + k] * l[j * n + k];
        }
        l[j * n + j] = l[j * n + j].sqrt();
        for i in j + 1..n {
            for k in 0..j {
                l[i * n + j] -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] /= l[j * n + j];
        }
    }
    l
}

#[differentiable]
fn solve(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            x[i] -= l[i * n + j] * x[j];
        }
        x[i] /= l[i * n + i] + 2.0;
    }
}

#[differentiable]
fn solved(l: &[f64], b: &[f64]) -> f64 {
    let mut x = b.to_vec();
    solve(l, &mut x);
    let once = x[x.len() - 1] * x[0];
    solve(l, &mut x);
    once * x[x.len() - 1]
}

#[test]
fn tables() {
    check::<varying_stride, _>(&(numbers(30), 10, 9));
    check::<changing_stride, _>(&(numbers(56),));
    check::<before_the_first, _>(&(numbers(4), 4));
    check::<before_the_row, _>(&(numbers(4), 4));
    check::<multiples, _>(&(numbers(5),));
    for n in [1, 2, 3, 6] {
        check::<distances, _>(&(numbers(n), numbers(4)));
        check::<distances, _>(&(numbers(3), numbers(n)));
        check::<chains, _>(&(numbers(n + 1),));
        check::<chain_of_rows, _>(&(numbers(n + 1),));
        check::<wavefront, _>(&(numbers(n), n));
        check::<one_row, _>(&(numbers(n), 4));
        check_outputs::<overlapping, _>(&(numbers(n), 3));
        check::<shrinking, _>(&(numbers(n + 1),));
        check_outputs::<factor, _>(&(numbers(n * n), n));
        check::<solved, _>(&(numbers(n * n), numbers(n)));
    }
}
