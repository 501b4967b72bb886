use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: BiLstm<8, 4>,
    out: Linear<4, 2>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Time, Batch, 8]) -> Tensor![] {
        self.out.forward(&self.a.forward(x)).sum()
    }
}

fn main() {}
