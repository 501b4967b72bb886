use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Lstm<9, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Time, Batch, 8]) -> Tensor![] {
        self.a.forward(x, &mut no_grad!(LstmState::zeros())).sum()
    }
}

fn main() {}
