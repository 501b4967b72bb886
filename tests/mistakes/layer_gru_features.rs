use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: Gru<9, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Time, Batch, 8], state: &mut RnnState<4>) -> Tensor![] {
        self.a.forward(x, state).sum()
    }
}

fn main() {}
