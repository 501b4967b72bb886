use differentiable::prelude::*;

fn main() {
    let a: Tensor![2, 3] = Tensor::zeros();
    let _y = einsum!("i->i", &a);
}
