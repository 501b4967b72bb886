use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Dropout,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8], ctx: &mut Ctx) -> Tensor![] {
        self.a.forward(x, ctx).sum()
    }
}

fn main() {}
