use differentiable::prelude::*;

struct Body { mass: f64, speed: f64 }
#[differentiable]
fn mass(all: &[Body]) -> f64 {
    all.iter().map(|b| b.mass).sum()
}

fn main() {}
