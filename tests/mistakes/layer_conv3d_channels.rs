use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Conv3d<1, 4, 3>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 2, 4, 4, 4]) -> Tensor![] {
        self.a.forward(x).sum()
    }
}

fn main() {}
