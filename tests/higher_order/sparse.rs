//! Sparse Jacobians and Hessians, against the dense ones and against patterns written by hand.

use crate::near;
use differentiable::ad::Scalar;
use differentiable::prelude::*;
use differentiable::sparse::{HessianPlan, JacobianPlan, Pattern, SparsityError};
use proptest::prelude::*;

pub fn points(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.4 + (1.7 * i as f64).sin()).collect()
}

#[track_caller]
pub fn same(found: &[Vec<f64>], expected: &[Vec<f64>]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).for_each(|(a, b)| near(*a, *b, 1e-12));
    }
}

fn pattern(rows: usize, columns: usize, of: impl Fn(usize, usize) -> bool) -> Pattern {
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    Pattern::from_entries((rows, columns), all.filter(|(i, j)| of(*i, *j))).unwrap()
}

#[differentiable(higher_order)]
fn square_and_shift(x: f64) -> f64 {
    x * x + 1.0
}

/// Tridiagonal, with a call of another function.
#[differentiable(higher_order)]
pub fn diffusion(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut out = Vec::with_capacity(n);
    for i in 0..n {
        let mut y = -2.0 * square_and_shift(x[i]);
        if i > 0 {
            y += x[i - 1].sin() * x[i];
        }
        if i + 1 < n {
            y += x[i + 1].exp();
        }
        out.push(y);
    }
    out
}

#[test]
fn tridiagonal() {
    for n in [0, 1, 2, 3, 9, 40] {
        let x = points(n);
        let plan = diffusion::sparse_jacobian_plan(&x);
        assert_eq!(plan.pattern(), &pattern(n, n, |i, j| i.abs_diff(j) <= 1));
        assert_eq!(plan.colours(), n.min(3));
        let found = diffusion::sparse_jacobian(&plan, &x).unwrap();
        same(&found.to_dense(), &diffusion::jacobian(&x));
        // At another point, into the same memory.
        let (moved, mut again) = (points(n + 1)[1..].to_vec(), found);
        diffusion::sparse_jacobian_into(&plan, &mut again, &moved).unwrap();
        same(&again.to_dense(), &diffusion::jacobian(&moved));
        let unchecked = diffusion::sparse_jacobian(&plan.unchecked(), &moved).unwrap();
        assert_eq!(unchecked, again);
    }
}

/// Each output from a window, which may be wider than eight.
#[differentiable(higher_order)]
fn windows(x: &[f64], width: usize) -> Vec<f64> {
    let mut out = Vec::new();
    for i in 0..(x.len() + 1).saturating_sub(width) {
        let mut product = 1.0;
        for k in 0..width {
            product *= x[i + k];
        }
        out.push(product);
    }
    out
}

#[test]
fn bands_take_as_many_directions_as_diagonals() {
    let x = points(40);
    for width in [1, 2, 7, 8, 9, 17] {
        let plan = windows::sparse_jacobian_plan(&x, width);
        assert_eq!(plan.colours(), width);
        let found = windows::sparse_jacobian(&plan, &x, width).unwrap();
        same(&found.to_dense(), &windows::jacobian(&x, width));
    }
    // No outputs: columns all the same.
    let plan = windows::sparse_jacobian_plan(&x, 41);
    assert_eq!(
        (
            plan.pattern().rows(),
            plan.pattern().columns(),
            plan.colours()
        ),
        (0, 40, 0)
    );
    assert!(
        windows::sparse_jacobian(&plan, &x, 41)
            .unwrap()
            .values
            .is_empty()
    );
}

/// One variable with all others, squares, and what is linear.
#[differentiable(higher_order)]
fn arrow(x: &[f64]) -> f64 {
    let mut sum = 3.0 * x[0];
    for i in 1..x.len() {
        sum += x[0] * x[i] * x[i] - 2.0 * x[i];
    }
    sum
}

#[differentiable(higher_order)]
fn valley(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let (a, b) = (1.0 - x[i - 1], x[i] - x[i - 1] * x[i - 1]);
        sum += a * a + 100.0 * b * b;
    }
    sum
}

#[test]
fn hessians() {
    let x = points(30);
    let plan = arrow::sparse_hessian_plan(&x);
    let expected = pattern(30, 30, |i, j| {
        (i != 0 || j != 0) && (i == j || i == 0 || j == 0)
    });
    assert_eq!(arrow::hessian_sparsity(&x), expected);
    assert_eq!(plan.colours(), 2);
    let found = arrow::sparse_hessian(&plan, &x).unwrap();
    same(&found.to_dense(), &arrow::hessian(&x));

    let plan = valley::sparse_hessian_plan(&x);
    assert_eq!(plan.pattern(), &pattern(30, 30, |i, j| i.abs_diff(j) <= 1));
    assert_eq!(plan.colours(), 3);
    let mut found = valley::sparse_hessian(&plan, &x).unwrap();
    same(&found.to_dense(), &valley::hessian(&x));
    valley::sparse_hessian_into(&plan, &mut found, &points(31)[1..]).unwrap();
    same(&found.to_dense(), &valley::hessian(&points(31)[1..]));
    let none: &[f64] = &[];
    let plan = valley::sparse_hessian_plan(none);
    assert_eq!(valley::sparse_hessian(&plan, none).unwrap().shape(), (0, 0));
}

/// Groups of three that know nothing of one another, through functions, powers and quotients.
#[differentiable(higher_order)]
fn groups(x: &[f64], scale: f64) -> f64 {
    let mut sum = scale;
    for g in 0..x.len() / 3 {
        let (a, b, c) = (x[3 * g], x[3 * g + 1], x[3 * g + 2]);
        sum += (a * b).sin() / (2.0 + c.powi(2)).sqrt() + a.powi(1) + b.max(-5.0);
    }
    sum / 2.0
}

#[test]
fn blocks_of_a_hessian() {
    let x = points(12);
    let plan = groups::sparse_hessian_plan(&x, 0.3);
    assert_eq!(
        plan.pattern(),
        &pattern(13, 13, |i, j| i < 12 && j < 12 && i / 3 == j / 3)
    );
    assert_eq!(plan.colours(), 3);
    let found = groups::sparse_hessian(&plan, &x, 0.3).unwrap().to_dense();
    let (of_x, of_scale) = groups::hessian(&x, 0.3);
    for (row, (expected, by_scale)) in found.iter().zip(of_x.iter().chain([&of_scale])) {
        row.iter()
            .zip(expected)
            .for_each(|(a, b)| near(*a, *b, 1e-12));
        near(row[12], *by_scale, 1e-12);
    }
}

#[test]
fn a_linear_function_has_an_empty_hessian() {
    #[differentiable(higher_order)]
    fn linear(x: &[f64], #[constant] w: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += w[i] * x[i] / 4.0 - x[i];
        }
        sum
    }
    let (x, w) = (points(10), points(10));
    let plan = linear::sparse_hessian_plan(&x, &w);
    assert!(plan.pattern().is_empty() && plan.colours() == 0);
    assert_eq!(
        linear::sparse_hessian(&plan, &x, &w).unwrap().to_dense(),
        vec![vec![0.0; 10]; 10]
    );
}

/// Discrete decisions, which give no dependence.
#[differentiable(higher_order)]
fn chosen(x: &[f64], limit: f64) -> [f64; 3] {
    let k = x[0].abs() as usize % 3 + 1;
    let first = if x[1] > limit { x[k] * x[2] } else { x[3] };
    [
        first,
        x[1].floor() * x[2],
        x[2].signum() + x[3].copysign(x[1]),
    ]
}

#[test]
fn branches_are_those_of_the_point() {
    let x = [1.2, 0.5, -0.7, 2.0];
    let row = |p: &Pattern, i: usize| p.row(i).to_vec();
    let above = chosen::sparsity(&x, 0.0);
    assert_eq!(
        (row(&above, 0), row(&above, 1), row(&above, 2)),
        (vec![2], vec![2], vec![3])
    );
    let below = chosen::sparsity(&x, 1.0);
    assert_eq!(row(&below, 0), [3]);
    // The pattern of the one branch on the other.
    let plan = chosen::sparse_jacobian_plan(&x, 0.0);
    assert!(chosen::sparse_jacobian(&plan, &x, 0.2).is_ok());
    assert_eq!(
        chosen::sparse_jacobian(&plan, &x, 1.0),
        Err(SparsityError::Missing { row: 0, column: 3 })
    );
}

#[test]
fn a_wrong_pattern_is_found() {
    let (n, x) = (40, points(40));
    let right = diffusion::sparsity(&x);
    for left_out in 0..right.len() {
        let entries = right.entries().enumerate().filter(|(k, _)| *k != left_out);
        let (row, column) = right.entries().nth(left_out).unwrap();
        let wrong = Pattern::from_entries((n, n), entries.map(|e| e.1)).unwrap();
        let found = diffusion::sparse_jacobian(&JacobianPlan::from_pattern(wrong), &x);
        assert_eq!(found, Err(SparsityError::Missing { row, column }));
    }
    // More than there is does no harm.
    let wide = JacobianPlan::from_pattern(pattern(n, n, |i, j| i.abs_diff(j) <= 2));
    let found = diffusion::sparse_jacobian(&wide, &x).unwrap();
    same(&found.to_dense(), &diffusion::jacobian(&x));
    let small = JacobianPlan::from_pattern(pattern(n, n - 1, |i, j| i == j));
    let error = diffusion::sparse_jacobian(&small, &x).unwrap_err();
    assert!(matches!(
        error,
        SparsityError::Shape {
            columns: 40,
            expected_columns: 39,
            ..
        }
    ));
    let error = diffusion::sparse_jacobian(&wide, &x[1..]).unwrap_err();
    assert!(matches!(
        error,
        SparsityError::Shape {
            rows: 39,
            expected_rows: 40,
            ..
        }
    ));
}

#[test]
fn a_wrong_pattern_of_a_hessian_is_found() {
    let x = points(20);
    for k in 0..19 {
        let wrong = pattern(20, 20, |i, j| {
            i.abs_diff(j) <= 1 && (i.min(j), i.max(j)) != (k, k + 1)
        });
        let found = valley::sparse_hessian(&HessianPlan::from_pattern(wrong).unwrap(), &x);
        let Err(SparsityError::Missing { row, column }) = found else {
            panic!("{found:?}");
        };
        assert_eq!((row.min(column), row.max(column)), (k, k + 1));
    }
    let lower = pattern(3, 3, |i, j| i >= j);
    assert_eq!(
        HessianPlan::from_pattern(lower).unwrap_err(),
        SparsityError::NotSymmetric { row: 1, column: 0 }
    );
    assert!(HessianPlan::from_pattern(pattern(2, 3, |_, _| true)).is_err());
}

#[test]
fn a_row_with_cancellation_is_no_wrong_pattern() {
    #[differentiable(higher_order)]
    fn cancelled(x: &[f64]) -> Vec<f64> {
        let mut out = Vec::new();
        for i in 1..x.len() {
            let large = 1e9 * x[i] + x[i - 1];
            out.push((large - 1e9 * x[i]) + 1e-3 * x[i]);
        }
        out
    }
    let x = points(30);
    let plan = cancelled::sparse_jacobian_plan(&x);
    let found = cancelled::sparse_jacobian(&plan, &x).unwrap();
    near(found.get(3, 3), 1.0, 1e-6);
    // An infinite slope is no wrong pattern either.
    #[differentiable(higher_order)]
    fn roots(x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| x.sqrt()).collect()
    }
    let plan = roots::sparse_jacobian_plan(&[0.0, 4.0]);
    let found = roots::sparse_jacobian(&plan, &[0.0, 4.0]).unwrap();
    assert_eq!(found.values, [f64::INFINITY, 0.25]);
}

#[derive(Clone, Differentiable)]
struct Spring<T> {
    ends: [T; 2],
    rest: T,
    #[constant]
    name: String,
    #[constant]
    damping: T,
    index: usize,
}

fn springs(n: usize) -> Vec<Spring<f64>> {
    let spring = |k: usize| Spring {
        ends: [0.1 * k as f64, 1.0 + 0.3 * k as f64],
        rest: 0.7,
        name: format!("spring {k}"),
        damping: 0.5,
        index: k,
    };
    (0..n).map(spring).collect()
}

/// Structs, an array, a `Vec`, a constant; the output a tuple.
#[differentiable(higher_order)]
fn forces(
    springs: &[Spring<f64>],
    stiffness: [f64; 2],
    #[constant] wind: f64,
    loads: Vec<f64>,
) -> (Vec<f64>, [f64; 2]) {
    let mut out = Vec::new();
    for i in 0..springs.len() {
        let s = &springs[i];
        let stretch = s.ends[1] - s.ends[0] - s.rest;
        out.push(stretch * stretch * stiffness[s.index % 2] * s.damping + loads[i] * wind);
    }
    (out, [stiffness[0] * loads[0], wind * wind])
}

#[test]
fn several_arguments_and_structs() {
    let (s, loads) = (springs(3), vec![1.0, -1.0, 0.5]);
    let plan = forces::sparse_jacobian_plan(&s, [2.0, 3.0], 0.1, loads.clone());
    // Columns: three for each spring, two of stiffness, three loads.
    let expected = [
        vec![0, 1, 2, 9, 11],
        vec![3, 4, 5, 10, 12],
        vec![6, 7, 8, 9, 13],
        vec![9, 11],
        vec![],
    ];
    for (i, expected) in expected.iter().enumerate() {
        assert_eq!(plan.pattern().row(i), expected);
    }
    let found = forces::sparse_jacobian(&plan, &s, [2.0, 3.0], 0.1, loads.clone()).unwrap();
    assert_eq!(found.shape(), (5, 14));
    let (rows, ends) = forces::jacobian(&s, [2.0, 3.0], 0.1, loads.clone());
    for (i, (of_springs, of_stiffness, of_loads)) in rows.iter().chain(&ends).enumerate() {
        for (k, spring) in of_springs.iter().enumerate() {
            near(found.get(i, 3 * k), spring.ends[0], 1e-13);
            near(found.get(i, 3 * k + 1), spring.ends[1], 1e-13);
            near(found.get(i, 3 * k + 2), spring.rest, 1e-13);
        }
        (0..2).for_each(|k| near(found.get(i, 9 + k), of_stiffness[k], 1e-13));
        (0..3).for_each(|k| near(found.get(i, 11 + k), of_loads[k], 1e-13));
    }
    assert_eq!(s[0].name, "spring 0");
    // The dense one in one piece, by columns and by rows.
    let mut dense = vec![0.0; 5 * 14];
    forces::jacobian_into(&mut dense, &s, [2.0, 3.0], 0.1, loads);
    for (row, expected) in dense.chunks(14).zip(found.to_dense()) {
        row.iter()
            .zip(expected)
            .for_each(|(a, b)| near(*a, b, 1e-13));
    }
}

#[differentiable(higher_order)]
fn stretched(s: &Spring<f64>, k: f64) -> f64 {
    let stretch = s.ends[1] - s.ends[0] - s.rest;
    k * stretch * stretch + s.damping * s.rest
}

#[test]
fn the_hessian_by_a_struct() {
    let s = &springs(2)[1];
    let plan = stretched::sparse_hessian_plan(s, 1.5);
    assert_eq!(plan.pattern(), &pattern(4, 4, |i, j| (i, j) != (3, 3)));
    let found = stretched::sparse_hessian(&plan, s, 1.5).unwrap();
    let (of_s, of_k) = stretched::hessian(s, 1.5);
    for (i, (by_s, by_k)) in of_s.iter().chain([&of_k]).enumerate() {
        near(found.get(i, 0), by_s.ends[0], 1e-13);
        near(found.get(i, 1), by_s.ends[1], 1e-13);
        near(found.get(i, 2), by_s.rest, 1e-13);
        near(found.get(i, 3), *by_k, 1e-13);
    }
}

#[test]
fn of_one_number_and_of_constants_only() {
    #[differentiable(higher_order)]
    fn powers(x: f64) -> [f64; 2] {
        [x * x, 3.0]
    }
    let plan = powers::sparse_jacobian_plan(2.0);
    assert_eq!(plan.pattern(), &pattern(2, 1, |i, _| i == 0));
    assert_eq!(
        powers::sparse_jacobian(&plan, 2.0).unwrap().to_dense(),
        [[4.0], [0.0]]
    );
    #[differentiable(higher_order)]
    fn cube(x: f64) -> f64 {
        x * x * x
    }
    let plan = cube::sparse_hessian_plan(2.0);
    assert_eq!(cube::sparse_hessian(&plan, 2.0).unwrap().values, [12.0]);
}

#[differentiable(higher_order)]
fn single(x: &[f32]) -> Vec<f32> {
    (1..x.len()).map(|i| x[i] * x[i - 1]).collect()
}

/// Generic over its scalar.
#[differentiable(higher_order)]
fn generic<T: Scalar>(x: &[T]) -> Vec<T> {
    let mut out = Vec::new();
    for i in 1..x.len() {
        out.push((x[i] * x[i - 1]).sin());
    }
    out
}

#[test]
fn other_scalars() {
    let x: Vec<f32> = points(20).iter().map(|x| *x as f32).collect();
    let plan = single::sparse_jacobian_plan(&x);
    let found = single::sparse_jacobian(&plan, &x).unwrap();
    assert_eq!(found.to_dense(), single::jacobian(&x));
    let diagonal = JacobianPlan::from_pattern(pattern(19, 20, |i, j| i == j));
    assert_eq!(
        single::sparse_jacobian(&diagonal, &x)
            .map_err(|e| matches!(e, SparsityError::Missing { .. })),
        Err(true)
    );
    let plan = generic::sparse_jacobian_plan(&x);
    let found = generic::sparse_jacobian(&plan, &x).unwrap();
    assert_eq!(found.to_dense(), generic::jacobian_fwd(&x));
}

#[test]
fn a_hundred_thousand() {
    let x = points(100_000);
    let plan = valley::sparse_hessian_plan(&x);
    assert_eq!((plan.pattern().len(), plan.colours()), (299_998, 3));
    let hessian = valley::sparse_hessian(&plan, &x).unwrap();
    let v = points(100_001)[1..].to_vec();
    let (product, expected) = (hessian.mul_vec(&v), valley::hvp((&x, &v)));
    assert_eq!(product.len(), expected.len());
    product
        .iter()
        .zip(&expected)
        .for_each(|(a, b)| near(*a, *b, 1e-10));
    // One output of all inputs: the sum is not written out term by term.
    #[differentiable(higher_order)]
    fn total(x: &[f64]) -> [f64; 1] {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        [sum]
    }
    assert_eq!(total::sparsity(&x).row(0).len(), 100_000);
}

/// Σ c · x_aᵖ · x_b, one term after the other: each goes to the output `row`.
#[differentiable(higher_order)]
fn polynomials(x: &[f64], rows: usize, at: &[[usize; 3]], #[constant] c: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; rows];
    for k in 0..at.len() {
        let [row, a, b] = at[k];
        out[row] += c[k] * x[a] * x[a] * x[b];
    }
    out
}

#[differentiable(higher_order)]
fn polynomial(x: &[f64], at: &[[usize; 3]], #[constant] c: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..at.len() {
        let [power, a, b] = at[k];
        sum += c[k] * x[a].powi(power as i32) * x[b];
    }
    sum
}

proptest! {
    #[test]
    fn random_polynomials(
        terms in proptest::collection::vec((0..8usize, 0..12usize, 0..12usize, -2.0..2.0f64), 0..40),
    ) {
        let x = points(12);
        let at: Vec<[usize; 3]> = terms.iter().map(|t| [t.0, t.1, t.2]).collect();
        let c: Vec<f64> = terms.iter().map(|t| t.3).collect();
        let plan = polynomials::sparse_jacobian_plan(&x, 8, &at, &c);
        let expected = at.iter().flat_map(|[row, a, b]| [(*row, *a), (*row, *b)]);
        prop_assert_eq!(plan.pattern(), &Pattern::from_entries((8, 12), expected).unwrap());
        let found = polynomials::sparse_jacobian(&plan, &x, 8, &at, &c).unwrap();
        same(&found.to_dense(), &polynomials::jacobian_fwd(&x, 8, &at, &c));

        let at: Vec<[usize; 3]> = at.iter().map(|[p, a, b]| [p % 4, *a, *b]).collect();
        let plan = polynomial::sparse_hessian_plan(&x, &at, &c);
        let found = polynomial::sparse_hessian(&plan, &x, &at, &c).unwrap();
        let dense = polynomial::hessian(&x, &at, &c);
        same(&found.to_dense(), &dense);
        for (i, row) in dense.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                prop_assert!(*entry == 0.0 || plan.pattern().contains(i, j));
            }
        }
    }
}
