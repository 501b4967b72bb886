use differentiable::prelude::*;

struct Body { mass: f64, speed: f64 }
#[differentiable]
fn energy(b: &Body) -> f64 {
    0.5 * b.mass * b.speed * b.speed
}

fn main() {}
