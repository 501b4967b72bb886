use differentiable::prelude::*;
struct Body { mass: f64 }
#[differentiable]
fn f(b: &(Body, f64), o: &Option<Body>) -> f64 {
    b.0.mass * b.1
}
fn main() {}
