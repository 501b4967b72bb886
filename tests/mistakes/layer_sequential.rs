use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    #[init(Sequential((Linear::new(seeds), Relu, Linear::new(seeds))))]
    a: Sequential<(Linear<8, 16>, Relu, Linear<15, 2>)>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8], ctx: &mut Ctx) -> Tensor![] {
        self.a.forward(x, ctx).sum()
    }
}

fn main() {}
