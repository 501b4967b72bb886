use differentiable::prelude::*;

struct Config {
    scale: f64,
}

#[differentiable]
fn scaled(c: &Config, x: f64) -> f64 {
    c.scale * x
}

fn main() {}
