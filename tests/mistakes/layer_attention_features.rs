use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: MultiHead<9, 2, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, Time, 8]) -> Tensor![] {
        self.a.forward(x, x, &no_grad!(Keys::All)).sum()
    }
}

fn main() {}
