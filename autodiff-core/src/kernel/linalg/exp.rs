//! The exponential of a matrix: scaling, a Padé approximant, squaring (Higham 2005).
//!
//! Its derivative in the direction `E` is a block of another exponential:
//! `exp [[A, E], [0, A]] = [[exp A, L(A, E)], [0, exp A]]`.

use super::batch::{count, each, matrix, out, threads};
use super::{Field, finite, lu};
use faer::{Accum, MatMut, MatRef};

// The constant term is divided out: the solution for a diagonal of 1 is exact.
const B7: [f64; 8] = [
    17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0,
];
const B13: [f64; 14] = [
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
];

pub fn exp<T: Field>(n: usize, x: &[T], y: &mut [T]) {
    each(
        count(x.len(), n * n),
        30 * n * n * n,
        out(y, n * n),
        |i, y| {
            one(n, matrix(x, n * n, i), y.data);
            true
        },
    );
}

/// The derivative at `x` in the direction `t`, which is scaled to the size of `x` or to 1: it is linear in `t`.
pub fn derivative<T: Field>(n: usize, x: &[T], t: &[T], y: &mut [T]) {
    each(
        count(x.len(), n * n),
        200 * n * n * n,
        out(y, n * n),
        |i, y| {
            let (x, t) = (matrix(x, n * n, i), matrix(t, n * n, i));
            if !finite(x) || !finite(t) {
                y.data.fill(T::NAN);
                return true;
            }
            let (size, direction) = (most(x), most(t));
            if direction == 0.0 {
                y.data.fill(T::ZERO);
                return true;
            }
            let by = T::lit(direction / size.max(1.0));
            let (mut block, mut result) = (vec![T::ZERO; 4 * n * n], vec![T::ZERO; 4 * n * n]);
            for i in 0..n {
                for j in 0..n {
                    let entry = x[i * n + j];
                    block[i * 2 * n + j] = entry;
                    block[(n + i) * 2 * n + n + j] = entry;
                    block[i * 2 * n + n + j] = t[i * n + j] / by;
                }
            }
            one(2 * n, &block, &mut result);
            for (y, row) in y.data.chunks_mut(n).zip(result.chunks(2 * n)) {
                for (y, &r) in y.iter_mut().zip(&row[n..]) {
                    *y = r * by;
                }
            }
            true
        },
    );
}

/// The size of the largest entry.
fn most<T: Field>(x: &[T]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.to_f64().abs()))
}

fn product<T: Field>(n: usize, a: &[T], b: &[T]) -> Vec<T> {
    let mut out = vec![T::ZERO; n * n];
    faer::linalg::matmul::matmul(
        MatMut::from_row_major_slice_mut(&mut out, n, n),
        Accum::Replace,
        MatRef::from_row_major_slice(a, n, n),
        MatRef::from_row_major_slice(b, n, n),
        T::ONE,
        threads(n),
    );
    out
}

/// `Σ c_k·powers[k]`, where power 0 is the identity.
fn combine<T: Field>(n: usize, powers: &[&[T]], c: impl Fn(usize) -> f64) -> Vec<T> {
    let mut out = vec![T::ZERO; n * n];
    for (i, o) in out.iter_mut().enumerate() {
        if i % (n + 1) == 0 {
            *o = T::lit(c(0));
        }
        for (k, p) in powers.iter().enumerate() {
            *o += T::lit(c(k + 1)) * p[i];
        }
    }
    out
}

fn one<T: Field>(n: usize, x: &[T], y: &mut [T]) {
    if !finite(x) {
        return y.fill(T::NAN);
    }
    // The logarithm of the largest column sum, which may itself be outside the range of the type.
    let most = most(x);
    let column = |j: usize| {
        (0..n)
            .map(|i| x[i * n + j].to_f64().abs() / most)
            .sum::<f64>()
    };
    let norm = most.log2() + (0..n).map(column).fold(0.0, f64::max).log2();
    let (degree, good) = T::PADE;
    let squarings = (norm - good.log2()).ceil().clamp(0.0, 1100.0) as i32;
    // In two steps: the power of two may be outside the range of the type.
    let half = squarings / 2;
    let (first, second) = (0.5_f64.powi(half), 0.5_f64.powi(squarings - half));
    let a: Vec<T> = x
        .iter()
        .map(|&x| x * T::lit(first) * T::lit(second))
        .collect();
    let a2 = product(n, &a, &a);
    let a4 = product(n, &a2, &a2);
    let a6 = product(n, &a4, &a2);
    let powers: [&[T]; 3] = [&a2, &a4, &a6];
    // exp(A) ≈ (V − U)⁻¹ (V + U), U of odd powers and V of even ones.
    let (odd, v) = if degree == 7 {
        (
            combine(n, &powers, |k| B7[2 * k + 1] / B7[0]),
            combine(n, &powers, |k| B7[2 * k] / B7[0]),
        )
    } else {
        // The powers above the seventh are a product with A⁶.
        let high = |offset: usize| {
            let c = |k: usize| {
                if k == 0 {
                    0.0
                } else {
                    B13[2 * k + 6 + offset] / B13[0]
                }
            };
            product(n, &a6, &combine(n, &powers, c))
        };
        let sum = |high: Vec<T>, offset: usize| {
            let mut low = combine(n, &powers, |k| B13[2 * k + offset] / B13[0]);
            low.iter_mut().zip(high).for_each(|(l, h)| *l += h);
            low
        };
        (sum(high(1), 1), sum(high(0), 0))
    };
    let u = product(n, &a, &odd);
    let pairs = || v.iter().zip(&u);
    let minus: Vec<T> = pairs().map(|(&v, &u)| v - u).collect();
    let plus: Vec<T> = pairs().map(|(&v, &u)| v + u).collect();
    let (mut factors, mut order) = (vec![T::ZERO; n * n], vec![0; n]);
    lu::factor(n, &minus, &mut factors, &mut order);
    lu::solve(n, n, false, &factors, &order, &plus, y);
    for _ in 0..squarings {
        y.copy_from_slice(&product(n, y, y));
    }
}
