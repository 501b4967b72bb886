use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Conv1d<4, 4, 3>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8, 16]) -> Tensor![] {
        self.a.forward(x).sum()
    }
}

fn main() {}
