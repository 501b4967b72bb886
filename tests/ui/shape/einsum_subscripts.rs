use differentiable::prelude::*;

#[differentiable]
fn product(a: &Tensor![2, 3], b: &Tensor![3, 2]) -> Tensor![2, 2] {
    einsum!("ij,jk->i2", a, b)
}

fn main() {
    let a: Tensor![2, 3] = Tensor::zeros();
    let _y = einsum!("ij,jk", &a, &a);
    let _y = einsum!("ij->ijk", &a);
    let _y = einsum!("ij,jk->ik", &a);
    let _y = einsum!(&a, "ij->ji");
}
