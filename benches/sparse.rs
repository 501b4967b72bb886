//! Sparse Jacobians and Hessians against ones written by hand: blocks of bundle adjustment, their assembly, and
//! matrices of bands by few directions.
//!
//! `cargo bench -p differentiable --bench sparse`; add `-- --quick` to only check that it runs.

#[allow(dead_code)]
#[path = "support/by_hand/mod.rs"]
mod by_hand;
#[allow(dead_code)]
#[path = "../examples/gradbench/evals/mod.rs"]
mod evals;
#[allow(dead_code)]
#[path = "support/problems.rs"]
mod problems;
mod support;

use differentiable::prelude::*;
use differentiable::sparse::{Assembly, Csr};
use evals::ba;
use std::hint::black_box;
use support::{Effort, assert_close, case, compare};

/// A step of a reaction that diffuses: three inputs for each output.
#[differentiable(higher_order)]
fn reaction(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut out = Vec::with_capacity(n);
    for i in 1..n - 1 {
        let around = x[i - 1] - 2.0 * x[i] + x[i + 1];
        out.push(x[i] + 0.1 * around + 0.01 * x[i] * (1.0 - x[i] * x[i]));
    }
    out
}

fn reaction_by_hand(x: &[f64], values: &mut [f64]) {
    for (w, row) in x.windows(3).zip(values.chunks_exact_mut(3)) {
        row[0] = 0.1;
        row[1] = 1.0 - 0.2 + 0.01 * (1.0 - 3.0 * w[1] * w[1]);
        row[2] = 0.1;
    }
}

/// Rosenbrock's function of many variables.
#[differentiable(higher_order)]
fn valley(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let (a, b) = (1.0 - x[i - 1], x[i] - x[i - 1] * x[i - 1]);
        sum += a * a + 100.0 * b * b;
    }
    sum
}

fn valley_by_hand(x: &[f64], values: &mut [f64]) {
    values.fill(0.0);
    for i in 1..x.len() {
        // Two entries in the first row, three in the others.
        let diagonal = 3 * (i - 1);
        values[diagonal] += 2.0 - 400.0 * (x[i] - 3.0 * x[i - 1] * x[i - 1]);
        values[diagonal + 1] = -400.0 * x[i - 1];
        values[diagonal + 2] = -400.0 * x[i - 1];
        values[diagonal + 3] += 200.0;
    }
}

fn blocks(effort: Effort) {
    let problem = problems::adjustment(7, 11, 77);
    let mut found = vec![0.0; 30];
    let mut by_hand = vec![0.0; 30];
    for i in 0..77 {
        let (camera, point) = (&problem.cameras[i % 7], &problem.points[i % 11]);
        let (weight, feature) = (problem.weights[i], &problem.features[i]);
        ba::reprojection_error::jacobian_into(&mut found, camera, point, weight, feature);
        by_hand::ba::reprojection_error(camera, point, weight, feature, &mut by_hand);
        assert_close("block", &found, &by_hand, 1e-10);
    }
    let (camera, point) = (&problem.cameras[1], &problem.points[2]);
    let (weight, feature) = (problem.weights[3], &problem.features[3]);
    compare(
        effort,
        "bundle adjustment, the block of one observation (2 x 15)",
        1.0,
        case("by hand", || {
            by_hand::ba::reprojection_error(
                black_box(camera),
                point,
                weight,
                feature,
                &mut by_hand,
            );
            by_hand[0]
        }),
        vec![case("jacobian_into", || {
            ba::reprojection_error::jacobian_into(
                &mut found,
                black_box(camera),
                point,
                weight,
                feature,
            );
            found[0]
        })],
    );
}

fn assembly(effort: Effort) {
    let (n, m, p) = (161, 48_126, 204_472);
    let problem = problems::adjustment(n, m, p);
    let columns = |i: usize| -> [usize; 15] {
        std::array::from_fn(|k| match k {
            0..11 => 11 * (i % n) + k,
            11..14 => 11 * n + 3 * (i % m) + k - 11,
            _ => 11 * n + 3 * m + i,
        })
    };
    let shape = (2 * p, 11 * n + 3 * m + p);
    let assembly = Assembly::new(shape, (0..p).map(|i| ([2 * i, 2 * i + 1], columns(i))))
        .expect("indices of this shape");
    let block = |i: usize, to: &mut [f64]| {
        let (camera, point) = (&problem.cameras[i % n], &problem.points[i % m]);
        ba::reprojection_error::jacobian_into(
            to,
            camera,
            point,
            problem.weights[i],
            &problem.features[i],
        );
    };
    let fill_by_hand = |values: &mut [f64]| {
        for (i, to) in values.chunks_exact_mut(30).enumerate() {
            let (camera, point) = (&problem.cameras[i % n], &problem.points[i % m]);
            by_hand::ba::reprojection_error(
                camera,
                point,
                problem.weights[i],
                &problem.features[i],
                to,
            );
        }
    };
    // Rows, columns and values, in memory of their own.
    let full_by_hand = || {
        let (mut rows, mut cols) = (Vec::with_capacity(2 * p + 1), Vec::with_capacity(30 * p));
        rows.push(0);
        for i in 0..p {
            let columns = columns(i);
            for row in 1..=2 {
                cols.extend_from_slice(&columns);
                rows.push(30 * i + 15 * row);
            }
        }
        let mut values = vec![0.0; 30 * p];
        fill_by_hand(&mut values);
        (rows, cols, values)
    };
    let mut found: Csr<f64> = assembly.assemble(block);
    let (rows, cols, mut by_hand) = full_by_hand();
    assert_eq!(
        (found.row_offsets(), found.column_indices()),
        (&rows[..], &cols[..])
    );
    assert_close("assembly", &found.values, &by_hand, 1e-10);
    let mut again = found.clone();
    compare(
        effort,
        "bundle adjustment, 204 472 observations: a matrix of its own",
        1.0,
        case("by hand", full_by_hand),
        vec![
            case("assemble, which shares its pattern", || -> Csr<f64> {
                assembly.assemble(block)
            }),
            case("the same, with a pattern of its own", || {
                assembly.assemble(block).into_parts()
            }),
        ],
    );
    compare(
        effort,
        "bundle adjustment, 204 472 observations: the values alone",
        1.0,
        case("by hand", || fill_by_hand(black_box(&mut by_hand))),
        vec![
            case("assemble_values", || {
                assembly.assemble_values(black_box(&mut found.values), block)
            }),
            case("assemble_into", || {
                assembly.assemble_into(black_box(&mut again), block)
            }),
        ],
    );
}

fn bands(effort: Effort) {
    let x = problems::numbers(100_000, 1.0);
    let plan = reaction::sparse_jacobian_plan(&x);
    assert_eq!(plan.colours(), 3);
    let mut found = reaction::sparse_jacobian(&plan, &x).expect("its own pattern");
    let unchecked = plan.clone().unchecked();
    let mut by_hand = vec![0.0; found.values.len()];
    reaction_by_hand(&x, &mut by_hand);
    assert_close("reaction", &found.values, &by_hand, 1e-12);
    let v = problems::numbers(100_001, 1.0)[1..].to_vec();
    let mut again = found.clone();
    compare(
        effort,
        "tridiagonal Jacobian, 100 000 columns",
        5.0,
        case("one tangent", || reaction::jvp((black_box(&x), &v))),
        vec![
            case("by hand", || reaction_by_hand(black_box(&x), &mut by_hand)),
            case("sparse_jacobian_into", || {
                reaction::sparse_jacobian_into(&plan, &mut found, black_box(&x))
            }),
            case("the same, unchecked", || {
                reaction::sparse_jacobian_into(&unchecked, &mut again, black_box(&x))
            }),
            case("the plan", || reaction::sparse_jacobian_plan(black_box(&x))),
        ],
    );

    let plan = valley::sparse_hessian_plan(&x);
    assert_eq!(plan.colours(), 3);
    let mut found = valley::sparse_hessian(&plan, &x).expect("its own pattern");
    let mut by_hand = vec![0.0; found.values.len()];
    valley_by_hand(&x, &mut by_hand);
    assert_close("valley", &found.values, &by_hand, 1e-12);
    compare(
        effort,
        "tridiagonal Hessian, 100 000 columns",
        10.0,
        case("gradient", || valley::grad(black_box(&x))),
        vec![
            case("by hand", || valley_by_hand(black_box(&x), &mut by_hand)),
            case("sparse_hessian_into", || {
                valley::sparse_hessian_into(&plan, &mut found, black_box(&x))
            }),
            case("the plan", || valley::sparse_hessian_plan(black_box(&x))),
        ],
    );
}

fn main() {
    let effort = Effort::from_args();
    blocks(effort);
    assembly(effort);
    bands(effort);
}
