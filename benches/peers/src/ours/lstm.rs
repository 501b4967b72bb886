//! W5: an LSTM of 64 inputs and 128 units over 50 steps, batch 32, squared loss of the last state, Adam.

use crate::steps::{Run, train};
use differentiable::optim::Adam;
use differentiable::prelude::*;

#[derive(Clone, Differentiable, Module)]
pub struct Lstm {
    input: Tensor![4, 128, 64],
    hidden: Tensor![4, 128, 128],
    bias: Tensor![4, 128],
}

#[differentiable]
impl Lstm {
    pub fn loss(
        &self,
        #[constant] x: &Tensor![50, 32, 64],
        #[constant] y: &Tensor![32, 128],
    ) -> Tensor![] {
        let zero: Tensor![32, 128] = Tensor::zeros();
        let (_, h, _) = x.lstm(&self.input, &self.hidden, &self.bias, &zero, &zero);
        (h - y).square().mean()
    }
}

impl Lstm {
    pub fn start() -> (Self, Adam) {
        let model = Lstm {
            input: Tensor::randn(3) * 0.08,
            hidden: Tensor::randn(4) * 0.08,
            bias: Tensor::zeros(),
        };
        (model, Adam::new(1e-3))
    }

    pub fn data() -> (Tensor![50, 32, 64], Tensor![32, 128]) {
        (Tensor::randn(1), Tensor::randn(2))
    }
}

pub fn run(run: Run) {
    train(run, Lstm::start(), Lstm::data(), |net, x, y| {
        net.loss_value_and_grad(x, y)
    });
}
