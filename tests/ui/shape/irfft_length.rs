use differentiable::prelude::*;

fn main() {
    let re: Tensor![f64; 3, 5] = Tensor::zeros();
    let im: Tensor![f64; 3, 5] = Tensor::zeros();
    let _y = re.irfft::<-1, _>(&im, Sz::<10>);
}
