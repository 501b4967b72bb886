use differentiable::prelude::*;

fn main() {
    let x: Tensor![50257] = Tensor::zeros();
    let w: Tensor![4999] = Tensor::zeros();
    let _y = x.concat::<0, _>(&w);
}
