use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 10] = Tensor::zeros();
    let w: Tensor![65, 12] = Tensor::zeros();
    let _y = x.concat::<1, _>(&w);
}
