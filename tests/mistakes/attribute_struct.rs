use differentiable::prelude::*;

#[differentiable]
struct Body { mass: f64, speed: f64 }

fn main() {}
