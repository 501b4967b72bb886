use differentiable::prelude::*;

#[differentiable]
fn written(x: &Tensor![f64; 2, 3]) -> f64 {
    let mut y = x.clone();
    y[[0, 1]] = 2.0;
    y.sum().item()
}

fn main() {}
