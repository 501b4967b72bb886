use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch, Time);

#[module]
struct Net {
    a: MultiHead<8, 2, 4>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, Time, 8], cache: &mut KvCache<4, 2>) -> Tensor![] {
        self.a.causal(x, cache).sum()
    }
}

fn main() {}
