use differentiable::prelude::*;

#[differentiable]
fn pair(x: f64) -> [f64; 2] {
    [x, x * x]
}

fn main() {
    let _ = pair::grad(1.0);
}
