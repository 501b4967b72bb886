use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 3, 4] = Tensor::zeros();
    let _y = x.permute::<0, 2, 2>();
}
