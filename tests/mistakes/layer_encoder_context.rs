use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    #[init(Encoder::new(seeds, 2, 0.1))]
    a: Encoder<8, 2, 4, 16>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, Time, 8]) -> Tensor![] {
        self.a.forward(x, &no_grad!(Keys::All)).sum()
    }
}

fn main() {}
