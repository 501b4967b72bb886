use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;

#[module]
struct Net {
    a: Linear<8, 4>,
}

#[differentiable]
impl Net {
    fn loss(&self, x: &Tensor![8]) -> Tensor![] {
        self.a.forward(x).square().mean()
    }
}

fn main() {
    let mut net = Net::new(&mut Seeds::new(0));
    let gradient = net.a.weight.square();
    Adam::new(1e-3).step(&mut net, &gradient);
}
