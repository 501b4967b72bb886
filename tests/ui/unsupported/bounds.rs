use differentiable::prelude::*;

#[differentiable]
trait Kernel {
    fn value(&self, r: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Twice<A>(A);

// `A: Kernel + ad::Differentiable` is what the types need.
#[differentiable]
impl<A: Kernel> Kernel for Twice<A> {
    fn value(&self, r: f64) -> f64 {
        r * 2.0
    }
}

fn main() {}
