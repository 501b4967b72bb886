//! burn: `burn W1 SECONDS`; `RAYON_NUM_THREADS` sets the number of threads. Its backend is Flex; the compiling one,
//! CubeCL's, downloads an LLVM when it is built. Where burn's defaults differ from the other peers' (epsilon,
//! dampening), theirs are set.

#[path = "../../src/report.rs"]
mod report;

use burn::module::{Module, Param};
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::loss::{CrossEntropyLoss, CrossEntropyLossConfig};
use burn::nn::pool::MaxPool2dConfig;
use burn::nn::{
    LayerNorm, LayerNormConfig, Linear, LinearConfig, Lstm, LstmConfig, PaddingConfig2d,
};
use burn::optim::momentum::MomentumConfig;
use burn::optim::{AdamConfig, AdamWConfig, GradientsParams, ModuleOptimizer, SgdConfig};
use burn::tensor::activation::{gelu, gelu_approximate, relu, sigmoid};
use burn::tensor::module::attention;
use burn::tensor::ops::AttentionModuleOptions;
use burn::tensor::{Device, Distribution, Int, Tensor, TensorData};
use report::report;
use std::time::Instant;

fn normal<const D: usize>(shape: [usize; D], scale: f64, device: &Device) -> Tensor<D> {
    Tensor::random(shape, Distribution::Normal(0.0, scale), device)
}

fn weight<const D: usize>(shape: [usize; D], scale: f64, device: &Device) -> Param<Tensor<D>> {
    Param::from_tensor(normal(shape, scale, device))
}

fn ints(numbers: impl Iterator<Item = i32>, device: &Device) -> Tensor<1, Int> {
    let numbers: Vec<i32> = numbers.collect();
    let n = numbers.len();
    Tensor::from_data(TensorData::new(numbers, [n]), device)
}

fn linear(from: usize, to: usize, device: &Device) -> Linear {
    LinearConfig::new(from, to).init(device)
}

fn norm(device: &Device) -> LayerNorm {
    LayerNormConfig::new(128).init(device)
}

/// Runs `loss` and an optimiser's step, again and again.
fn train<M: Module>(
    start: Instant,
    seconds: f64,
    model: M,
    mut optimizer: ModuleOptimizer,
    lr: f64,
    loss: impl Fn(&M) -> Tensor<1>,
) {
    let mut model = Some(model);
    report(start, seconds, || {
        let old = model.take().expect("a model");
        let loss = loss(&old);
        let grads = GradientsParams::from_grads(loss.backward(), &old);
        model = Some(optimizer.step(lr, old, grads));
        f64::from(loss.into_scalar::<f32>())
    });
}

#[derive(Module, Debug)]
struct TwoLayers {
    w1: Param<Tensor<2>>,
    w2: Param<Tensor<2>>,
}

fn two_layers(start: Instant, seconds: f64, d: &Device) {
    let (x, y) = (normal([64, 1000], 1.0, d), normal([64, 10], 1.0, d));
    let model = TwoLayers {
        w1: weight([1000, 100], 0.03, d),
        w2: weight([100, 10], 0.1, d),
    };
    train(start, seconds, model, SgdConfig::new().init(), 1e-6, |m| {
        let hidden = relu(x.clone().matmul(m.w1.val()));
        (hidden.matmul(m.w2.val()) - y.clone()).square().sum()
    });
}

#[derive(Module, Debug)]
struct Dense {
    l1: Linear,
    l2: Linear,
    l3: Linear,
}

impl Dense {
    fn new(sizes: [usize; 4], d: &Device) -> Self {
        let [a, b, c, e] = sizes;
        Dense {
            l1: linear(a, b, d),
            l2: linear(b, c, d),
            l3: linear(c, e, d),
        }
    }

    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let h = relu(self.l1.forward(x));
        self.l3.forward(relu(self.l2.forward(h)))
    }
}

fn cross_entropy(d: &Device) -> CrossEntropyLoss {
    CrossEntropyLossConfig::new().init(d)
}

fn classifier(start: Instant, seconds: f64, d: &Device) {
    let (x, y) = (
        normal([128, 784], 1.0, d),
        ints((0..128).map(|i| i % 10), d),
    );
    let (model, loss) = (Dense::new([784, 256, 128, 10], d), cross_entropy(d));
    let optimizer = AdamConfig::new().with_epsilon(1e-8).init();
    train(start, seconds, model, optimizer, 1e-3, |m| {
        loss.forward(m.forward(x.clone()), y.clone())
    });
}

#[derive(Module, Debug)]
struct Cnn {
    c1: Conv2d,
    c2: Conv2d,
    dense: Dense,
}

fn cnn(start: Instant, seconds: f64, d: &Device) {
    let x: Tensor<4> = normal([64, 1, 28, 28], 1.0, d);
    let y = ints((0..64).map(|i| i % 10), d);
    let model = Cnn {
        c1: Conv2dConfig::new([1, 6], [5, 5])
            .with_padding(PaddingConfig2d::Explicit(2, 2, 2, 2))
            .init(d),
        c2: Conv2dConfig::new([6, 16], [5, 5]).init(d),
        dense: Dense::new([400, 120, 84, 10], d),
    };
    let pool = MaxPool2dConfig::new([2, 2]).with_strides([2, 2]).init();
    let loss = cross_entropy(d);
    let momentum = MomentumConfig::new().with_momentum(0.9).with_dampening(0.0);
    let optimizer = SgdConfig::new().with_momentum(Some(momentum)).init();
    train(start, seconds, model, optimizer, 1e-2, |m| {
        let h = pool.forward(relu(m.c1.forward(x.clone())));
        let h = pool.forward(relu(m.c2.forward(h)));
        loss.forward(m.dense.forward(h.reshape([64, 400])), y.clone())
    });
}

#[derive(Module, Debug)]
struct Block {
    norm1: LayerNorm,
    norm2: LayerNorm,
    qkv: Linear,
    out: Linear,
    up: Linear,
    down: Linear,
}

impl Block {
    fn new(d: &Device) -> Self {
        Block {
            norm1: norm(d),
            norm2: norm(d),
            qkv: linear(128, 384, d),
            out: linear(128, 128, d),
            up: linear(128, 512, d),
            down: linear(512, 128, d),
        }
    }

    fn forward(&self, x: Tensor<3>) -> Tensor<3> {
        let qkv = self.qkv.forward(self.norm1.forward(x.clone()));
        let qkv = qkv.reshape([16, 64, 3, 4, 32]).permute([2, 0, 3, 1, 4]);
        let part = |i: usize| qkv.clone().narrow(0, i, 1).squeeze_dim::<4>(0);
        let causal = AttentionModuleOptions {
            is_causal: true,
            ..Default::default()
        };
        let a = attention(part(0), part(1), part(2), None, None, causal);
        let x = x + self.out.forward(a.swap_dims(1, 2).reshape([16, 64, 128]));
        let h = gelu(self.up.forward(self.norm2.forward(x.clone())));
        x + self.down.forward(h)
    }
}

#[derive(Module, Debug)]
struct Gpt {
    tokens: Param<Tensor<2>>,
    positions: Param<Tensor<2>>,
    blocks: Vec<Block>,
    norm: LayerNorm,
    head: Linear,
}

fn gpt(start: Instant, seconds: f64, d: &Device) {
    let model = Gpt {
        tokens: weight([96, 128], 0.02, d),
        positions: weight([64, 128], 0.02, d),
        blocks: (0..4).map(|_| Block::new(d)).collect(),
        norm: norm(d),
        head: linear(128, 96, d),
    };
    let ids = ints((0..1024).map(|i| i * 31 % 96), d);
    let targets = ints((1..1025).map(|i| i * 31 % 96), d);
    let loss = cross_entropy(d);
    let optimizer = AdamWConfig::new()
        .with_epsilon(1e-8)
        .with_weight_decay(0.01)
        .init();
    train(start, seconds, model, optimizer, 3e-4, |m| {
        let x = m.tokens.val().select(0, ids.clone()).reshape([16, 64, 128]);
        let mut x = x + m.positions.val().unsqueeze::<3>();
        for block in &m.blocks {
            x = block.forward(x);
        }
        let logits = m.head.forward(m.norm.forward(x)).reshape([1024, 96]);
        loss.forward(logits, targets.clone())
    });
}

#[derive(Module, Debug)]
struct Recurrent {
    lstm: Lstm,
}

fn lstm(start: Instant, seconds: f64, d: &Device) {
    let x: Tensor<3> = normal([50, 32, 64], 1.0, d);
    let y: Tensor<2> = normal([32, 128], 1.0, d);
    let config = LstmConfig::new(64, 128, true).with_batch_first(false);
    let model = Recurrent {
        lstm: config.init(d),
    };
    let optimizer = AdamConfig::new().with_epsilon(1e-8).init();
    train(start, seconds, model, optimizer, 1e-3, |m| {
        let (_, last) = m.lstm.forward(x.clone(), None);
        (last.hidden - y.clone()).square().mean()
    });
}

fn chain(start: Instant, seconds: f64, shape: [usize; 2], tanh: bool, d: &Device) {
    let [x, w, b] = [1, 2, 3].map(|_| normal(shape, 1.0, d).require_grad());
    report(start, seconds, || {
        let z = x.clone() * w.clone() + b.clone();
        let g = if tanh { gelu_approximate(z) } else { gelu(z) };
        let loss = (g * sigmoid(x.clone())).sum();
        let grads = loss.backward();
        let grads = [&x, &w, &b].map(|t| t.grad(&grads));
        std::hint::black_box(&grads);
        f64::from(loss.into_scalar::<f32>())
    });
}

fn main() {
    let start = Instant::now();
    let mut args = std::env::args().skip(1);
    let workload = args.next().unwrap_or_default();
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let device = &Device::flex().autodiff();
    device.seed(1);
    match workload.as_str() {
        "W1" => two_layers(start, seconds, device),
        "W2" => classifier(start, seconds, device),
        "W3" => cnn(start, seconds, device),
        "W4" => gpt(start, seconds, device),
        "W5" => lstm(start, seconds, device),
        "W6" => chain(start, seconds, [1000, 1000], false, device),
        "W6t" => chain(start, seconds, [1000, 1000], true, device),
        "W7" => chain(start, seconds, [64, 256], false, device),
        "W7t" => chain(start, seconds, [64, 256], true, device),
        other => {
            eprintln!("`{other}` is not a workload: W1 to W7, W6t, W7t");
            std::process::exit(2);
        }
    }
}
