use differentiable::prelude::*;

trait Energy {
    fn energy(&self) -> f64;
}
#[derive(Differentiable)]
struct Body { mass: f64, speed: f64 }
impl Energy for Body {
    fn energy(&self) -> f64 {
        self.mass * self.speed
    }
}
#[differentiable]
fn f(b: &Body) -> f64 {
    b.energy() + 1.0
}

fn main() {}
