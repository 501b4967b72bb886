//! Groups, frozen parameters, and gradients that are not finite.

use super::torch::{Params, flat, gradient, start};
use differentiable::optim::*;
use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable, Module)]
struct Net {
    backbone: Backbone,
    out: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Module)]
struct Backbone {
    patch: f64,
    norm1: [f64; 2],
}

fn net() -> Net {
    Net {
        backbone: Backbone {
            patch: 1.0,
            norm1: [2.0, 3.0],
        },
        out: 4.0,
    }
}

fn ones() -> <Net as Differentiable>::Tangent {
    let mut grad = net().zero_tangent();
    grad.backbone.patch = 1.0;
    grad.backbone.norm1 = [1.0, 1.0];
    grad.out = 1.0;
    grad
}

#[test]
fn patterns_choose_rates_and_what_is_frozen() {
    let mut sgd = Sgd::new(0.5)
        .group("backbone.**", |g| g.rate(0.5))
        .group("**.norm*.1", |g| g.rate(2.0))
        .freeze("backbone.patch.**");
    let mut net = net();
    let norm = sgd.step(&mut net, &ones());
    assert_eq!(net.backbone.patch, 1.0);
    assert_eq!(net.backbone.norm1, [2.0 - 0.25, 3.0 - 1.0]);
    assert_eq!(net.out, 3.5);
    assert_eq!(norm, 3.0_f64.sqrt(), "the frozen parameter has no part");
}

#[test]
fn nothing_is_remembered_of_what_is_frozen() {
    let mut adam = Adam::new(0.1).weight_decay(0.3).freeze("backbone.**");
    let mut net = net();
    adam.step(&mut net, &ones());
    assert_eq!(net.backbone, self::net().backbone);
    let saved = adam.state();
    let names: Vec<&str> = saved.tensors.keys().map(String::as_str).collect();
    assert_eq!(names, ["first_moment.out", "second_moment.out"]);
    let mut again = Adam::new(0.1).freeze("backbone.**");
    again.load_state(&net, saved.clone()).unwrap();
    let error = Adam::new(0.1).load_state(&net, saved).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tensor `first_moment.backbone.norm1.0` is missing, expected f64 []"
    );
}

#[test]
fn a_parameter_that_is_freed_begins_anew() {
    let mut adam = Adam::new(0.1).freeze("out");
    let mut net = net();
    for _ in 0..10 {
        adam.step(&mut net, &ones());
    }
    assert_eq!(net.out, 4.0);
    let mut adam = adam.group("out", |g| g.frozen(false));
    adam.step(&mut net, &ones());
    // The first step of Adam has the length of the rate, with the corrections of its first step.
    assert!((net.out - 3.9).abs() < 1e-8, "{}", net.out);
    let mut again = Adam::new(0.1);
    again.load_state(&net, adam.state()).unwrap();
    let mut copy = net.clone();
    adam.step(&mut net, &ones());
    again.step(&mut copy, &ones());
    assert_eq!(net, copy);
    assert_eq!(adam.state(), again.state());
    assert_eq!(adam.state().numbers["begun.out"], 10.0);
}

#[test]
fn a_pattern_that_matches_nothing_is_an_error() {
    let mut adam = Adam::new(0.1).group("backbnoe.norm*.*", |g| g.decay(0.0));
    let mut net = net();
    let error = adam.try_step(&mut net, &ones()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the pattern `backbnoe.norm*.*` matches no parameter; the nearest are `backbone.norm1.0`, \
         `backbone.norm1.1`, `backbone.patch`"
    );
    assert_eq!(net, self::net());
    assert_eq!(adam.steps(), 0);
}

#[test]
fn a_model_that_changes_is_an_error() {
    let (mut sgd, mut model) = (Sgd::new(0.1).momentum(0.9), vec![1.0, 2.0]);
    sgd.step(&mut model, &vec![1.0, 1.0]);
    let mut other: Vec<Tensor![f64; 2]> = vec![Tensor::ones()];
    let grad = other.clone();
    assert_eq!(
        sgd.try_step(&mut other, &grad).unwrap_err().to_string(),
        "parameter `0` is now f64 [2] and was f64 []: an optimiser serves one model"
    );
    assert_eq!(other, grad);
}

#[test]
fn muon_by_group() {
    let state = |muon: Muon| {
        let (mut muon, mut params): (_, Params) = (muon, start());
        let grad = gradient(&params, 0);
        muon.step(&mut params, &grad);
        (muon.state(), flat(&params))
    };
    let names = |s: &OptimizerState| s.tensors.keys().cloned().collect::<Vec<_>>();
    let (matrices, _) = state(Muon::new(0.1));
    let expected = [
        "first_moment.2",
        "momentum.0",
        "momentum.1",
        "second_moment.2",
    ];
    assert_eq!(names(&matrices), expected);
    let (all, by_group) = state(Muon::new(0.1).adamw("**"));
    assert_eq!(names(&all).len(), 6);
    let (mut adamw, mut params) = (AdamW::new(0.1).weight_decay(0.1), start());
    let grad = gradient(&params, 0);
    adamw.step(&mut params, &grad);
    assert_eq!(by_group, flat(&params));
}

#[test]
fn gradients_that_are_not_finite_are_skipped() {
    let mut adam = Adam::new(0.1).skip_non_finite();
    let (mut x, mut y) = ([1.0, 2.0], [1.0, 2.0]);
    let mut other = Adam::new(0.1);
    for grad in [
        [1.0, f64::NAN],
        [1.0, 3.0],
        [f64::INFINITY, 0.0],
        [2.0, 1.0],
    ] {
        let norm = adam.step(&mut x, &grad);
        if norm.value().is_finite() {
            other.step(&mut y, &grad);
        }
        assert_eq!(x, y);
    }
    assert_eq!((adam.skipped(), adam.steps()), (2, 2));
    let saved = adam.state();
    let mut again = Adam::new(0.1).skip_non_finite();
    again.load_state(&x, saved.clone()).unwrap();
    assert_eq!(again.skipped(), 2);
    assert_eq!(
        Adam::new(0.1)
            .load_state(&x, saved)
            .unwrap_err()
            .to_string(),
        "the number `skipped` is not expected: the optimiser that was saved had a setting that this one lacks"
    );
    // Skipped steps alone leave nothing to save.
    let mut fresh = Adam::new(0.1).skip_non_finite();
    fresh.step(&mut x, &[f64::NAN, 0.0]);
    again.load_state(&x, fresh.state()).unwrap();
    assert_eq!(again.skipped(), 1);
}

#[test]
fn the_norm_is_that_before_clipping() {
    let (mut x, mut sgd) = ([0.0, 0.0], Sgd::new(1.0).clip_norm(1.0));
    assert_eq!(sgd.step(&mut x, &[3.0, 4.0]), 5.0);
    assert_eq!(x, [-0.6000000000000001, -0.8]);
}

#[test]
fn a_loss_scale_grows_and_falls_as_in_pytorch() {
    // GradScaler with `growth_interval=3`: doubled after three finite gradients, halved by one that is not.
    let mut scale = LossScale::new().initial(8.0).interval(3);
    let mut factors = Vec::new();
    for finite in [true, true, true, true, false, true, true, true] {
        let grad = if finite {
            16.0 * scale.factor()
        } else {
            f64::NAN
        };
        let expected = finite.then_some(16.0);
        assert_eq!(scale.unscale(grad), expected);
        factors.push(scale.factor());
    }
    assert_eq!(factors, [8.0, 8.0, 16.0, 16.0, 8.0, 8.0, 8.0, 16.0]);
    assert_eq!(scale.to_string(), "16 3 0 1");
    assert!("16 0 0 1".parse::<LossScale>().is_err());
    assert!("16 3 0".parse::<LossScale>().is_err());
}
