use differentiable::prelude::*;

#[derive(Differentiable)]
struct Body { mass: f64, speed: f64 }
#[differentiable(higher_order)]
fn f(b: &Body) -> f64 {
    b.mass * b.speed
}

fn main() {}
