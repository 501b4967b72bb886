use differentiable::prelude::*;

dim!(Batch, Time);

#[derive(Clone, Differentiable, Module)]
struct Lm { table: Tensor![96, 32], positions: Tensor![64, 32] }
#[differentiable]
impl Lm {
    fn forward(&self, ids: &Tensor![i64; Time, Batch]) -> Tensor![Time, Batch, 32] {
        let at = no_grad!(Tensor::<shape![Time], i64>::iota_with((ids.shape().0,)));
        self.table.embedding(ids) + self.positions.embedding(&at)
    }
}

fn main() {}
