use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch);

#[module]
struct Net {
    a: Linear<8, 4>,
    #[init(Dropout::new(0.5))]
    drop: Dropout,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![] {
        self.drop.forward(&self.a.forward(x)).sum()
    }
}

fn main() {}
