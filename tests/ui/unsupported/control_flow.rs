use differentiable::prelude::*;

#[differentiable]
fn question(x: f64) -> Option<f64> {
    let y = Some(x)?;
    Some(y * x)
}

#[differentiable]
fn while_let(x: f64) -> f64 {
    let mut y = x;
    let mut steps = vec![1, 2];
    while let Some(k) = steps.pop() {
        y *= k as f64;
    }
    y
}

#[differentiable]
fn let_else(x: f64, #[constant] k: Option<usize>) -> f64 {
    let Some(n) = k else {
        return x;
    };
    x * n as f64
}

#[differentiable]
fn on_a_value(x: f64) -> f64 {
    match x {
        0.0 => x,
        y => y * y,
    }
}

#[differentiable]
fn jump_in_an_argument(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (if i > 3 { break } else { x[i] }) * 2.0;
    }
    s
}

fn main() {}
