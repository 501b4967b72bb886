//! Roots and fixed points.

use differentiable::ad::check_grads;
use differentiable::implicit::{ImplicitError, NewtonOptions, fixed_point, newton, root};
use differentiable::prelude::*;

/// By bisection, which has no derivative.
fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let x = 0.5 * (low + high);
        if f(x) > 0.0 { high = x } else { low = x }
    }
    low
}

#[differentiable]
fn square_root(a: f64) -> f64 {
    let x = no_grad!(bisect(|x| x * x - a, 0.0, 10.0));
    root(|x| x * x - a, &x, 1e-12).unwrap()
}

#[test]
fn the_root_of_a_number() {
    let (x, slope) = square_root::value_and_grad(2.0);
    assert!((x - 2f64.sqrt()).abs() < 1e-15 && (slope - 0.5 / 2f64.sqrt()).abs() < 1e-15);
    let (_, t) = square_root::jvp((2.0, 3.0));
    assert!((t - 3.0 * slope).abs() < 1e-15);
    check_grads::<square_root, _>(&(2.0,)).unwrap();
}

#[differentiable]
fn kepler(mean: f64, e: f64) -> f64 {
    let x = newton(
        |x| x - e * x.sin() - mean,
        &mean,
        &NewtonOptions {
            tolerance: 1e-14,
            max_iterations: 50,
        },
    )
    .unwrap();
    x.cos() * e
}

#[test]
fn the_equation_of_kepler() {
    let (_, (by_mean, by_e)) = kepler::value_and_grad(1.0, 0.3);
    let x = bisect(|x| x - 0.3 * x.sin() - 1.0, 0.0, 3.0);
    let slope = 1.0 / (1.0 - 0.3 * x.cos());
    assert!((by_mean + 0.3 * x.sin() * slope).abs() < 1e-12);
    assert!((by_e - x.cos() + 0.3 * x.sin() * x.sin() * slope).abs() < 1e-12);
    check_grads::<kepler, _>(&(1.0, 0.3)).unwrap();
}

#[derive(Clone, Debug, Differentiable)]
struct System {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
}

/// `A x = b`, by Jacobi's iteration.
fn jacobi(system: &System) -> Vec<f64> {
    let n = system.right.len();
    let mut x = vec![0.0; n];
    for _ in 0..300 {
        x = (0..n)
            .map(|i| {
                let others: f64 = (0..n)
                    .filter(|j| *j != i)
                    .map(|j| system.matrix[i][j] * x[j])
                    .sum();
                (system.right[i] - others) / system.matrix[i][i]
            })
            .collect();
    }
    x
}

/// `A x − b`
#[differentiable]
fn off(system: &System, x: &[f64]) -> Vec<f64> {
    let mut off = Vec::new();
    for i in 0..x.len() {
        let mut sum = -system.right[i];
        for j in 0..x.len() {
            sum += system.matrix[i][j] * x[j];
        }
        off.push(sum);
    }
    off
}

#[differentiable]
fn linear(system: &System) -> Vec<f64> {
    let x = no_grad!(jacobi(system));
    root(|x: &[f64]| off(system, x), &x[..], 1e-10).unwrap()
}

#[differentiable]
fn linear_by_newton(system: &System) -> Vec<f64> {
    let start = vec![0.0; system.right.len()];
    let options = NewtonOptions::default();
    newton(|x: &[f64]| off(system, x), &start[..], &options).unwrap()
}

#[test]
fn a_linear_system() {
    let system = System {
        matrix: vec![
            vec![4.0, 1.0, 0.5],
            vec![-1.0, 5.0, 1.0],
            vec![0.3, 0.2, 3.0],
        ],
        right: vec![1.0, 2.0, 3.0],
    };
    let (x, pullback) = linear::vjp(&system);
    // λ = A⁻ᵀ u is the gradient by b, and −λ xᵀ that by A.
    let u = [1.0, -0.5, 0.25];
    let d = pullback(u.to_vec());
    for j in 0..3 {
        let product: f64 = (0..3).map(|i| system.matrix[i][j] * d.right[i]).sum();
        assert!((product - u[j]).abs() < 1e-14);
        for i in 0..3 {
            assert!((d.matrix[i][j] + d.right[i] * x[j]).abs() < 1e-14);
        }
    }
    check_grads::<linear, _>(&(system.clone(),)).unwrap();
    check_grads::<linear_by_newton, _>(&(system,)).unwrap();
}

/// Slow, so that the system is solved, or fast, so that it is iterated.
#[differentiable]
fn relaxed(b: &[f64; 2], k: f64, #[constant] rate: f64) -> [f64; 2] {
    let x = no_grad!({
        let mut x = [0.0; 2];
        for _ in 0..100_000 {
            x = [
                rate * (k * x[1]).sin() + b[0],
                rate * (x[0] * x[0] * 0.1 + b[1]) - 0.1 * x[1],
            ];
        }
        x
    });
    let step = |x: &[f64; 2]| {
        [
            rate * (k * x[1]).sin() + b[0],
            rate * (x[0] * x[0] * 0.1 + b[1]) - 0.1 * x[1],
        ]
    };
    fixed_point(step, &x, 1e-12).unwrap()
}

#[test]
fn fixed_points() {
    for rate in [0.1, 0.5, 0.95] {
        check_grads::<relaxed, _>(&([0.3, 0.4], 0.9, rate)).unwrap();
    }
}

#[differentiable]
fn slow(c: f64) -> f64 {
    let x = no_grad!(c / 0.001);
    fixed_point(|x| 0.999 * x + c, &x, 1e-9).unwrap()
}

#[differentiable]
fn repelling(c: f64) -> f64 {
    let x = no_grad!(-c);
    fixed_point(|x| 2.0 * x + c, &x, 1e-9).unwrap()
}

#[test]
fn where_iterating_does_not_converge_it_is_solved() {
    assert!((slow::grad(0.002) - 1000.0).abs() < 1e-9);
    assert!((repelling::grad(0.5) + 1.0).abs() < 1e-15);
}

#[differentiable]
fn wrong(a: f64, x: f64) -> Result<f64, ImplicitError> {
    root(|x| x * x - a, &x, 1e-9)
}

#[test]
fn what_is_no_root_is_refused() {
    let error = wrong(2.0, 1.5).unwrap_err();
    assert_eq!(
        error,
        ImplicitError::NotARoot {
            residual: 0.25,
            tolerance: 1e-9
        }
    );
    assert!(error.to_string().contains("the value given is no solution"));
    let (value, pullback) = wrong::vjp(2.0, 1.5);
    assert_eq!(value, Err(error));
    assert_eq!(pullback(None), (0.0, 0.0));
    assert_eq!(wrong::jvp((2.0, 1.0), (1.5, 1.0)).1, None);
    assert!(
        matches!(wrong(2.0, f64::NAN), Err(ImplicitError::NotARoot { residual, .. }) if residual.is_nan())
    );
    assert!(fixed_point(|x: &f64| x.cos(), &0.5, 1e-9).is_err());
    // The root itself does not depend on how it was found.
    let x = 2f64.sqrt();
    let (_, pullback) = wrong::vjp(x * x, x);
    assert_eq!(pullback(Some(1.0)).1, 0.0);
}

#[test]
#[should_panic(
    expected = "the root has no derivative: the Jacobian of the equation there is singular"
)]
fn a_double_root_has_no_derivative() {
    let (_, pullback) = wrong::vjp(0.0, 0.0);
    pullback(Some(1.0));
}

#[test]
#[should_panic(expected = "the root has no derivative")]
fn nor_in_forward_mode() {
    let _ = wrong::jvp((0.0, 1.0), (0.0, 0.0));
}

#[test]
#[should_panic(expected = "the fixed point has no derivative")]
fn nor_has_a_point_of_a_line_of_fixed_points() {
    #[differentiable]
    fn held(c: f64) -> f64 {
        fixed_point(|x| x + 0.0 * c, &1.0, 1e-9).unwrap()
    }
    held::grad(1.0);
}

#[test]
fn newton_says_why_it_failed() {
    let o = NewtonOptions::default();
    let none = newton(|x: &f64| x * x + 1.0, &0.7, &o).unwrap_err();
    assert!(
        matches!(
            none,
            ImplicitError::NoConvergence { .. } | ImplicitError::Singular { .. }
        ),
        "{none}"
    );
    let flat = newton(|_: &f64| 1.0, &0.7, &o).unwrap_err();
    assert_eq!(flat, ImplicitError::Singular { iterations: 0 });
    let few = newton(
        |x: &f64| x.exp() - 100.0,
        &0.0,
        &NewtonOptions {
            max_iterations: 2,
            ..o
        },
    )
    .unwrap_err();
    assert!(matches!(
        few,
        ImplicitError::NoConvergence { iterations: 2, .. }
    ));
    let nan = newton(|_: &f64| f64::NAN, &0.7, &o).unwrap_err();
    assert!(
        matches!(nan, ImplicitError::NoConvergence { iterations: 0, residual } if residual.is_nan())
    );
}

#[test]
fn newton_with_several_unknowns() {
    let o = NewtonOptions::default();
    // Rosenbrock's function: its gradient is zero at (1, 1).
    let gradient = |x: &[f64; 2]| {
        [
            -400.0 * x[0] * (x[1] - x[0] * x[0]) - 2.0 * (1.0 - x[0]),
            200.0 * (x[1] - x[0] * x[0]),
        ]
    };
    let x = newton(gradient, &[-1.2, 1.0], &o).unwrap();
    assert!((x[0] - 1.0).abs() < 1e-8 && (x[1] - 1.0).abs() < 1e-8);
    assert_eq!(newton(|x: &[f64]| x.to_vec(), &[][..], &o), Ok(vec![]));
}

#[test]
#[should_panic(expected = "the equation has 1 numbers for 2 unknowns")]
fn as_many_equations_as_unknowns() {
    let _ = root(|x: &[f64]| vec![x[0]], &[1.0, 2.0][..], 1.0);
}
