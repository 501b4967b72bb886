use differentiable::prelude::*;

struct Body { mass: f64, speed: f64 }
#[differentiable]
fn energy(m: f64) -> f64 {
    let b = Body { mass: m, speed: m.sin() };
    b.mass * b.speed
}

fn main() {}
