//! Networks run forward: at once, by a session, and as the ONNX file that another program runs.
//!
//! F1: the network of W3. F2: that of W4. F3: a vision transformer of four blocks for 16 images of 3 × 32 × 32 in 64 patches.

use crate::cnn::Cnn;
use crate::gpt::small::{Block, Gpt, Norm};
use crate::report::report;
use crate::steps::{How, Run};
use differentiable::graph::{Feeds, Recording, Session};
use differentiable::onnx;
use differentiable::onnx::proto::{Elements, TensorProto};
use differentiable::prelude::*;

#[derive(Clone, Differentiable, Module)]
struct Vit {
    patches: Tensor![128, 3, 4, 4],
    positions: Tensor![64, 128],
    blocks: [Block; 4],
    norm: Norm,
    head: Linear<128, 10>,
}

#[differentiable]
impl Vit {
    fn logits(&self, #[constant] x: &Tensor![16, 3, 32, 32]) -> Tensor![16, 10] {
        let patches = x.conv2d(&self.patches, Win::new().stride::<4>());
        let patches = patches.merge_last().transpose::<1, 2>();
        let mut x = patches + &self.positions;
        for i in 0..4 {
            x = self.blocks[i].forward(&x, Attention::new());
        }
        let x = x.layer_norm(&self.norm.scale, &self.norm.shift, 1e-5);
        self.head.forward(&x.mean_axis::<1>())
    }
}

impl Vit {
    fn start() -> Self {
        let mut seeds = Seeds::new(1);
        Vit {
            patches: Tensor::randn(2) * 0.1,
            positions: Tensor::randn(3) * 0.02,
            blocks: core::array::from_fn(|_| Block::start(&mut seeds)),
            norm: Norm::start(),
            head: Linear::new(&mut seeds),
        }
    }
}

pub fn cnn(run: Run) {
    forward(run, &Cnn::start().0, &Cnn::data().0, Cnn::logits);
}

pub fn gpt(run: Run) {
    forward(
        run,
        &Gpt::<f32>::start().0,
        &Gpt::<f32>::data().0,
        Gpt::logits,
    );
}

pub fn vit(run: Run) {
    forward(run, &Vit::start(), &Tensor::randn(1), Vit::logits);
}

fn forward<M: Module + Clone, S: Shape, T: Elem, R: Shape>(
    (start, seconds, how): Run,
    net: &M,
    x: &Tensor<S, T>,
    logits: fn(&M, &Tensor<S, T>) -> Tensor<R>,
) {
    let sum = |y: &Tensor<R>| y.to_vec().iter().map(|y| f64::from(*y).abs()).sum::<f64>();
    if how == How::Eager {
        report(start, seconds, || sum(&logits(net, x)));
        return;
    }
    let recording = Recording::new();
    let recorded = recording.module(net);
    let input = recording.input("x", x.shape());
    let y = recording.scope(|| logits(&recorded, &input));
    if how == How::Write {
        recording.output("y", &y);
        let folder = std::env::var("PEERS_MODELS").expect("PEERS_MODELS, the folder for models");
        onnx::save(&recording, format!("{folder}/model.onnx")).expect("a model that ONNX can say");
        let given = TensorProto::new("x", &x.dims(), &x.to_vec());
        let Elements::Bytes(bytes) = given.elements else {
            unreachable!("a tensor of numbers")
        };
        std::fs::write(format!("{folder}/x.bin"), bytes).expect("a folder to write to");
        println!("{}", sum(&logits(net, x)));
        return;
    }
    let mut session = Session::new(&recording, &Device::cpu());
    let feeds = Feeds::new().with(&input, x);
    report(start, seconds, || {
        sum(&session.run(&y, &feeds).expect("a run"))
    });
}
