use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Bilinear<8, 5, 2>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![] {
        self.a.forward(x, x).sum()
    }
}

fn main() {}
