//! W1: a two-layer ReLU network, squared loss, gradient descent. W2: a classifier, Adam.

use crate::steps::{Run, train};
use differentiable::optim::{Adam, Sgd};
use differentiable::prelude::*;

#[derive(Clone, Differentiable, Module)]
pub struct TwoLayers {
    w1: Tensor![1000, 100],
    w2: Tensor![100, 10],
}

#[differentiable]
impl TwoLayers {
    pub fn loss(
        &self,
        #[constant] x: &Tensor![64, 1000],
        #[constant] y: &Tensor![64, 10],
    ) -> Tensor![] {
        let hidden = x.matmul(&self.w1).relu();
        (hidden.matmul(&self.w2) - y).square().sum()
    }
}

impl TwoLayers {
    pub fn start() -> (Self, Sgd) {
        let model = TwoLayers {
            w1: Tensor::randn(3) * 0.03,
            w2: Tensor::randn(4) * 0.1,
        };
        (model, Sgd::new(1e-6))
    }

    pub fn data() -> (Tensor![64, 1000], Tensor![64, 10]) {
        (Tensor::randn(1), Tensor::randn(2))
    }
}

pub fn two_layers(run: Run) {
    train(run, TwoLayers::start(), TwoLayers::data(), |net, x, y| {
        net.loss_value_and_grad(x, y)
    });
}

#[derive(Clone, Differentiable, Module)]
pub struct Classifier {
    l1: Linear<784, 256>,
    l2: Linear<256, 128>,
    l3: Linear<128, 10>,
}

#[differentiable]
impl Classifier {
    pub fn loss(&self, #[constant] x: &Tensor![128, 784], labels: &Tensor![i64; 128]) -> Tensor![] {
        let h = self.l1.forward(x).relu();
        let h = self.l2.forward(&h).relu();
        self.l3.forward(&h).cross_entropy(labels)
    }
}

impl Classifier {
    pub fn start() -> (Self, Adam) {
        let mut seeds = Seeds::new(2);
        let model = Classifier {
            l1: Linear::new(&mut seeds),
            l2: Linear::new(&mut seeds),
            l3: Linear::new(&mut seeds),
        };
        (model, Adam::new(1e-3))
    }

    pub fn data() -> (Tensor![128, 784], Tensor![i64; 128]) {
        (Tensor::randn(1), Tensor::from_fn(|i| (i % 10) as i64))
    }
}

pub fn classifier(run: Run) {
    train(run, Classifier::start(), Classifier::data(), |net, x, y| {
        net.loss_value_and_grad(x, y)
    });
}
