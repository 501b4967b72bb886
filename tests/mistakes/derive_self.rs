use differentiable::prelude::*;

struct Body { mass: f64, speed: f64 }
#[differentiable]
impl Body {
    fn energy(&self) -> f64 {
        0.5 * self.mass * self.speed * self.speed
    }
}

fn main() {}
