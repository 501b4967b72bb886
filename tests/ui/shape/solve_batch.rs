use differentiable::prelude::*;

fn main() {
    let a: Tensor![f64; 2, 3, 3] = Tensor::zeros();
    let b: Tensor![f64; 5, 3] = Tensor::zeros();
    let _x = a.solve_vec(&b);
}
