//! Iterator chains, in `for` loops and as values.

use crate::check;
use differentiable::prelude::*;

fn data(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.4 + (i as f64 * 1.7).sin().abs()).collect()
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>()
}

#[differentiable]
fn dot_of_iters(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y.iter()).map(|(a, b)| a * b).sum()
}

#[test]
fn zip_map_sum() {
    for n in [0, 1, 5] {
        check::<dot, _>(&(data(n), data(n + 2)));
        check::<dot_of_iters, _>(&(data(n), data(n)));
    }
    assert_eq!(
        dot(&[], &[]).to_bits(),
        dot::value_and_grad(&[], &[]).0.to_bits()
    );
}

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[differentiable]
fn plain_sum(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() * x.iter().copied().product::<f64>()
}

#[test]
fn sums_and_products() {
    check::<norm, _>(&(data(4),));
    check::<plain_sum, _>(&(data(4),));
    check::<plain_sum, _>(&(vec![],));
}

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |acc, v| acc * v.sin() + v)
}

#[differentiable]
fn largest(x: &[f64]) -> f64 {
    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn folds() {
    check::<folded, _>(&(data(5),));
    check::<largest, _>(&(data(5),));
}

#[differentiable]
fn with_index(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += v * v * (i as f64);
    }
    s
}

#[differentiable]
fn by_value(x: Vec<f64>) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v.ln();
    }
    s
}

#[differentiable]
fn by_reference(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for &v in x {
        if v < 0.5 {
            continue;
        }
        s += v.ln();
    }
    for v in x.iter().rev().skip(1).step_by(2) {
        s = s * 0.5 + v;
    }
    s
}

#[test]
fn for_loops() {
    check::<with_index, _>(&(data(4),));
    check::<by_value, _>(&(data(4),));
    check::<by_reference, _>(&(data(7),));
}

#[differentiable]
fn windows(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}

#[differentiable]
fn chunks(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for c in x.chunks(3) {
        let inner: f64 = c.iter().map(|v| v.exp()).sum();
        s += inner.ln();
    }
    for c in x.chunks_exact(2) {
        s += c[0] * c[1];
    }
    s
}

#[test]
fn windows_and_chunks() {
    for n in [0, 1, 2, 7] {
        check::<windows, _>(&(data(n),));
        check::<chunks, _>(&(data(n),));
    }
}

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    x.iter().filter(|v| **v > 0.7).map(|v| v * v).sum::<f64>()
        + x.iter().map(|v| v.sin()).filter(|s| *s > 0.5).sum::<f64>()
}

#[differentiable]
fn sum_of_ranges(x: f64, n: usize) -> f64 {
    (0..n)
        .map(|i| x.powi(i as i32) / (i as f64 + 1.0))
        .sum::<f64>()
        + (1..=n).map(|i| x * i as f64).sum::<f64>()
}

#[test]
fn filters_and_ranges() {
    check::<filtered, _>(&(data(9),));
    check::<sum_of_ranges, _>(&(0.7, 5));
}

#[differentiable]
fn matrix_vector(m: &[f64], x: &[f64]) -> f64 {
    m.chunks_exact(x.len())
        .map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>())
        .map(|v| v * v)
        .sum()
}

#[test]
fn nested_chains() {
    check::<matrix_vector, _>(&(data(6), data(3)));
}

#[differentiable]
fn scaled_in_place(x: &[f64], factor: f64) -> f64 {
    let mut y = x.to_vec();
    for v in y.iter_mut() {
        *v *= factor;
    }
    for (v, w) in y.iter_mut().zip(x) {
        *v += w * w;
    }
    let mut s = 0.0;
    for v in &y {
        s += v.sin();
    }
    s
}

#[differentiable]
fn rows(x: &[f64], n: usize) -> f64 {
    let mut m = vec![0.0; n * n];
    for i in 0..n {
        let row = &mut m[i * n..(i + 1) * n];
        for j in 0..n {
            row[j] = x[j] * x[i];
        }
        row[0] += x[i];
    }
    for row in m.chunks_mut(n) {
        row[0] *= 2.0;
    }
    m.iter().map(|v| v * v).sum()
}

#[test]
fn iter_mut_and_rows() {
    check::<scaled_in_place, _>(&(data(4), 1.7));
    check::<rows, _>(&(data(3), 3));
}

#[differentiable]
fn effects(x: &[f64]) -> f64 {
    let mut s = 0.0;
    x.iter().for_each(|v| s += v * v);
    s
}

#[differentiable]
fn chosen(x: &[f64], #[constant] at: &[usize]) -> f64 {
    at.iter().map(|&i| x[i] * x[i]).sum()
}

#[differentiable]
fn stepped(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in (0..x.len()).step_by(2) {
        s = s * 0.9 + x[i] * x[i];
    }
    for i in (0..x.len()).rev().step_by(3) {
        s = s * 0.9 + x[i].cos();
    }
    s
}

#[test]
fn for_each_and_indices() {
    check::<effects, _>(&(data(4),));
    assert_eq!(
        chosen::grad(&[1.0, 2.0, 3.0], &[2, 0, 2]),
        vec![2.0, 0.0, 12.0]
    );
    check::<stepped, _>(&(data(7),));
}

#[differentiable]
fn against_constants(x: &[f64], #[constant] y: &[f64]) -> f64 {
    let z: Vec<f64> = x.iter().map(|v| v.sin()).collect();
    z.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
        + y.iter().zip(&z).map(|(b, a)| a * b - b).sum::<f64>()
}

#[differentiable]
fn row_sums(q: &[f64], d: usize) -> f64 {
    let sums: Vec<f64> = q
        .chunks_exact(d)
        .map(|row| row.iter().sum::<f64>())
        .collect();
    let norms: Vec<f64> = q
        .chunks(d)
        .map(|row| row.iter().map(|v| v * v).sum::<f64>().sqrt())
        .collect();
    sums[0] * norms[1]
}

#[differentiable]
fn triangle(x: &[f64], d: usize) -> f64 {
    let mut sum = 0.0;
    let mut start = 0;
    for j in 0..d {
        let column = &x[start..start + d - j];
        for i in 0..column.len() {
            sum += column[i] * column[0] * (i + j) as f64;
        }
        start += d - j;
    }
    sum
}

#[test]
fn constants_rows_and_running_offsets() {
    crate::check_outputs::<against_constants, _>(&(vec![0.3, 0.7, 1.1], vec![1.0, 2.0, 0.5]));
    check::<row_sums, _>(&(vec![0.3, 0.7, 1.1, 0.2], 2));
    check::<triangle, _>(&(vec![0.3, 0.7, 1.1, 0.2, 0.9, 1.3], 3));
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

#[differentiable]
impl<const R: usize, const C: usize> std::ops::Add for Matrix<R, C> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let mut sum = self;
        for (row, others) in sum.0.iter_mut().zip(other.0.iter()) {
            for (a, b) in row.iter_mut().zip(others) {
                *a += *b;
            }
        }
        sum
    }
}

#[differentiable]
fn added(x: f64) -> f64 {
    let a = Matrix([[x, 1.0, 2.0], [x * x, 0.5, -x]]);
    let b = a + Matrix([[0.1, x, 0.3], [0.4, x * x, 0.6]]);
    b.0[0][1] * b.0[1][1] + b.0[1][0] * b.0[1][2]
}

#[differentiable]
fn by_name(kind: &str, x: &[f64], y: &[f64]) -> f64 {
    let pairs = x.iter().zip(y).map(|(a, b)| a - b);
    let mut n = 2;
    let first = x.iter().take(n).rev();
    n += 1;
    let weights = (0..n).map(|k| k as f64 + 1.0);
    let sum: f64 = match kind {
        "absolute" => pairs.map(|d| d.abs()).sum(),
        "both" => pairs.clone().map(|d| d * d).sum::<f64>() * pairs.map(|d| d.sin()).sum::<f64>(),
        _ => pairs.fold(0.0, |s, d| s * 0.5 + d),
    };
    let mut head = 0.0;
    for a in first {
        head = head * 2.0 + a;
    }
    sum + head + weights.zip(y).map(|(w, b)| w * b * b).sum::<f64>()
}

#[differentiable]
fn collected_again(x: &[f64], k: f64) -> f64 {
    let mut p = x.to_vec();
    for _ in 0..3 {
        p = p.iter().zip(x).map(|(a, b)| a * k + b).collect();
    }
    total(&p.iter().map(|a| a * a).collect::<Vec<_>>()) + total(&p)
}

#[differentiable]
fn total(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[differentiable]
fn drawn(x: f64, n: usize) -> f64 {
    let mut state: u64 = 42;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut sum = 0.0;
    for _ in 0..n {
        let (a, b) = (next(), next());
        sum += (x * a).sin() * b * next();
    }
    sum
}

#[test]
fn iterators_with_names_and_collections() {
    check::<added, _>(&(0.7,));
    for kind in ["absolute", "both", "other"] {
        check::<by_name, _>(&(kind.to_string(), vec![0.1, 2.0, -0.4], vec![0.7, 1.1, 0.2]));
    }
    check::<collected_again, _>(&(vec![0.1, 2.0, -0.4], 0.3));
    check::<drawn, _>(&(0.7, 5));
}

#[differentiable]
fn stretch(a: &[f64; 2], b: &[f64; 2], rest: f64) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    (x * x + y * y - rest * rest).powi(2)
}

/// Tuples behind references, whose names stand for their parts.
#[differentiable]
fn bonds(
    at: &[[f64; 2]],
    #[constant] bonds: &[(usize, usize, f64)],
    pairs: &[(f64, (f64, f64))],
) -> f64 {
    let mut energy = 0.0;
    for (i, j, rest) in bonds {
        energy += stretch(&at[*i], &at[*j], *rest);
    }
    energy += bonds
        .iter()
        .map(|(i, _, k)| k * at[*i][1].sin())
        .sum::<f64>();
    for (a, (b, c)) in pairs {
        energy += a * b - c * c * a;
    }
    energy *= pairs.iter().map(|(a, (_, c))| a + c).product::<f64>();
    // A name that the items are read from.
    for (pairs, (b, _)) in pairs {
        energy += pairs * b.cos();
    }
    let most = pairs
        .iter()
        .map(|(a, (b, _))| a * b)
        .fold(f64::NEG_INFINITY, f64::max);
    energy
        + most
        + bonds
            .iter()
            .zip(pairs)
            .map(|((_, j, k), (a, _))| at[*j][0] * k * a)
            .sum::<f64>()
}

#[test]
fn parts_of_tuples() {
    let at: Vec<[f64; 2]> = (0..5)
        .map(|i| [f64::from(i).sin(), f64::from(i) * 0.3])
        .collect();
    let of = vec![(0, 1, 0.5), (1, 3, 0.8), (4, 2, 0.3)];
    let pairs = vec![(0.4, (1.2, -0.3)), (0.9, (0.7, 0.2)), (1.3, (-0.5, 0.6))];
    let (value, (d_at, d_pairs)) = bonds::value_and_grad(&at, &of, &pairs);
    assert_eq!(value, bonds(&at, &of, &pairs));
    let close = |d: f64, up: f64, down: f64| assert!((d - (up - down) / 2e-6).abs() < 1e-7);
    for (k, axis) in (0..5).flat_map(|k| [(k, 0), (k, 1)]) {
        let (mut up, mut down) = (at.clone(), at.clone());
        (up[k][axis], down[k][axis]) = (at[k][axis] + 1e-6, at[k][axis] - 1e-6);
        close(
            d_at[k][axis],
            bonds(&up, &of, &pairs),
            bonds(&down, &of, &pairs),
        );
    }
    for k in 0..3 {
        let moved = |by: [f64; 3]| {
            let mut pairs = pairs.clone();
            pairs[k].0 += by[0];
            pairs[k].1.0 += by[1];
            pairs[k].1.1 += by[2];
            bonds(&at, &of, &pairs)
        };
        let h = 1e-6;
        close(d_pairs[k].0, moved([h, 0.0, 0.0]), moved([-h, 0.0, 0.0]));
        close(d_pairs[k].1.0, moved([0.0, h, 0.0]), moved([0.0, -h, 0.0]));
        close(d_pairs[k].1.1, moved([0.0, 0.0, h]), moved([0.0, 0.0, -h]));
    }
}

/// Chains that end before their source does.
#[differentiable]
fn without_an_end(x: f64) -> f64 {
    let halves: Vec<f64> = std::iter::successors(Some(x), |v| Some(v * 0.5))
        .take_while(|v| *v > 0.01)
        .collect();
    let parts: Vec<f64> = (1..)
        .map(|n| x / n as f64)
        .take_while(|v| *v > 0.1)
        .collect();
    halves.iter().sum::<f64>() * parts.len() as f64 + parts[2]
}

#[test]
fn chains_without_an_end_are_collected() {
    check::<without_an_end, _>(&(1.37,));
}
