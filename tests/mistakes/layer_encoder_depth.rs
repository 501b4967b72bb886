use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Encoder<8, 2, 4, 16>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, Time, 8], ctx: &mut Ctx) -> Tensor![] {
        self.a.forward(x, &no_grad!(Keys::All), ctx).sum()
    }
}

fn main() {}
