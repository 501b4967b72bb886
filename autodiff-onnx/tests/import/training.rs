//! Fine-tuning: optimisers, checkpoints, parts of other modules.

use super::archive;
use super::networks::Batch;
use differentiable::nn::{Linear, Module, load_state, state};
use differentiable::onnx::Model;
use differentiable::optim::{AdamW, Optimizer, Sgd};
use differentiable::prelude::*;

type ResNet = Model<(Tensor![Batch, 3, 24, 24],), Tensor![Batch, 10]>;

#[differentiable]
fn loss(
    model: &ResNet,
    #[constant] x: &Tensor![Batch, 3, 24, 24],
    #[constant] classes: &Tensor![i64; Batch],
) -> Tensor![] {
    model.forward(x).cross_entropy(classes)
}

fn data() -> (Tensor![Batch, 3, 24, 24], Tensor![i64; Batch]) {
    let x = Tensor::randn_with((Batch(6), Sz, Sz, Sz), 5);
    let classes = Tensor::from_slice_with((Batch(6),), &[0, 3, 1, 7, 2, 9]).unwrap();
    (x, classes)
}

#[test]
fn a_few_steps_lower_the_loss() {
    let mut model: ResNet = Model::load(archive::path("resnet.onnx")).unwrap();
    let (x, classes) = data();
    let before = loss(&model, &x, &classes).item();
    let mut optimizer = AdamW::new(0.01);
    for _ in 0..30 {
        let gradient = loss::grad(&model, &x, &classes);
        optimizer.step(&mut model, &gradient);
    }
    let after = loss(&model, &x, &classes).item();
    assert!(after < 0.5 * before, "{before} to {after}");
}

/// A network around the model of the file, of which only the head is trained.
#[derive(Clone, Differentiable, Module)]
struct Tuned {
    body: ResNet,
    head: Linear<10, 3>,
}

#[differentiable]
impl Tuned {
    fn loss(
        &self,
        #[constant] x: &Tensor![Batch, 3, 24, 24],
        #[constant] y: &Tensor![Batch, 3],
    ) -> Tensor![] {
        self.head.forward(&self.body.forward(x).relu()).mse_loss(y)
    }
}

#[test]
fn a_model_is_part_of_a_module() {
    let body: ResNet = Model::load(archive::path("resnet.onnx")).unwrap();
    let mut net = Tuned {
        body,
        head: Linear::new(&mut Seeds::new(1)),
    };
    assert!(net.param_names().contains(&"body.fc.weight".to_owned()));
    let (x, _) = data();
    let y: Tensor![Batch, 3] = Tensor::randn_with((Batch(6), Sz), 8);
    let first = net.loss(&x, &y).item();
    let kept = state(&net.body);
    let mut optimizer = Sgd::new(0.1).freeze("body.**");
    for _ in 0..20 {
        let gradient = net.loss_grad(&x, &y);
        optimizer.step(&mut net, &gradient);
    }
    assert!(net.loss(&x, &y).item() < first);
    assert_eq!(state(&net.body), kept);
}

#[test]
fn states_are_saved_and_loaded() {
    let mut model: ResNet = Model::load(archive::path("resnet.onnx")).unwrap();
    let fresh = model.clone();
    let before = state(&model);
    assert!(before.contains_key("stem.1.running_var") && before.contains_key("fc.bias"));
    let (x, classes) = data();
    let gradient = loss::grad(&model, &x, &classes);
    Sgd::new(0.1).step(&mut model, &gradient);
    assert_ne!(state(&model), before);
    load_state(&mut model, &before).unwrap();
    assert_eq!(model.forward(&x).to_vec(), fresh.forward(&x).to_vec());
}
