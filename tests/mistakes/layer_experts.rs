use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: MixtureOfExperts<9, 16, 4, 2>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![] {
        self.a.forward(x).0.sum()
    }
}

fn main() {}
