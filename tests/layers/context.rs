//! The context of layers: what a step leaves there.

use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch);

type Norm = BatchNorm<2, f64>;

fn norm_and_data() -> (Norm, Tensor![f64; Batch, 2]) {
    (
        BatchNorm::new(&mut Seeds::new(0)),
        Tensor::randn_with((Batch(5), Sz), 1),
    )
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(
    expected = "new buffers that no model has: running_mean, running_var: end each training step with `ctx.commit(&mut net)`"
)]
fn a_forgotten_commit_is_found() {
    let (net, x) = norm_and_data();
    let mut ctx = Ctx::train(&net, 0);
    net.forward(&x, &mut ctx);
}

#[test]
fn updates_can_be_thrown_away() {
    let (net, x) = norm_and_data();
    let mut ctx = Ctx::train(&net, 0);
    net.forward(&x, &mut ctx);
    assert_eq!(ctx.names_of_updates(), ["running_mean", "running_var"]);
    drop(ctx.clone()); // a copy owes nothing
    ctx.discard();
    assert!(ctx.names_of_updates().is_empty());
}

/// A layer that runs twice in a step moves its statistics twice, as in PyTorch.
#[test]
fn two_passes_in_one_step_are_two_updates() {
    let (mut once, x) = norm_and_data();
    let mut twice = once.clone();
    let mut ctx = Ctx::train(&once, 0);
    for _ in 0..2 {
        once.forward(&x, &mut ctx);
        ctx.commit(&mut once);
    }
    let mut ctx = Ctx::train(&twice, 0);
    twice.forward(&x, &mut ctx);
    twice.forward(&x, &mut ctx);
    ctx.commit(&mut twice);
    assert_eq!(once.running_var, twice.running_var);
}

/// Two layers that began as clones have buffers of their own.
#[test]
fn clones_are_told_apart() {
    #[module]
    struct Two {
        a: Norm,
        b: Norm,
    }
    let (norm, x) = norm_and_data();
    let mut net = Two {
        a: norm.clone(),
        b: norm,
    };
    let mut ctx = Ctx::train(&net, 0);
    net.b.forward(&x, &mut ctx);
    assert_eq!(ctx.names_of_updates(), ["b.running_mean", "b.running_var"]);
    ctx.commit(&mut net);
    assert_eq!(net.a.running_mean.to_vec(), [0.0, 0.0]);
    assert_ne!(net.b.running_mean.to_vec(), [0.0, 0.0]);
}

#[test]
fn inference_changes_nothing() {
    let (mut net, x) = norm_and_data();
    let before = net.running_var.clone();
    let mut ctx = Ctx::eval();
    net.forward(&x, &mut ctx);
    ctx.commit(&mut net);
    assert_eq!(net.running_var, before);
}

#[test]
#[should_panic(expected = "more than one value for each channel, not 1")]
fn one_value_has_no_variance() {
    let (net, _) = norm_and_data();
    let x = Tensor::<(Batch, Sz<2>), f64>::ones_with((Batch(1), Sz));
    net.forward(&x, &mut Ctx::train(&net, 0));
}

#[test]
#[should_panic(
    expected = "that is no buffer of the module given to `Ctx::train`, whose buffers are [running_mean, running_var]"
)]
fn buffers_belong_to_their_module() {
    let (net, x) = norm_and_data();
    let other = Norm::new(&mut Seeds::new(0));
    other.forward(&x, &mut Ctx::train(&net, 0));
}

#[test]
#[should_panic(
    expected = "the module has no buffer `running_mean`: commit to the one given to `Ctx::train`"
)]
fn a_commit_goes_to_the_module_that_ran() {
    let (net, x) = norm_and_data();
    let mut ctx = Ctx::train(&net, 0);
    net.forward(&x, &mut ctx);
    ctx.commit(&mut Linear::<1, 1>::new(&mut Seeds::new(0)));
}

#[module]
struct Seen {
    hidden: Linear<2, 3, f64>,
    out: Linear<3, 1, f64>,
}

#[differentiable]
impl Seen {
    fn loss(&self, x: &Tensor![f64; Batch, 2], ctx: &mut Ctx) -> Tensor![f64;] {
        let h = self.hidden.forward(x).tanh();
        no_grad!(ctx.record("hidden", &h));
        self.out.forward(&h).square().mean()
    }
}

#[test]
fn activations_are_recorded() {
    let net = Seen::new(&mut Seeds::new(0));
    let x = Tensor::randn_with((Batch(4), Sz), 1);
    let mut ctx = Ctx::train(&net, 0);
    let (_, grad) = net.loss_value_and_grad(&x, &mut ctx);
    assert!(grad.hidden.weight.abs().max().item() > 0.0);
    let h: Tensor![f64; Batch, 3] = ctx.recorded("hidden").unwrap();
    assert_eq!(h, net.hidden.forward(&x).tanh());
    assert_eq!(ctx.recorded_names().collect::<Vec<_>>(), ["hidden"]);
    let missing = ctx
        .recorded::<(Batch, Sz<3>), f64, Device>("h")
        .unwrap_err();
    assert_eq!(
        missing.to_string(),
        "nothing is recorded under `h`, only [hidden]"
    );
    let other = ctx
        .recorded::<(Batch, Sz<4>), f64, Device>("hidden")
        .unwrap_err();
    assert!(matches!(other, RecordError::Type { .. }), "{other}");
    ctx.clear_records();
    assert_eq!(ctx.recorded_names().count(), 0);
}
