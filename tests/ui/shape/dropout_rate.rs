use differentiable::prelude::*;

#[differentiable]
fn noisy(x: &Tensor![f64; 3], p: f64) -> Tensor![f64; 3] {
    x.dropout(p, 1)
}

fn main() {
    noisy::vjp(&Tensor::ones(), 0.5);
}
