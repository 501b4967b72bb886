use differentiable::prelude::*;

fn main() {
    let a: Tensor![2, 3] = Tensor::zeros();
    let b: Tensor![4, 5] = Tensor::zeros();
    let _y = einsum!("ij,jk->ik", &a, &b);
}
