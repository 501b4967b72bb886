use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 784] = Tensor::zeros();
    let w: Tensor![512, 10] = Tensor::zeros();
    let _y = x.matmul(&w);
}
