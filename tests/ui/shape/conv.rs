use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 3, 8, 8] = Tensor::zeros();
    let four: Tensor![5, 4, 3, 3] = Tensor::zeros();
    let large: Tensor![5, 3, 9, 3] = Tensor::zeros();
    let _ = x.conv2d(&four, Win::new());
    let _ = x.conv2d(&large, Win::new());
    let _ = x.conv2d_grouped(&four, Win::new(), Groups::<2>);
    let _ = x.max_pool::<9, 1>();
    let _: Tensor![2, 3, 8, 8] = x.max_pool2d::<3, 3, _>(Win::new());
    let _ = x.conv_transpose2d(&four, Win::new());
}
