use differentiable::prelude::*;

fn main() {
    let a: Tensor![Mixed<bf16>; 3, 3] = Tensor::zeros();
    let _y = a.inv();
}
