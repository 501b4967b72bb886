//! W5: an LSTM of 64 inputs and 128 units over 50 steps, batch 32, squared loss of the last state, Adam.

use crate::report::report;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::time::Instant;

#[derive(Clone, Differentiable, Module)]
struct Lstm {
    input: Tensor![64, 512],
    hidden: Tensor![128, 512],
    bias: Tensor![512],
}

#[differentiable]
impl Lstm {
    fn loss(
        &self,
        #[constant] x: &Tensor![50, 32, 64],
        #[constant] y: &Tensor![32, 128],
    ) -> Tensor![] {
        let gates = x.affine(&self.input, &self.bias);
        let mut h: Tensor![32, 128] = Tensor::zeros();
        let mut c: Tensor![32, 128] = Tensor::zeros();
        for t in 0..50 {
            let z = gates.narrow::<0, _>(t, Sz::<1>).squeeze::<0>() + h.matmul(&self.hidden);
            let (i, f, g, o) = z.split::<-1, (Sz<128>, Sz<128>, Sz<128>, Sz<128>)>();
            c = f.sigmoid() * c + i.sigmoid() * g.tanh();
            h = o.sigmoid() * c.tanh();
        }
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
