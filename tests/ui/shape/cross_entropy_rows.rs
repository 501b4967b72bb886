use differentiable::prelude::*;

dim!(Batch);

fn loss(logits: &Tensor![Batch, 10], target: &Tensor![i64; 32]) {
    logits.cross_entropy(target);
}

fn main() {
    let _ = loss;
}
