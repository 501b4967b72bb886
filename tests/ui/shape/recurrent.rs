use differentiable::prelude::*;

fn main() {
    let x: Tensor![5, 2, 3] = Tensor::zeros();
    let (w, u): (Tensor![4, 8, 3], Tensor![4, 8, 8]) = (Tensor::zeros(), Tensor::zeros());
    let (bias, h): (Tensor![4, 8], Tensor![2, 8]) = (Tensor::zeros(), Tensor::zeros());
    let inputs: Tensor![4, 8, 6] = Tensor::zeros();
    let units: Tensor![4, 9, 9] = Tensor::zeros();
    let sequences: Tensor![3, 8] = Tensor::zeros();
    let _ = x.lstm(&inputs, &u, &bias, &h, &h);
    let _ = x.lstm(&w, &units, &bias, &h, &h);
    let _ = x.lstm(&w, &u, &bias, &h, &sequences);
    let _ = x.gru(&w, &u, &bias, &bias, &h);
    let _ = h.rnn(&w, &u, &bias, &h);
}
