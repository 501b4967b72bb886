//! Twenty steps of each algorithm against PyTorch, in double precision.

use differentiable::optim::*;
use differentiable::prelude::*;
use serde_json::Value;
use std::array::from_fn;
use std::sync::LazyLock;

/// What `generate.py` wrote.
pub static EXPECTED: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../data/optimizers/expected.json");
    serde_json::from_str(text).expect("JSON")
});

pub fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().expect("a list").iter();
    all.map(|x| x.as_f64().expect("a number")).collect()
}

pub type Params = (Tensor![f64; 3, 4], Tensor![f64; 5, 2], Tensor![f64; 4]);

/// As `start` in `generate.py`.
pub fn start() -> Params {
    let at = |k: usize| move |i: usize| (0.9 * i as f64 + k as f64).cos();
    (
        Tensor::from_fn(at(0)),
        Tensor::from_fn(at(1)),
        Tensor::from_fn(at(2)),
    )
}

/// As `gradient` in `generate.py`.
pub fn gradient(params: &Params, step: usize) -> Params {
    fn of(values: Vec<f64>, step: usize, k: usize) -> impl FnMut(usize) -> f64 {
        move |i| {
            let own = 0.5 * (1 + i % 3) as f64 * values[i];
            own + (1.3 * step as f64 + 0.7 * i as f64 + k as f64).sin()
        }
    }
    (
        Tensor::from_fn(of(params.0.to_vec(), step, 0)),
        Tensor::from_fn(of(params.1.to_vec(), step, 1)),
        Tensor::from_fn(of(params.2.to_vec(), step, 2)),
    )
}

pub fn flat(params: &Params) -> Vec<f64> {
    [params.0.to_vec(), params.1.to_vec(), params.2.to_vec()].concat()
}

#[track_caller]
pub fn assert_near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        let near = (f - e).abs() <= tolerance * (1.0 + e.abs());
        assert!(near, "{what}, number {i}: found {f}, expected {e}");
    }
}

#[track_caller]
fn follows(name: &str, optimizer: impl Into<AnyOptimizer>) {
    let expected = &EXPECTED["trajectories"][name];
    let (mut optimizer, mut params) = (optimizer.into(), start());
    for step in 0..20 {
        let grad = gradient(&params, step);
        optimizer.step(&mut params, &grad);
        let done = (step + 1).to_string();
        if let Some(expected) = expected.get(&done) {
            let what = format!("{name} after {done} steps");
            assert_near(&flat(&params), &numbers(expected), 1e-11, &what);
        }
    }
    assert!(expected.get("20").is_some(), "{name} is in the file");
}

#[test]
fn sgd() {
    follows("sgd", Sgd::new(0.05));
    let nesterov = Sgd::new(0.05).momentum(0.8).nesterov().weight_decay(0.1);
    follows("sgd_nesterov", nesterov);
}

#[test]
fn adam_and_adamw() {
    let adam = Adam::new(0.05).betas(0.8, 0.95).weight_decay(0.1);
    follows("adam", adam);
    follows("adamw", AdamW::new(0.05).weight_decay(0.2));
}

#[test]
fn rmsprop() {
    follows("rmsprop", RmsProp::new(0.02));
    let all = RmsProp::new(0.02).alpha(0.9).epsilon(1e-6).momentum(0.7);
    follows("rmsprop_all", all.centred().weight_decay(0.1));
}

#[test]
fn adagrad() {
    follows("adagrad", Adagrad::new(0.1));
    let all = Adagrad::new(0.1).rate_decay(0.05).initial(0.3);
    follows("adagrad_all", all.weight_decay(0.1).epsilon(1e-7));
}

#[test]
fn adadelta() {
    follows("adadelta", Adadelta::new(1.0));
    let all = Adadelta::new(0.7).rho(0.8).epsilon(1e-5);
    follows("adadelta_all", all.weight_decay(0.1));
}

#[test]
fn adafactor() {
    follows("adafactor", Adafactor::new(0.1));
    let all = Adafactor::new(0.3).decay_power(-0.7).smallest(0.9);
    follows("adafactor_all", all.threshold(1.2).weight_decay(0.1));
}

#[test]
fn muon() {
    let original = Muon::new(0.05).scale(MuonScale::Original);
    follows("muon_original", original);
    follows("muon_as_adamw", Muon::new(0.05));
}

#[test]
fn lion() {
    follows("lion", Lion::new(0.02));
    let all = Lion::new(0.02).betas(0.8, 0.95).weight_decay(0.3);
    follows("lion_all", all);
}

#[test]
fn lamb() {
    follows("lamb", Lamb::new(0.02));
    let all = Lamb::new(0.02).betas(0.8, 0.9).epsilon(1e-3);
    follows("lamb_all", all.weight_decay(0.3));
}

#[test]
fn lamb_of_parameters_that_are_zero_is_adam() {
    let (mut by_lamb, mut by_adam) = ([0.0, 0.0], [0.0, 0.0]);
    Lamb::new(0.1)
        .epsilon(1e-8)
        .step(&mut by_lamb, &[3.0, -0.5]);
    Adam::new(0.1).step(&mut by_adam, &[3.0, -0.5]);
    assert_near(&by_lamb, &by_adam, 1e-15, "the first step");
}

#[test]
fn clipping() {
    follows("adam_clip_norm", Adam::new(0.05).clip_norm(1.5));
    let sgd = Sgd::new(0.05).momentum(0.9);
    follows("sgd_clip_value", sgd.clip_value(0.4));
}

#[test]
fn groups() {
    // The first is undone by those that follow, where they set the same thing.
    let adamw = AdamW::new(0.05)
        .group("**", |g| g.rate(0.1).decay(0.7))
        .group("0", |g| g.rate(1.0).decay(0.2))
        .group("1", |g| g.decay(0.2))
        .group("2", |g| g.rate(1.0).decay(0.0));
    follows("adamw_groups", adamw);
}

#[test]
fn averages_of_parameters() {
    let (mut sgd, mut params) = (Sgd::new(0.05), start());
    let mut ema = Ema::new(&params, 0.9);
    for step in 0..20 {
        let grad = gradient(&params, step);
        sgd.step(&mut params, &grad);
        ema.update(&params);
    }
    let expected = numbers(&EXPECTED["ema"]);
    assert_near(&flat(ema.model()), &expected, 1e-13, "the average");
    let before = flat(&params);
    ema.swap(&mut params);
    assert_near(&flat(&params), &expected, 1e-13, "the model after a swap");
    assert_eq!(flat(&ema.into_model()), before);
}

#[test]
fn single_precision_follows_double() {
    let all: [fn(f64) -> AnyOptimizer; 4] = [
        |rate| Adafactor::new(rate).into(),
        |rate| Lamb::new(rate).into(),
        |rate| Muon::new(rate).into(),
        |rate| RmsProp::new(rate).into(),
    ];
    for make in all {
        let (mut narrow, mut wide) = (make(0.05), make(0.05));
        let mut w: Tensor![3, 4] = Tensor::from_fn(|i| (0.9 * i as f32).cos());
        let mut x: Tensor![f64; 3, 4] = w.cast();
        for step in 0..5 {
            let grad: Tensor![3, 4] = Tensor::from_fn(|i| ((i + step) as f32).sin());
            narrow.step(&mut w, &grad);
            wide.step(&mut x, &grad.cast());
        }
        let found: [f64; 12] = from_fn(|i| f64::from(w.to_vec()[i]));
        assert_near(&found, &x.to_vec(), 1e-4, &wide.state().algorithm);
    }
}
