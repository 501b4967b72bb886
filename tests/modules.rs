//! `#[derive(Module)]` for a network of a user's own: nested layers, a `Vec` and an array of them.
#![allow(missing_docs, clippy::type_complexity)] // shapes are types

use differentiable::ad::Tangent;
use differentiable::ad::check_grads;
use differentiable::io::Checkpoint;
use differentiable::nn::{load_state, state};
use differentiable::optim::Sgd;
use differentiable::prelude::*;

dim!(Batch);

#[derive(Clone, Debug, Differentiable, Module)]
struct Block<T: Float> {
    inner: Linear<4, 4, T>,
    scale: T,
}

#[differentiable]
impl Block<f64> {
    fn forward(&self, x: &Tensor![f64; Batch, 4]) -> Tensor![f64; Batch, 4] {
        x + self.scale * self.inner.forward(x).tanh()
    }
}

#[derive(Clone, Debug, Differentiable, Module)]
struct Net {
    embed: Linear<3, 4, f64>,
    blocks: Vec<Block<f64>>,
    heads: [Linear<4, 2, f64>; 2],
    shift: Option<Tensor![f64; 2]>,
    #[constant]
    temperature: f64,
    depth: usize,
}

#[differentiable]
impl Net {
    fn loss(
        &self,
        #[constant] x: &Tensor![f64; Batch, 3],
        classes: &Tensor![i64; Batch],
    ) -> Tensor![f64;] {
        let mut h = self.embed.forward(x);
        for i in 0..self.blocks.len() {
            h = self.blocks[i].forward(&h);
        }
        let mut loss = h.square().mean() * 0.01;
        for i in 0..2 {
            loss += self.heads[i].forward(&h).cross_entropy(classes);
        }
        loss
    }
}

fn net(blocks: usize) -> Net {
    let seeds = &mut Seeds::new(5);
    Net {
        embed: Linear::new(seeds),
        blocks: (0..blocks)
            .map(|i| Block {
                inner: Linear::new(seeds),
                scale: 0.5 + i as f64,
            })
            .collect(),
        heads: [Linear::new(seeds), Linear::new(seeds)],
        shift: Some(Tensor::randn(9)),
        temperature: 0.5,
        depth: blocks,
    }
}

const NAMES: [&str; 13] = [
    "embed.weight",
    "embed.bias",
    "blocks.0.inner.weight",
    "blocks.0.inner.bias",
    "blocks.0.scale",
    "blocks.1.inner.weight",
    "blocks.1.inner.bias",
    "blocks.1.scale",
    "heads.0.weight",
    "heads.0.bias",
    "heads.1.weight",
    "heads.1.bias",
    "shift",
];

#[test]
fn names_and_counts() {
    let net = net(2);
    assert_eq!(net.param_names(), NAMES);
    let expected = (3 * 4 + 4) + 2 * (4 * 4 + 4 + 1) + 2 * (4 * 2 + 2) + 2;
    assert_eq!(net.num_params(), expected);
    let without = Net {
        shift: None,
        ..self::net(0)
    };
    assert_eq!(without.param_names(), [&NAMES[..2], &NAMES[8..12]].concat());
}

/// A file of this test's own, removed when it goes out of scope.
struct TempFile(std::path::PathBuf);

impl TempFile {
    fn new(name: &str) -> Self {
        let name = format!("modules-{name}-{}.safetensors", std::process::id());
        TempFile(std::env::temp_dir().join(name))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// All parameters moved: what is restored cannot be what was there before.
fn disturbed(net: &Net) -> Net {
    let mut other = net.clone();
    let mut k = 0.0;
    let direction = net.zero_tangent().fill_with(&mut || {
        k += 1.0;
        k
    });
    other.add_scaled(1.0, &direction);
    other
}

#[test]
fn a_checkpoint_brings_every_parameter_back() {
    let (net, file) = (net(2), TempFile::new("round-trip"));
    Checkpoint::new().with_model(&net).save(&file.0).unwrap();
    let mut other = disturbed(&net);
    other.temperature = 2.0;
    for (name, tensor) in state(&net) {
        assert_ne!(state(&other)[&name], tensor, "{name}");
    }
    let checkpoint = Checkpoint::load(&file.0).unwrap();
    checkpoint.restore_model(&mut other).unwrap();
    assert_eq!(state(&other), state(&net));
    assert_eq!(
        other.blocks[1].scale.to_bits(),
        net.blocks[1].scale.to_bits()
    );
    assert_eq!(other.heads[1].weight, net.heads[1].weight);
    assert_eq!(other.temperature, 2.0, "constants are no parameters");
}

#[test]
fn a_checkpoint_of_another_depth_changes_nothing() {
    let file = TempFile::new("depth");
    Checkpoint::new().with_model(&net(2)).save(&file.0).unwrap();
    let checkpoint = Checkpoint::load(&file.0).unwrap();
    let mut deeper = net(3);
    let before = state(&deeper);
    let message = checkpoint
        .restore_model(&mut deeper)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("`blocks.2.inner.bias` is missing"),
        "{message}"
    );
    assert_eq!(state(&deeper), before);
    let message = checkpoint
        .restore_model(&mut net(1))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("`blocks.1.inner.bias`") && message.contains("is not expected"),
        "{message}"
    );
}

#[test]
fn a_state_is_a_copy() {
    let net = net(1);
    let saved = state(&net);
    let mut other = disturbed(&net);
    load_state(&mut other, &saved).unwrap();
    other.blocks[0].scale = 7.0;
    assert_eq!(state(&net), saved);
    assert_eq!(other.embed.bias, net.embed.bias);
}

fn data() -> (Tensor![f64; Batch, 3], Tensor![i64; Batch]) {
    let x = Tensor::randn_with((Batch(5), Sz), 11);
    let classes = Tensor::from_slice_with((Batch(5),), &[0, 1, 1, 0, 1]).unwrap();
    (x, classes)
}

/// The network as an argument of a free function, which `check_grads` can take.
#[differentiable]
fn loss(
    net: &Net,
    #[constant] x: &Tensor![f64; Batch, 3],
    classes: &Tensor![i64; Batch],
) -> Tensor![f64;] {
    net.loss(x, classes)
}

#[test]
fn gradients_reach_every_layer() {
    let (x, classes) = data();
    let net = net(2);
    let grad = net.loss_grad(&x, &classes);
    assert!(grad.blocks.iter().all(|b| b.scale != 0.0));
    assert!(grad.heads[1].weight.abs().max().item() > 1e-3);
    // No parameter of the loss: its gradient is zero, and there.
    assert_eq!(grad.shift.unwrap().to_vec(), [0.0; 2]);

    #[differentiable]
    fn of_the_net(net: &Net) -> Tensor![f64;] {
        let (x, classes) = data();
        net.loss(&x, &classes)
    }
    check_grads::<of_the_net, _>(&(net.clone(),)).unwrap();
    let (value, of_net) = loss::value_and_grad(&net, &x, &classes);
    assert_eq!(value.item(), net.loss(&x, &classes).item());
    assert_eq!(of_net.embed.weight, grad.embed.weight);
}

#[test]
fn an_optimizer_moves_every_parameter_downhill() {
    let (x, classes) = data();
    let mut net = net(2);
    let start = net.loss(&x, &classes).item();
    let mut sgd = Sgd::new(0.05);
    for _ in 0..50 {
        let grad = net.loss_grad(&x, &classes);
        sgd.step(&mut net, &grad);
    }
    let end = net.loss(&x, &classes).item();
    assert!(end < 0.5 * start, "{start} {end}");
}

// What is not trained, running statistics for example, is in the file as well.
#[test]
fn constant_tensors_are_buffers() {
    use differentiable::optim::{Adam, Optimizer as _};
    #[derive(Clone, Debug, Differentiable, Module)]
    struct Norm {
        scale: Tensor![f64; 3],
        #[constant]
        mean: Tensor![f64; 3],
        #[constant]
        history: Vec<Tensor![f32; 2]>,
        #[constant]
        eps: f64,
        #[constant]
        steps: usize,
        #[constant]
        label: &'static str,
    }
    #[derive(Clone, Debug, Differentiable, Module)]
    struct Net {
        norms: Vec<Norm>,
        #[constant]
        frozen: Linear<2, 1, f64>,
    }
    let norm = |at: f64| Norm {
        scale: Tensor::full(at),
        mean: Tensor::full(at + 0.5),
        history: vec![Tensor::full(at as f32)],
        eps: at,
        steps: 7,
        label: "n",
    };
    let net = |at: f64, seed| Net {
        norms: vec![norm(at), norm(at + 1.0)],
        frozen: Linear::new(&mut Seeds::new(seed)),
    };
    let (trained, mut fresh) = (net(1.0, 1), net(5.0, 2));
    assert_eq!(trained.param_names(), ["norms.0.scale", "norms.1.scale"]);
    let names: Vec<_> = state(&trained).into_keys().collect();
    let expected = [
        "frozen.bias",
        "frozen.weight",
        "norms.0.history.0",
        "norms.0.mean",
        "norms.0.scale",
        "norms.1.history.0",
        "norms.1.mean",
        "norms.1.scale",
    ];
    assert_eq!(names, expected);
    let file = TempFile::new("buffers");
    Checkpoint::new()
        .with_model(&trained)
        .save(&file.0)
        .unwrap();
    let checkpoint = Checkpoint::load(&file.0).unwrap();
    checkpoint.restore_model(&mut fresh).unwrap();
    assert_eq!(state(&fresh), state(&trained));
    assert_eq!(fresh.norms[1].mean.to_vec(), [2.5; 3]);
    assert_eq!(fresh.frozen.weight, trained.frozen.weight);
    // Options stay those of the program.
    assert_eq!(fresh.norms[0].eps, 5.0);
    // An optimiser does not see them.
    let zero = trained.zero_tangent();
    let before = state(&fresh);
    Adam::new(0.1).step(&mut fresh, &zero);
    assert_eq!(state(&fresh), before);
    // A buffer that does not fit is named.
    let mut other = net(1.0, 1);
    other.norms[1].history.clear();
    let error = checkpoint.restore_model(&mut other).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("tensor `norms.1.history.0` (f32 [2]) is not expected")
    );
}

/// A choice between layers that is made at run time.
#[derive(Clone, Debug, Differentiable, Module)]
enum Choice {
    Dense {
        linear: Linear<4, 4, f64>,
        activation: Activation,
    },
    Scale(Tensor![f64; 4]),
    Shift(Tensor![f64; 4], #[constant] f64),
    Skip,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Module)]
enum Activation {
    Relu,
    Tanh,
}

#[derive(Clone, Debug, Differentiable, Module)]
struct Chosen {
    layers: Vec<Choice>,
    head: Linear<4, 1, f64>,
}

#[differentiable]
impl Choice {
    fn forward(&self, x: &Tensor![f64; Batch, 4]) -> Tensor![f64; Batch, 4] {
        match self {
            Choice::Dense { linear, activation } => {
                let y = linear.forward(x);
                if *activation == Activation::Relu {
                    y.relu()
                } else {
                    y.tanh()
                }
            }
            Choice::Scale(s) => x * s,
            Choice::Shift(s, k) => (x + s) * *k,
            Choice::Skip => x.clone(),
        }
    }
}

#[differentiable]
impl Chosen {
    fn loss(&self, #[constant] x: &Tensor![f64; Batch, 4]) -> f64 {
        let mut h = x.clone();
        for layer in &self.layers {
            h = layer.forward(&h);
        }
        let y = self.head.forward(&h);
        (&y * &y).mean().item()
    }
}

fn chosen(first: Choice) -> Chosen {
    Chosen {
        layers: vec![
            first,
            Choice::Scale(Tensor::ones()),
            Choice::Skip,
            Choice::Shift(Tensor::ones(), 2.0),
        ],
        head: Linear::new(&mut Seeds::new(3)),
    }
}

fn dense() -> Choice {
    Choice::Dense {
        linear: Linear::new(&mut Seeds::new(1)),
        activation: Activation::Tanh,
    }
}

#[test]
fn an_enum_has_the_parameters_of_its_variant() {
    let net = chosen(dense());
    let names = [
        "layers.0.linear.weight",
        "layers.0.linear.bias",
        "layers.1.0",
        "layers.3.0",
        "head.weight",
        "head.bias",
    ];
    assert_eq!(net.param_names(), names);
    let x: Tensor![f64; Batch, 4] = Tensor::full_with((Batch(3), Sz), 0.7);
    let (loss, gradient) = net.loss_value_and_grad(&x);
    let mut moved = net.clone();
    let direction = gradient.clone();
    let h = 1e-6;
    moved.add_scaled(-h, &direction);
    let slope = (loss - moved.loss(&x)) / h;
    assert!((slope - direction.dot(&direction)).abs() < 1e-4 * slope.abs());
    assert!(matches!(gradient.layers[2], ChoiceTangent::Skip));
}

#[test]
fn checkpoints_know_the_variants() {
    let mut net = chosen(dense());
    let x: Tensor![f64; Batch, 4] = Tensor::full_with((Batch(3), Sz), 0.7);
    let mut sgd = Sgd::new(0.01).momentum(0.9);
    for _ in 0..3 {
        let (_, gradient) = net.loss_value_and_grad(&x);
        sgd.step(&mut net, &gradient);
    }
    let saved = Checkpoint::new().with_model(&net).with_optimizer(&sgd);
    let mut again = chosen(dense());
    saved.restore_model(&mut again).unwrap();
    assert_eq!(state(&again), state(&net));
    let mut of_again = Sgd::new(0.01).momentum(0.9);
    saved.restore_optimizer(&again, &mut of_again).unwrap();
    assert_eq!(of_again.state(), sgd.state());
    // Of the same sizes, but another choice.
    let mut other = chosen(Choice::Scale(Tensor::ones()));
    let before = state(&other);
    let error = load_state(&mut other, &state(&net)).unwrap_err();
    let text = "`layers.0` is of the variant `Dense`, expected `Scale`";
    assert_eq!(error.to_string(), text);
    assert_eq!(state(&other), before);
    let error = saved.restore_optimizer(&other, &mut Sgd::new(0.01).momentum(0.9));
    let error = error.unwrap_err().to_string();
    assert!(error.ends_with(text), "{error}");
}

#[test]
#[should_panic(expected = "an optimiser serves one model")]
fn a_variant_changes_under_an_optimiser() {
    let x: Tensor![f64; Batch, 4] = Tensor::full_with((Batch(3), Sz), 0.7);
    let mut sgd = Sgd::new(0.01);
    for first in [
        Choice::Scale(Tensor::ones()),
        Choice::Shift(Tensor::ones(), 1.0),
    ] {
        let mut net = chosen(first);
        let (_, gradient) = net.loss_value_and_grad(&x);
        sgd.step(&mut net, &gradient);
    }
}
