use differentiable::prelude::*;

#[derive(Differentiable)]
struct Body { mass: f64, speed: f64 }
#[differentiable]
fn f(b: &Body) -> f64 {
    b.mas * b.speed
}

fn main() {}
