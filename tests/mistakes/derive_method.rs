use differentiable::prelude::*;

struct Point { x: f64, y: f64 }
#[derive(Differentiable)]
struct Arm { length: f64 }
#[differentiable]
impl Arm {
    fn reach(&self, angle: f64) -> f64 {
        let p = Point { x: self.length * angle.cos(), y: self.length * angle.sin() };
        p.x * p.y
    }
}

fn main() {}
