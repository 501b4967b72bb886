use differentiable::prelude::*;

fn main() {
    let re: Tensor![f64; 3, 8] = Tensor::zeros();
    let im: Tensor![f64; 3, 8] = Tensor::zeros();
    let _y = re.fft::<2>(&im);
}
