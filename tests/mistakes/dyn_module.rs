use differentiable::prelude::*;

trait Layer {
    fn run(&self, x: f64) -> f64;
}
#[derive(Differentiable, Module)]
struct Net { layer: Box<dyn Layer> }

fn main() {}
