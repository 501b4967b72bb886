use differentiable::prelude::*;

trait Layer {
    fn run(&self, x: f64) -> f64;
}
#[derive(Differentiable)]
struct Net { layers: Vec<Box<dyn Layer>> }

fn main() {}
