//! L-BFGS against PyTorch, on two functions of Rosenbrock.

use super::torch::{EXPECTED, assert_near, numbers};
use differentiable::io::Checkpoint;
use differentiable::optim::*;

type Pairs = ([f64; 2], [f64; 2]);

fn rosenbrock((x, y): &Pairs) -> (f64, Pairs) {
    let (mut loss, mut grad) = (0.0, ([0.0; 2], [0.0; 2]));
    for i in 0..2 {
        let (a, b) = (1.0 - x[i], y[i] - x[i] * x[i]);
        loss += a * a + 100.0 * b * b;
        grad.0[i] = -2.0 * a - 400.0 * x[i] * b;
        grad.1[i] = 200.0 * b;
    }
    (loss, grad)
}

const START: Pairs = ([-1.2, 0.5], [1.0, -0.3]);

#[test]
fn steps_are_those_of_pytorch() {
    let mut lbfgs = Lbfgs::new().iterations(4).history(3);
    let (mut at, mut evaluations) = (START, 0);
    for (i, expected) in EXPECTED["lbfgs"].as_array().unwrap().iter().enumerate() {
        let step = lbfgs.step(&mut at, rosenbrock);
        evaluations += step.evaluations;
        let what = format!("step {i}");
        let loss = expected["loss"].as_f64().unwrap();
        assert_near(&[step.loss_before], &[loss], 1e-8, &what);
        let found = [at.0, at.1].concat();
        assert_near(&found, &numbers(&expected["at"]), 1e-8, &what);
        assert_eq!(
            Some(evaluations as u64),
            expected["evaluations"].as_u64(),
            "{what}"
        );
        assert_near(&[step.loss], &[rosenbrock(&at).0], 1e-15, &what);
    }
}

#[test]
fn it_converges_and_says_so() {
    let (mut lbfgs, mut at) = (Lbfgs::new().iterations(100), START);
    let step = lbfgs.step(&mut at, rosenbrock);
    assert!(step.converged && step.loss < 1e-8, "{step:?}");
    assert_near(&[at.0, at.1].concat(), &[1.0; 4], 1e-4, "the minimum");
    // A step at the minimum stays there.
    let before = at;
    let again = lbfgs.step(&mut at, rosenbrock);
    assert!(again.converged, "{again:?}");
    assert_near(
        &[at.0, at.1].concat(),
        &[before.0, before.1].concat(),
        1e-4,
        "still",
    );
}

#[test]
fn it_goes_on_from_a_checkpoint_bit_for_bit() {
    let make = || Lbfgs::new().iterations(3).history(4);
    let (mut straight, mut at) = (make(), START);
    for _ in 0..3 {
        straight.step(&mut at, rosenbrock);
    }
    let checkpoint = Checkpoint::new().with_optimizer_state(straight.state());
    let (mut resumed, mut copy) = (make(), at);
    resumed
        .load_state(&copy, checkpoint.optimizer_state().unwrap())
        .unwrap();
    assert_eq!(resumed.state(), straight.state());
    straight.step(&mut at, rosenbrock);
    resumed.step(&mut copy, rosenbrock);
    assert_eq!(at, copy);
    let error = make().load_state(&1.0, straight.state()).unwrap_err();
    assert!(matches!(error, OptimizerStateError::Tensors(_)), "{error}");
}

#[test]
fn frozen_parameters_stay() {
    let mut lbfgs = Lbfgs::new().freeze("1.*");
    let mut at = START;
    lbfgs.step(&mut at, rosenbrock);
    assert_eq!(at.1, START.1);
    assert!(rosenbrock(&at).0 < rosenbrock(&START).0);
    let error = Lbfgs::new()
        .freeze("3.*")
        .try_step(&mut at, rosenbrock)
        .unwrap_err();
    assert!(matches!(error, OptimizerError::NoMatch { .. }), "{error}");
}

#[test]
fn a_loss_that_is_not_finite_at_the_first_length_is_left_behind() {
    // ln x has no value where the first step leads.
    let mut x = 3.0_f64;
    let f = |x: &f64| (x.ln().powi(2), 2.0 * x.ln() / x);
    let step = Lbfgs::new()
        .tolerances(1e-10, 1e-16)
        .rate(50.0)
        .iterations(50)
        .step(&mut x, f);
    assert!((x - 1.0).abs() < 1e-6, "{x} {step:?}");
    // Nor does a gradient that is not a number count as convergence.
    let step = Lbfgs::new().step(&mut x, |_| (f64::NAN, f64::NAN));
    assert!(!step.converged);
}
