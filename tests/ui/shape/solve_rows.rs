use differentiable::prelude::*;

fn main() {
    let a: Tensor![f64; 3, 3] = Tensor::zeros();
    let b: Tensor![f64; 4, 2] = Tensor::zeros();
    let _x = a.solve(&b);
}
