//! The two-layer network that every framework's tutorial has: 64 rows of random data, 1000 inputs,
//! 100 hidden units, 10 outputs, `relu`, the sum of squared errors, plain gradient descent.

use differentiable::prelude::*;

const N: usize = 64;
const LEARNING_RATE: f64 = 1e-6;

#[derive(Differentiable)]
struct TwoLayerNet {
    w1: Tensor![1000, 100],
    w2: Tensor![100, 10],
}

#[differentiable]
impl TwoLayerNet {
    fn loss(
        &self,
        #[constant] x: &Tensor![{ N }, 1000],
        #[constant] y: &Tensor![{ N }, 10],
    ) -> Tensor![] {
        let x = x.clone();
        let hidden = x.matmul(&self.w1).relu();
        let error = hidden.matmul(&self.w2) - y;
        (&error * &error).sum()
    }
}

fn main() {
    let x = Tensor::randn(1);
    let y = Tensor::randn(2);
    let mut net = TwoLayerNet {
        w1: Tensor::randn(3),
        w2: Tensor::randn(4),
    };
    for step in 0..500 {
        let (loss, grad) = net.loss_value_and_grad(&x, &y);
        if step % 100 == 99 {
            println!("step {:3}: loss {:.6}", step + 1, loss.item());
        }
        net.add_scaled(-LEARNING_RATE, &grad);
    }
}
