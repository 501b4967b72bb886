use differentiable::prelude::*;

dim!(Batch);

#[derive(Clone, Differentiable, Module)]
struct Net { a: Linear<64, 128>, b: Linear<100, 10> }
#[differentiable]
impl Net {
    fn loss(&self, #[constant] x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Tensor![] {
        let h = self.a.forward(x).relu();
        self.b.forward(&h).cross_entropy(y)
    }
}

fn main() {}
