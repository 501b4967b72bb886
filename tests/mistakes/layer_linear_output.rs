use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Linear<8, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![Batch, 5] {
        self.a.forward(x)
    }
}

fn main() {}
