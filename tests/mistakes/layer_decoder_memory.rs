use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    #[init(Decoder::new(seeds, 2, 0.1))]
    a: Decoder<8, 2, 4, 16>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, Time, 8], m: &Tensor![Batch, Time, 6], ctx: &mut Ctx) -> Tensor![] {
        self.a.forward(x, m, &no_grad!(Keys::All), ctx).sum()
    }
}

fn main() {}
