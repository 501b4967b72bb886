use differentiable::prelude::*;

dim!(Batch);

fn main() {
    let _x: Tensor![Batch, 784] = Tensor::zeros();
}
