use differentiable::prelude::*;

dim!(Batch);

fn main() {
    let a: Tensor<(Batch, Sz<3>, Sz<4>), f64> = Tensor::zeros_with((Batch(2), Sz, Sz));
    let _y = a.inv();
}
