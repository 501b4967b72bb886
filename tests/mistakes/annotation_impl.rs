use differentiable::prelude::*;
#[differentiable]
trait Energy { fn energy(&self) -> f64; }
#[derive(Differentiable)]
struct Body { mass: f64 }
impl Energy for Body { fn energy(&self) -> f64 { self.mass } }
#[differentiable]
fn f(b: &Body) -> f64 { b.energy() }
fn main() {}
