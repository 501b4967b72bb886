use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: GraphConv<9, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![5, 8], g: &Sparse<Sz<5>, Sz<5>>) -> Tensor![] {
        self.a.forward(x, g).sum()
    }
}

fn main() {}
