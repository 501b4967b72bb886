use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    #[init(EmbeddingBag::new(seeds, Bag::Sum))]
    a: EmbeddingBag<10, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![i64; Batch]) -> Tensor![] {
        self.a.forward(x).sum()
    }
}

fn main() {}
