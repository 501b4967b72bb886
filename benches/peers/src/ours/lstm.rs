//! W5: an LSTM of 64 inputs and 128 units over 50 steps, batch 32, squared loss of the last state, Adam.

use crate::report::report;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::time::Instant;

#[derive(Clone, Differentiable, Module)]
struct Lstm {
    input: Tensor![4, 128, 64],
    hidden: Tensor![4, 128, 128],
    bias: Tensor![4, 128],
}

#[differentiable]
impl Lstm {
    fn loss(
        &self,
        #[constant] x: &Tensor![50, 32, 64],
        #[constant] y: &Tensor![32, 128],
    ) -> Tensor![] {
        let zero: Tensor![32, 128] = Tensor::zeros();
        let (_, h, _) = x.lstm(&self.input, &self.hidden, &self.bias, &zero, &zero);
        (h - y).square().mean()
    }
}

pub fn run(start: Instant, seconds: f64) {
    let (x, y) = (Tensor::randn(1), Tensor::randn(2));
    let mut model = Lstm {
        input: Tensor::randn(3) * 0.08,
        hidden: Tensor::randn(4) * 0.08,
        bias: Tensor::zeros(),
    };
    let mut optimizer = Adam::new(1e-3);
    report(start, seconds, || {
        let (loss, grad) = model.loss_value_and_grad(&x, &y);
        optimizer.step(&mut model, &grad);
        f64::from(loss.item())
    });
}
