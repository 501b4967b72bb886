use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Conv2d<3, 4, 9, 1, 0>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 3, 8, 8]) -> Tensor![] {
        self.a.forward(x).sum()
    }
}

fn main() {}
