use differentiable::prelude::*;

fn main() {
    let line: Tensor![7] = Tensor::zeros();
    let image: Tensor![7, 5] = Tensor::zeros();
    let _ = line.interpolate_bilinear(Sz::<3>, Sz::<3>);
    let _: Tensor![14, 5] = image.upsample_nearest::<2>();
}
