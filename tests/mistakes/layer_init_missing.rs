use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Linear<8, 4>,
    scale: Tensor![4],
    #[init(0.5)]
    #[config]
    rate: f64,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![] {
        (self.a.forward(x) * &self.scale).sum()
    }
}

fn main() {}
