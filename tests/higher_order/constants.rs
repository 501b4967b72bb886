//! Constant slices, which companions over duals take as they are.

use crate::near;
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn logistic(w: &[f64], #[constant] points: &[f64], #[constant] labels: &[f64]) -> f64 {
    let d = w.len();
    let mut loss = 0.0;
    for i in 0..labels.len() {
        let mut margin = 0.0;
        for j in 0..d {
            margin += points[i * d + j] * w[j];
        }
        loss += (-labels[i] * margin).exp().ln_1p();
    }
    loss
}
#[differentiable(higher_order)]
fn chunked(w: &[f64], #[constant] points: &[f64], #[constant] labels: &[f64]) -> f64 {
    let d = w.len();
    let mut loss = 0.0;
    for (row, y) in points.chunks(d).zip(labels) {
        let margin: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
        loss += (-y * margin).exp().ln_1p();
    }
    loss
}
#[differentiable(higher_order)]
fn of_triples(
    w: &[f64],
    #[constant] points: &[[f64; 3]],
    #[constant] labels: &[f64],
    #[constant] ridge: f64,
) -> f64 {
    let mut loss = 0.0;
    for (i, p) in points.iter().enumerate() {
        let [x, y, z] = *p;
        let m = x * w[0] + p[1] * w[1] + z * w[2] * y;
        loss += (m - labels[i]).powi(2) * w[0] + ridge * w[0];
    }
    loss
}
#[differentiable(higher_order)]
fn decay(p: [f64; 3], #[constant] t: &[f64], #[constant] y: &[f64]) -> f64 {
    t.iter()
        .zip(y.iter())
        .map(|(&t, &y)| {
            let r = p[0] * (-p[1] * t).exp() + p[2] - y;
            r * r
        })
        .sum::<f64>()
        / t.len() as f64
}
#[differentiable(higher_order)]
fn model(p: [f64; 3], #[constant] t: f64) -> f64 {
    p[0] * (-p[1] * t).exp() + p[2]
}
#[differentiable(higher_order)]
fn of_pairs(p: [f64; 3], #[constant] data: &[(f64, f64)]) -> f64 {
    let mut s = 0.0;
    for &(t, y) in data {
        let r = model(p, t) - y;
        s += r * r;
    }
    for q in data {
        s += q.0 * p[0] * p[1];
    }
    s
}
#[differentiable(higher_order)]
fn of_rows(w: &[f64], #[constant] rows: &[Vec<f64>], #[constant] skip: usize) -> f64 {
    assert!(rows.len() > 1, "rows {}", rows.len());
    let mut s = 0.0;
    for i in skip..rows.len() {
        let row = &rows[i];
        let head = &row[..2];
        let x = &row[2];
        let r = head[0] * w[0] + head[1] * w[1] * w[2] + x * w[2] - *x;
        s += r * r;
        if rows[i][0] > 0.2 {
            s += w[0].sin() * rows[i][1];
        }
    }
    s
}
/// An argument that is passed on is written over the scalar.
#[differentiable(higher_order)]
fn whole(w: &[f64], #[constant] x: &[f64]) -> f64 {
    let m: f64 = x.iter().sum();
    total(w, x) * m
}
#[differentiable(higher_order)]
fn total(w: &[f64], #[constant] x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..w.len() {
        s += w[i] * w[i] * w[i] * x[i];
    }
    s
}
/// A gradient inside, of a function with constants.
#[differentiable(higher_order)]
fn penalty(w: &[f64], #[constant] x: &[f64]) -> f64 {
    let g = total::grad(w, x);
    let mut s = 0.0;
    for i in 0..g.len() {
        s += g[i] * g[i] * x[i];
    }
    s
}
#[differentiable(higher_order)]
fn residuals(p: [f64; 3], #[constant] t: &[f64], #[constant] y: &[f64]) -> Vec<f64> {
    t.iter()
        .zip(y)
        .map(|(t, y)| p[0] * (-p[1] * t).exp() + p[2] - y)
        .collect()
}

/// Over tangents in `f32`, with integers beside the numbers.
#[differentiable(higher_order)]
fn single(w: &[f32], #[constant] entries: &[(usize, f32)]) -> f32 {
    let mut sum = 0.0;
    for &(i, x) in entries {
        sum += w[i] * w[i] * x;
    }
    sum
}

/// Its pullback is in a box: it calls others.
#[differentiable(higher_order, boxed)]
fn boxed(p: [f64; 3], #[constant] t: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..t.len() {
        sum += model(p, t[i]) * model(p, 2.0 * t[i]);
    }
    sum
}

/// Named as what borrows in another block.
#[differentiable(higher_order)]
fn shadowed(w: &[f64], #[constant] x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        let part = &w[i..i + 2];
        sum += part[0] * part[1] * part[1];
    }
    for i in 0..2 {
        let part = &x[i..i + 2];
        sum += part[0] * w[i] * w[i] + part[1];
    }
    sum
}

/// Two loops, with windows of other arguments.
#[differentiable(higher_order)]
fn windows(w: &[f64], #[constant] x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..w.len() {
        s += w[i] * w[i] * w[i];
    }
    for i in 0..w.len() {
        s += x[i] * w[i] * w[i];
    }
    s + w.iter().zip(x).map(|(a, b)| a * b).sum::<f64>().sin()
}

/// Read by a range that has a name.
#[differentiable(higher_order)]
fn ranged(w: &[f64], #[constant] x: &[f64]) -> f64 {
    let all = 1..3;
    let part = &x[all.clone()];
    let mut sum = 0.0;
    for i in all.start..all.end {
        sum += part[i - 1] * w[i] * w[i] * w[i] + x[i];
    }
    sum
}

#[track_caller]
fn check(product: &[f64], gradient: impl Fn([f64; 3]) -> Vec<f64>) {
    let at = |h: f64| gradient([0, 1, 2].map(|i| W[i] + h * V[i]));
    let (after, before) = (at(1e-5), at(-1e-5));
    assert_eq!(product.len(), after.len());
    for (i, x) in product.iter().enumerate() {
        near(*x, (after[i] - before[i]) / 2e-5, 1e-7);
    }
}

const W: [f64; 3] = [0.3, -0.7, 0.9];
const V: [f64; 3] = [0.5, 0.2, -0.4];
const LABELS: [f64; 4] = [1.0, -1.0, 1.0, 1.0];

fn table() -> Vec<f64> {
    (0..12).map(|i| (f64::from(i) * 0.7).sin()).collect()
}

#[test]
fn slices_of_numbers() {
    let (x, l) = (table(), LABELS);
    check(&logistic::hvp((&W, &V), &x, &l), |w| {
        logistic::grad(&w, &x, &l)
    });
    check(&chunked::hvp((&W, &V), &x, &l), |w| {
        chunked::grad(&w, &x, &l)
    });
    check(&decay::hvp((W, V), &x, &l), |w| {
        decay::grad(w, &x, &l).to_vec()
    });
    check(&shadowed::hvp((&W, &V), &x), |w| shadowed::grad(&w, &x));
    check(&windows::hvp((&W, &V), &x), |w| windows::grad(&w, &x));
    check(&ranged::hvp((&W, &V), &x), |w| ranged::grad(&w, &x));
    check(&whole::hvp((&W, &V), &x), |w| whole::grad(&w, &x));
    check(&boxed::hvp((W, V), &x), |w| boxed::grad(w, &x).to_vec());
}

#[test]
fn arrays_tuples_and_vectors() {
    let x = table();
    let triples: Vec<[f64; 3]> = x.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
    let pairs: Vec<(f64, f64)> = x.chunks(2).map(|c| (c[0], c[1])).collect();
    let rows: Vec<Vec<f64>> = x.chunks(3).map(<[f64]>::to_vec).collect();
    check(&of_triples::hvp((&W, &V), &triples, &LABELS, 0.3), |w| {
        of_triples::grad(&w, &triples, &LABELS, 0.3)
    });
    check(&of_pairs::hvp((W, V), &pairs), |w| {
        of_pairs::grad(w, &pairs).to_vec()
    });
    check(&of_rows::hvp((&W, &V), &rows, 1), |w| {
        of_rows::grad(&w, &rows, 1)
    });
    let product = single::hvp((&[1.0, 2.0], &[1.0, -1.0]), &[(1, 0.5), (0, 2.0), (1, 1.0)]);
    assert_eq!(product, [4.0, -3.0]);
}

#[test]
fn rows_of_hessians_and_columns_of_jacobians() {
    let x = table();
    let rows = logistic::hessian(&W, &x, &LABELS);
    for (i, row) in rows.iter().enumerate() {
        let mut unit = [0.0; 3];
        unit[i] = 1.0;
        let product = logistic::hvp((&W, &unit), &x, &LABELS);
        for (a, b) in row.iter().zip(&product) {
            near(*a, *b, 1e-14);
        }
    }
    assert_eq!(logistic::hessian_sparsity(&W, &x, &LABELS).len(), 9);
    let (_, tangent) = residuals::jvp((W, V), &x, &LABELS);
    let jacobian = residuals::jacobian_fwd(W, &x, &LABELS);
    let plan = residuals::sparse_jacobian_plan(W, &x, &LABELS);
    let sparse =
        residuals::sparse_jacobian(&plan, W, &x, &LABELS).expect("the pattern was found here");
    for (i, row) in jacobian.iter().enumerate() {
        near(
            row[0] * V[0] + row[1] * V[1] + row[2] * V[2],
            tangent[i],
            1e-14,
        );
        for (j, entry) in row.iter().enumerate() {
            assert_eq!(sparse.values[3 * i + j], *entry);
        }
    }
}

#[test]
fn gradients_inside() {
    let x = table();
    check(&penalty::hvp((&W, &V), &x), |w| penalty::grad(&w, &x));
    // Σ (3 w² x)² x, differentiated by hand.
    for (i, g) in penalty::grad(&W, &x).iter().enumerate() {
        near(*g, 36.0 * W[i].powi(3) * x[i].powi(3), 1e-13);
    }
}

/// Each with a form of reading in which it is not enough to make a dual of a number where it stands.
mod forms {
    use differentiable::prelude::*;

    fn pick(i: usize) -> usize {
        i % 3
    }

    #[differentiable(higher_order)]
    pub fn typed_reference(w: &[f64], #[constant] x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            let entry: &f64 = &x[i];
            sum += w[i] * w[i] * w[i] * entry;
        }
        sum
    }

    #[differentiable(higher_order)]
    pub fn largest(w: &[f64], #[constant] x: &[f64]) -> f64 {
        let (mut best, mut at) = (&x[0], 0);
        for i in 1..3 {
            if x[i] > *best {
                best = &x[i];
                at = i;
            }
        }
        w[at] * w[at] * w[at]
    }

    #[differentiable(higher_order)]
    pub fn index_by_call(w: &[f64], #[constant] x: &[f64]) -> f64 {
        w[0] * w[0] * w[1] + w[2] * w[2] * x[pick(1)]
    }

    #[differentiable(higher_order)]
    pub fn same_name(w: &[f64], #[constant] x: &[f64], #[constant] other: &[f64]) -> f64 {
        let k = if let Some(x) = other.first() {
            *x
        } else {
            x[0]
        };
        w[0] * w[0] * k * x[1]
    }

    #[differentiable(higher_order)]
    pub fn function_inside(w: &[f64], #[constant] x: &[f64]) -> f64 {
        fn half(x: usize) -> usize {
            x / 2
        }
        let j = half(2);
        w[0] * w[1] * w[1] * x[j]
    }

    #[differentiable(higher_order)]
    pub fn named_as_a_tangent(w: &[f64], #[constant] x: &[f64], t_x: &[f64]) -> f64 {
        w[0] * w[1] * t_x[0] * x[1]
    }
}

#[test]
fn forms_of_reading() {
    use forms::*;
    let x = table();
    check(&typed_reference::hvp((&W, &V), &x), |w| {
        typed_reference::grad(&w, &x)
    });
    check(&largest::hvp((&W, &V), &x), |w| largest::grad(&w, &x));
    check(&index_by_call::hvp((&W, &V), &x), |w| {
        index_by_call::grad(&w, &x)
    });
    check(&same_name::hvp((&W, &V), &x, &LABELS), |w| {
        same_name::grad(&w, &x, &LABELS)
    });
    check(&function_inside::hvp((&W, &V), &x), |w| {
        function_inside::grad(&w, &x)
    });
    let (by_w, by_t) = named_as_a_tangent::hvp((&W, &V), &x, (&[2.0], &[0.0]));
    near(by_w[0], 2.0 * V[1] * x[1], 1e-14);
    near(by_t[0], (V[0] * W[1] + W[0] * V[1]) * x[1], 1e-14);
}

/// Helpers take the arguments as a tuple.
#[test]
fn checked_by_the_helper() {
    let args = (W.to_vec(), table(), LABELS.to_vec());
    differentiable::ad::check_hvp::<logistic, f64, _>(&args).unwrap();
}
