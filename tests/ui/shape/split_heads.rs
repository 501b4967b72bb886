use differentiable::prelude::*;

dim!(Batch, Time);

fn heads(x: Tensor![Batch, Time, 512]) {
    x.split_last::<7>();
}

fn main() {
    let _ = heads;
}
