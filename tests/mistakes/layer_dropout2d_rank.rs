use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    #[init(Dropout2d::new(0.1))]
    a: Dropout2d,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8], ctx: &mut Ctx) -> Tensor![] {
        self.a.forward(x, ctx).sum()
    }
}

fn main() {}
