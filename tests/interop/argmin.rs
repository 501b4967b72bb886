//! Problems of argmin, solved to known optima.

use argmin::core::{
    ArgminError, CostFunction, Executor, Gradient, Hessian, Jacobian, Operator, State,
};
use argmin::solver::gaussnewton::GaussNewton;
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::newton::Newton;
use argmin::solver::quasinewton::LBFGS;
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use differentiable::interop::argmin::{Matrix, Problem};
use differentiable::prelude::*;

/// Rosenbrock's function of any number of variables; the minimum is 0 where all are 1.
#[differentiable(higher_order)]
fn valley(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1] * x[i - 1];
        sum += 100.0 * d * d + (1.0 - x[i - 1]) * (1.0 - x[i - 1]);
    }
    sum
}

fn is_one(x: &[f64]) -> bool {
    x.iter().all(|x| (x - 1.0).abs() < 1e-6)
}

#[test]
fn by_lbfgs() {
    let problem = Problem::<valley, _>::new((vec![1.3, 0.7, 0.8, 1.9],));
    let start = problem.start();
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7);
    let run = Executor::new(problem, solver).configure(|s| s.param(start).max_iters(200));
    let best = run.run().unwrap().state.take_best_param().unwrap();
    assert!(is_one(&best), "{best:?}");
}

#[test]
fn by_newton_and_a_trust_region() {
    let problem = || {
        let problem = Problem::<valley, _>::new((vec![-1.2, 1.0],));
        problem.with_hessian(|(x,)| valley::hessian(x))
    };
    let start = problem().start();
    let newton = Executor::new(problem(), Newton::<f64>::new());
    let run = newton
        .configure(|s| s.param(start.clone()).max_iters(8))
        .run();
    let last = run.unwrap().state.take_param().unwrap();
    assert!(is_one(&last), "{last:?}");
    let solver = TrustRegion::new(Steihaug::new());
    let run = Executor::new(problem(), solver).configure(|s| s.param(start).max_iters(100));
    let best = run.run().unwrap().state.take_best_param().unwrap();
    assert!(is_one(&best), "{best:?}");
}

/// What `a · exp(-b t)` misses of the data.
#[differentiable]
fn residuals(p: &[f64], #[constant] t: &[f64], #[constant] y: &[f64]) -> Vec<f64> {
    let mut r = Vec::new();
    for i in 0..t.len() {
        r.push(p[0] * (-p[1] * t[i]).exp() - y[i]);
    }
    r
}

fn decay() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let t: Vec<f64> = (0..12).map(|i| 0.25 * f64::from(i)).collect();
    let y = t.iter().map(|t| 2.5 * (-1.3 * t).exp()).collect();
    (vec![2.0, 1.0], t, y)
}

#[test]
fn by_gauss_newton() {
    let problem = Problem::<residuals, _>::new(decay());
    let start = problem.start();
    let run = Executor::new(problem, GaussNewton::<f64>::new());
    let run = run
        .configure(|s| s.param(start).max_iters(20))
        .run()
        .unwrap();
    let best = run.state.get_best_param().unwrap();
    assert!(
        (best[0] - 2.5).abs() < 1e-9 && (best[1] - 1.3).abs() < 1e-9,
        "{best:?}"
    );
}

#[test]
fn a_jacobian_by_rows_is_that_by_columns() {
    let (p, t, y) = decay();
    let of = |count: usize| {
        let args = (p.clone(), t[..count].to_vec(), y[..count].to_vec());
        Problem::<residuals, _>::new(args).jacobian(&p).unwrap()
    };
    let (wide, tall) = (of(1), of(12));
    assert_eq!(wide.rows(), &tall.rows()[..1]);
    assert_eq!((tall.rows().len(), tall.transposed().rows().len()), (12, 2));
    assert!(of(0).rows().is_empty());
}

#[differentiable]
fn root_of_sum(x: &[f64]) -> f64 {
    x.iter().sum::<f64>().ln()
}

#[test]
fn what_is_wrong_is_an_error_of_argmin() {
    let problem = Problem::<root_of_sum, _>::new((vec![1.0, 2.0],));
    let is = |error: argmin::core::Error| error.downcast::<ArgminError>().unwrap();
    let short = is(problem.cost(&vec![1.0]).unwrap_err());
    assert!(
        matches!(short, ArgminError::InvalidParameter { .. }),
        "{short}"
    );
    let nan = is(problem.cost(&vec![1.0, -2.0]).unwrap_err());
    assert!(
        matches!(nan, ArgminError::ConditionViolated { .. }),
        "{nan}"
    );
    let nan = is(problem.gradient(&vec![f64::NAN, 1.0]).unwrap_err());
    assert!(
        matches!(nan, ArgminError::ConditionViolated { .. }),
        "{nan}"
    );
    // After an error it goes on as before.
    assert_eq!(problem.cost(&vec![1.0, 0.0]).unwrap(), 0.0);
    assert_eq!(problem.start(), [1.0, 2.0]);
    let wrong = Problem::<valley, _>::new((vec![1.0, 2.0],)).with_hessian(|_| vec![vec![1.0]]);
    assert!(wrong.hessian(&vec![1.0, 1.0]).is_err());
    let residuals = Problem::<residuals, _>::new(decay());
    assert!(residuals.apply(&vec![1.0, f64::NAN]).is_err());
}

#[test]
fn an_inverse_and_a_singular_matrix() {
    use argmin_math::{ArgminDot, ArgminInv};
    // The first pivot is zero.
    let m = Matrix::new(
        vec![
            vec![0.0, 2.0, 1.0],
            vec![1.0, 0.5, 0.0],
            vec![3.0, 0.0, 1.0],
        ],
        3,
    );
    let product: Matrix<f64> = m.dot(&m.inv().unwrap());
    for (i, row) in product.rows().iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            assert!((x - f64::from(u8::from(i == j))).abs() < 1e-14);
        }
    }
    assert!(
        Matrix::new(vec![vec![1.0, 2.0], vec![2.0, 4.0]], 2)
            .inv()
            .is_err()
    );
    assert!(Matrix::new(vec![vec![1.0, 2.0]], 2).inv().is_err());
    assert!(
        Matrix::<f64>::new(vec![], 0)
            .inv()
            .unwrap()
            .rows()
            .is_empty()
    );
}

#[differentiable]
fn single(x: f32, #[constant] at: f32) -> f32 {
    (x - at) * (x - at)
}

#[test]
fn a_number_in_single_precision() {
    let problem = Problem::<single, _>::new((1.0, 3.0));
    assert_eq!(
        (problem.cost(&1.0).unwrap(), problem.gradient(&1.0).unwrap()),
        (4.0, -4.0)
    );
}
