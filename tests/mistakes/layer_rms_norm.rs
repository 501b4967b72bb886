use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: RmsNorm<9>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![] {
        self.a.forward(x).sum()
    }
}

fn main() {}
