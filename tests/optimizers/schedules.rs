//! Factors of schedules against PyTorch, and runs that go on.

use super::torch::{EXPECTED, assert_near, numbers};
use differentiable::optim::*;

#[track_caller]
fn follows(name: &str, schedule: impl Schedule) {
    let expected = numbers(&EXPECTED["schedules"][name]);
    let found: Vec<f64> = (0..expected.len() as u64)
        .map(|step| schedule.factor(step))
        .collect();
    assert_near(&found, &expected, 1e-12, name);
}

#[test]
fn factors() {
    follows("warmup", warmup(10));
    follows("linear", linear(20, 0.2));
    follows("cosine", cosine(20, 0.1));
    follows("polynomial", polynomial(20, 2.0, 0.0));
    follows("exponential", exponential(0.9));
    follows("step_decay", step_decay(7, 0.3));
    follows("milestones", milestones(&[4, 15], 0.3));
    follows("one_cycle", one_cycle(30));
    follows("then", warmup(8).then(cosine(16, 0.1)));
}

#[test]
fn a_schedule_keeps_the_factor_of_its_end() {
    assert_eq!(warmup(4).factor(1 << 40), 1.0);
    assert!((cosine(20, 0.1).factor(1000) - 0.1).abs() < 1e-15);
    assert!((one_cycle(30).factor(1000) - 1.0 / 250_000.0).abs() < 1e-15);
    let pieces = constant(2, 0.5)
        .then(exponential(0.5).until(2))
        .then(constant(1, 3.0));
    let found: Vec<f64> = (0..6).map(|step| pieces.factor(step)).collect();
    assert_eq!(found, [0.5, 0.5, 1.0, 0.5, 3.0, 3.0]);
    assert_eq!(exponential(0.5).until(2).factor(9), 0.25);
}

#[test]
#[should_panic(expected = "a schedule follows one that goes on for ever: end that with `until`")]
fn nothing_follows_a_schedule_without_an_end() {
    let _ = step_decay(3, 0.1).then(warmup(2));
}

#[test]
fn a_plateau_lowers_the_rate() {
    let losses = numbers(&EXPECTED["plateaus"]["losses"]);
    let all = Plateau::new(0.5, 1).threshold(0.01).cooldown(2).floor(0.2);
    for (name, plateau) in [("plain", Plateau::new(0.1, 2)), ("all", all)] {
        let mut sgd = Sgd::new(0.5).plateau(plateau.clone());
        let mut found = Vec::new();
        for (i, &loss) in losses.iter().enumerate() {
            sgd.observe(loss);
            found.push(sgd.rate() / 0.5);
            // As if the run had been cut off here.
            if i % 4 == 3 {
                let state = sgd.state();
                sgd = Sgd::new(0.5).plateau(plateau.clone());
                sgd.load_state(&1.0, state).unwrap();
            }
        }
        let expected = numbers(&EXPECTED["plateaus"][name]);
        assert_near(&found, &expected, 1e-14, name);
    }
}

#[test]
fn a_schedule_goes_on_where_it_was() {
    let make = || Adam::new(0.1).schedule(warmup(5).then(cosine(20, 0.1)));
    let (mut straight, mut x) = (make(), [1.0, -2.0]);
    let (mut resumed, mut y) = (make(), x);
    for step in 0..25 {
        let grad = [x[0] + f64::from(step), x[1]];
        straight.step(&mut x, &grad);
        resumed.step(&mut y, &grad);
        assert_eq!(x, y, "after step {step}");
        let state = resumed.state();
        resumed = make();
        resumed.load_state(&y, state).unwrap();
        assert_eq!(straight.rate(), resumed.rate());
    }
    assert_eq!(straight.learning_rate(), 0.1);
    assert!((straight.rate() - 0.01).abs() < 1e-15);
}

#[test]
fn a_closure_is_a_schedule_and_a_bad_factor_is_an_error() {
    let mut sgd = Sgd::new(1.0).schedule(|step| if step == 2 { f64::NAN } else { 0.5 });
    let mut x = 1.0;
    sgd.step(&mut x, &0.5);
    sgd.step(&mut x, &0.5);
    assert_eq!(x, 0.5);
    assert_eq!(
        sgd.try_step(&mut x, &0.5).unwrap_err().to_string(),
        "the schedule gives the factor NaN in step 2, expected a finite number of at least 0"
    );
    assert_eq!((x, sgd.steps()), (0.5, 2));
}
