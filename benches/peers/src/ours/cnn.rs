//! W3: two convolutions with pooling and three dense layers on 1 × 28 × 28, SGD with momentum.

use crate::steps::{Run, train};
use differentiable::optim::Sgd;
use differentiable::prelude::*;

#[derive(Clone, Differentiable, Module)]
pub struct Cnn {
    c1: Tensor![6, 1, 5, 5],
    b1: Tensor![6, 1, 1],
    c2: Tensor![16, 6, 5, 5],
    b2: Tensor![16, 1, 1],
    l1: Linear<400, 120>,
    l2: Linear<120, 84>,
    l3: Linear<84, 10>,
}

#[differentiable]
impl Cnn {
    pub fn logits(&self, #[constant] x: &Tensor![64, 1, 28, 28]) -> Tensor![64, 10] {
        let h = x.conv2d(&self.c1, Win::new().pad::<2>())
            + self.b1.expand::<1, _>(Sz::<28>).expand::<2, _>(Sz::<28>);
        let h = h.relu().max_pool::<2, 2>();
        let h = h.conv2d(&self.c2, Win::new())
            + self.b2.expand::<1, _>(Sz::<10>).expand::<2, _>(Sz::<10>);
        let h = h.relu().max_pool::<2, 2>();
        let h = h.merge_last().merge_last();
        let h = self.l1.forward(&h).relu();
        let h = self.l2.forward(&h).relu();
        self.l3.forward(&h)
    }

    pub fn loss(
        &self,
        #[constant] x: &Tensor![64, 1, 28, 28],
        labels: &Tensor![i64; 64],
    ) -> Tensor![] {
        self.logits(x).cross_entropy(labels)
    }
}

impl Cnn {
    pub fn start() -> (Self, Sgd) {
        let mut seeds = Seeds::new(2);
        let model = Cnn {
            c1: Tensor::randn(3) * 0.2,
            b1: Tensor::zeros(),
            c2: Tensor::randn(4) * 0.08,
            b2: Tensor::zeros(),
            l1: Linear::new(&mut seeds),
            l2: Linear::new(&mut seeds),
            l3: Linear::new(&mut seeds),
        };
        (model, Sgd::new(1e-2).momentum(0.9))
    }

    pub fn data() -> (Tensor![64, 1, 28, 28], Tensor![i64; 64]) {
        (Tensor::randn(1), Tensor::from_fn(|i| (i % 10) as i64))
    }
}

pub fn run(run: Run) {
    train(run, Cnn::start(), Cnn::data(), |net, x, y| {
        net.loss_value_and_grad(x, y)
    });
}
