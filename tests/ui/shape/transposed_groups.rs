use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 3, 8, 8] = Tensor::zeros();
    let w: Tensor![3, 4, 3, 3] = Tensor::zeros();
    let _ = x.conv_transpose2d_grouped(&w, Win::new(), Groups::<2>);
    let _ = x.conv_transpose2d(&w, Win::new().stride::<2>().pad::<9>().output_pad::<1>());
}
