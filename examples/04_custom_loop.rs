//! Lesson 4: a training loop by hand: a network of layers, its loss, and the update written out.

use differentiable::prelude::*;

dim!(Batch);

#[derive(Differentiable, Module)]
struct Net {
    hidden: Linear<1, 32>,
    out: Linear<32, 1>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 1]) -> Tensor![Batch, 1] {
        self.out.forward(&self.hidden.forward(x).tanh())
    }

    fn loss(
        &self,
        #[constant] x: &Tensor![Batch, 1],
        #[constant] y: &Tensor![Batch, 1],
    ) -> Tensor![] {
        self.forward(x).mse_loss(y)
    }
}

fn main() {
    let mut seeds = Seeds::new(1);
    let mut net = Net {
        hidden: Linear::new(&mut seeds),
        out: Linear::new(&mut seeds),
    };

    // One period of a sine.
    let x = Tensor::from_fn_with((Batch(64), Sz), |i| i as f32 / 32.0 - 1.0);
    let y = (&x * std::f32::consts::PI).sin();

    for step in 0..=2000 {
        let (loss, grad) = net.loss_value_and_grad(&x, &y);
        if step % 500 == 0 {
            println!("step {step:4}: loss {:.5}", loss.item());
        }
        // Every differentiable value can take a step along a direction.
        net.add_scaled(-0.1, &grad);
    }
}
