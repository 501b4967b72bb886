use differentiable::prelude::*;

type X = Tensor![f64; 4, 2];

#[differentiable]
fn f(x: &X, scale: f64) -> f64 {
    x.attention(x, x, Attention::new().scale(scale)).sum().item()
}

fn main() {}
