use differentiable::prelude::*;

trait Potential {
    fn energy(&self, x: f64) -> f64;
}
#[differentiable]
fn f<P: Potential + Differentiable + Clone>(p: &P, x: f64) -> f64 {
    p.energy(x) + 1.0
}

fn main() {}
