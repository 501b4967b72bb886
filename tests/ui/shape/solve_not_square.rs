use differentiable::prelude::*;

fn main() {
    let a: Tensor![f64; 3, 4] = Tensor::zeros();
    let b: Tensor![f64; 3, 2] = Tensor::zeros();
    let _x = a.solve(&b);
}
