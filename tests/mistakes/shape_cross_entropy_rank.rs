use differentiable::prelude::*;

dim!(Batch, Time);

#[derive(Clone, Differentiable, Module)]
struct Lm { table: Tensor![96, 32], head: Linear<32, 96> }
#[differentiable]
impl Lm {
    fn loss(&self, ids: &Tensor![i64; Batch, Time], next: &Tensor![i64; Batch]) -> Tensor![] {
        self.head.forward(&self.table.embedding(ids)).cross_entropy(next)
    }
}

fn main() {}
