use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 10] = Tensor::zeros();
    let _best = x.topk::<1, 11>();
}
