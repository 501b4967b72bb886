use differentiable::prelude::*;

dim!(Batch);

fn main() {
    let x: Tensor![Batch, 3] = Tensor::zeros_with((Batch(2), Sz));
    let _y = x.repeat::<0, 2>();
}
