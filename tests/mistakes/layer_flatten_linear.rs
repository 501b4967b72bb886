use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    c: Conv2d<3, 4, 3>,
    a: Linear<100, 10>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 3, 8, 8]) -> Tensor![] {
        self.a.forward(&self.c.forward(x).flatten()).sum()
    }
}

fn main() {}
