use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    out: Linear<8, 1>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 3, 8, 8]) -> Tensor![] {
        (x.max_pool::<9, 9>().sum() + self.out.bias.sum()).sum()
    }
}

fn main() {}
