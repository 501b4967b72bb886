use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: GraphAttention<8, 4, 2>,
    out: Linear<4, 2>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![5, 8], g: &Edges<Sz<5>>) -> Tensor![] {
        self.out.forward(&self.a.forward(x, g)).sum()
    }
}

fn main() {}
