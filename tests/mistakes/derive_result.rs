use differentiable::prelude::*;

struct Body { mass: f64, speed: f64 }
#[differentiable]
fn body(m: f64) -> Body {
    Body { mass: m, speed: m.sin() }
}

fn main() {}
