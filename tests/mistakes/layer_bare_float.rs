use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Linear<8, 4>,
    scale: f32,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![] {
        (self.a.forward(x) * self.scale).sum()
    }
}

fn main() {}
