use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: MultiHead<8, 2, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, Time, 8], m: &Tensor![Batch, Time, 6]) -> Tensor![] {
        self.a.forward(x, m, &no_grad!(Keys::All)).sum()
    }
}

fn main() {}
