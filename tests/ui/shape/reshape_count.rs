use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 784] = Tensor::zeros();
    let _y = x.reshape::<shape![64, 28, 27]>();
}
