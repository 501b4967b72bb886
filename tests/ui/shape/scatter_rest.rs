use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 3] = Tensor::zeros();
    let index: Tensor![i64; 4, 3] = Tensor::zeros();
    let src: Tensor![4, 3] = Tensor::zeros();
    let _y = x.scatter_add::<1, _, _>(&index, &src);
}
