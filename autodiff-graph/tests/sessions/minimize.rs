//! Steps of optimisers in sessions, bit for bit those of eager loops.

use crate::{bits, message};
use differentiable::graph::{Feeds, GraphError, Recording, Session};
use differentiable::nn::*;
use differentiable::optim::*;
use differentiable::prelude::*;

dim!(pub Batch);

type Inputs = Tensor![Batch, 6];
type Labels = Tensor![i64; Batch];

#[module]
pub struct Net {
    pub hidden: Linear<6, 8>,
    pub out: Linear<8, 3>,
}

#[differentiable]
impl Net {
    pub fn loss(&self, x: &Tensor![Batch, 6], y: &Tensor![i64; Batch]) -> Tensor![] {
        self.out
            .forward(&self.hidden.forward(x).relu())
            .cross_entropy(y)
    }
}

/// The batch of a step.
pub fn batch(step: u64) -> (Inputs, Labels) {
    let x = Tensor::randn_with((Batch(16), Sz), step);
    let y = Tensor::from_fn_with((Batch(16),), |i| (i as i64 + step as i64) % 3);
    (x, y)
}

/// 20 steps in a session, and in a loop of eager code.
fn same_as_eager<O: Optimizer + Clone + Send + Sync + 'static>(optimizer: O) {
    let mut net = Net::new(&mut Seeds::new(1));
    let r = Recording::new();
    let recorded = r.module(&net);
    let (x, y) = batch(0);
    let (rx, ry) = (r.input("x", x.shape()), r.input("y", y.shape()));
    let (loss, gradient) = r.scope(|| recorded.loss_value_and_grad(&rx, &ry));
    let train = r.minimize(&recorded, &gradient, optimizer.clone());
    let mut session = Session::new(&r, &Device::cpu());
    let mut eager = optimizer;
    for step in 0..20 {
        let (x, y) = batch(step);
        let feeds = Feeds::new().with(&rx, &x).with(&ry, &y);
        let (in_session, ()) = session.run((&loss, &train), &feeds).unwrap();
        let (at_once, gradient) = net.loss_value_and_grad(&x, &y);
        eager.step(&mut net, &gradient);
        assert_eq!(bits(&in_session), bits(&at_once), "step {step}");
    }
    let trained = session.module(&recorded);
    assert_eq!(bits(&trained.hidden.weight), bits(&net.hidden.weight));
    assert_eq!(bits(&trained.hidden.bias), bits(&net.hidden.bias));
    assert_eq!(bits(&trained.out.weight), bits(&net.out.weight));
    assert_eq!(session.optimizer(&train).state(), eager.state());
}

#[test]
fn sgd() {
    same_as_eager(Sgd::new(0.1));
    same_as_eager(
        Sgd::new(0.05)
            .momentum(0.9)
            .weight_decay(1e-2)
            .clip_norm(0.5),
    );
}

#[test]
fn adam() {
    same_as_eager(Adam::new(1e-2));
    same_as_eager(
        AdamW::new(1e-2)
            .weight_decay(0.1)
            .group("**.bias", |g| g.decay(0.0).rate(0.5))
            .clip_norm(1.0)
            .schedule(warmup(4).then(cosine(16, 0.1))),
    );
    same_as_eager(Adam::new(1e-2).freeze("hidden.bias").clip_value(0.01));
    same_as_eager(AdamW::new(1e-2).skip_non_finite());
}

#[test]
fn others() {
    same_as_eager(Lion::new(1e-3));
    same_as_eager(Muon::new(1e-2));
    same_as_eager(Lamb::new(1e-2));
    same_as_eager(RmsProp::new(1e-2));
    same_as_eager(Adagrad::new(1e-2));
    same_as_eager(Adadelta::new(1.0));
    same_as_eager(Adafactor::new(1e-2));
}

#[test]
fn rates_change_between_runs() {
    let r = Recording::new();
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let g: Tensor![2] = r.input("g", Default::default());
    let train = r.minimize(&w, &g, Sgd::new(1.0));
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&g, &Tensor::ones());
    session.run(&train, &feeds).unwrap();
    session.optimizer_mut(&train).set_learning_rate(0.5);
    session.run(&train, &feeds).unwrap();
    assert_eq!(session.variable(&w).to_vec(), [-0.5, 0.5]);
    session.reset();
    session.run(&train, &feeds).unwrap();
    assert_eq!(session.variable(&w).to_vec(), [0.0, 1.0]);
}

#[test]
fn a_step_that_fails_changes_nothing() {
    let r = Recording::new();
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let v: Tensor![2] = r.variable("v", &tensor([5.0, 6.0]));
    let g: Tensor![2] = r.input("g", Default::default());
    let fine = r.minimize(&v, &g, Sgd::new(1.0).momentum(0.9));
    let fails = r.minimize(
        &w,
        &g,
        Sgd::new(1.0).schedule(|step| if step < 1 { 1.0 } else { f64::NAN }),
    );
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&g, &Tensor::ones());
    session.run((&fine, &fails), &feeds).unwrap();
    let error = session.run((&fine, &fails), &feeds).unwrap_err();
    assert!(
        matches!(error, GraphError::Optimizer(OptimizerError::Factor { .. })),
        "{error}"
    );
    assert_eq!(session.variable(&w).to_vec(), [0.0, 1.0]);
    assert_eq!(session.variable(&v).to_vec(), [4.0, 5.0]);
    assert_eq!(session.optimizer(&fine).steps(), 1);
    // It goes on as if nothing had been.
    session.run(&fine, &feeds).unwrap();
    assert_eq!(session.variable(&v).to_vec(), [4.0 - 1.9, 5.0 - 1.9]);
}

#[test]
fn a_variable_changes_once_in_a_run() {
    let r = Recording::new();
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let g: Tensor![2] = r.input("g", Default::default());
    let train = r.minimize(&w, &g, Sgd::new(1.0));
    let assign = r.assign(&w, &g);
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&g, &Tensor::ones());
    let error = session.run((&train, &assign), &feeds).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`w` is assigned twice in one run, expected once"
    );
    assert_eq!(session.variable(&w).to_vec(), [1.0, 2.0]);
}

#[test]
fn what_is_trained_are_variables() {
    let r = Recording::new();
    let w: Tensor![2] = r.input("w", Default::default());
    let said = message(|| drop(r.minimize(&w, &w, Sgd::new(1.0))));
    assert!(said.contains("is no variable of this recording"), "{said}");
    let v: Tensor![2] = r.variable("v", &Tensor::ones());
    let said = message(|| drop(r.minimize(&v, &Tensor::ones(), Sgd::new(1.0))));
    assert!(said.contains("the gradient is not recorded"), "{said}");
    let said = message(|| drop(r.minimize(&v, &w, Sgd::new(1.0).freeze("nothing"))));
    assert!(said.contains("`nothing` matches no parameter"), "{said}");
}

#[test]
fn the_step_is_in_the_graph_and_not_in_runs() {
    let r = Recording::new();
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let g: Tensor![2] = r.input("g", Default::default());
    let train = r.minimize(&w, &g, Adam::new(0.1));
    r.output("w.after", train.after().expect("a recorded step"));
    let text = r.graph().to_string();
    assert!(text.contains("adam"), "{text}");
    assert!(message(|| drop(train.after().unwrap().to_vec())).contains("depends on"));
}

/// The gradient is older than the session, the variable is younger.
#[test]
fn a_variable_of_later_is_trained() {
    let r = Recording::new();
    let g: Tensor![2] = r.input("g", Default::default());
    let mut session = Session::new(&r, &Device::cpu());
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let train = r.minimize(&w, &g, Sgd::new(1.0));
    session
        .run(&train, &Feeds::new().with(&g, &Tensor::ones()))
        .unwrap();
    assert_eq!(session.variable(&w).to_vec(), [0.0, 1.0]);
}
