use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: BatchNorm<4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 3, 8, 8], ctx: &mut Ctx) -> Tensor![] {
        self.a.forward(x, ctx).sum()
    }
}

fn main() {}
