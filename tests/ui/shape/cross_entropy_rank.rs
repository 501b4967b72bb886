use differentiable::prelude::*;

dim!(Batch, Time);

fn sequences(logits: &Tensor![Batch, Time, 10], target: &Tensor![i64; Batch]) {
    logits.cross_entropy(target);
    logits.cross_entropy_with(target, Loss::ignore(0));
}

fn no_classes(logits: &Tensor![], target: &Tensor![i64; Batch]) {
    logits.cross_entropy(target);
}

fn main() {
    let _ = (sequences, no_classes);
}
