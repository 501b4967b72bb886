use differentiable::prelude::*;

trait Layer {
    fn run(&self, x: f64) -> f64;
}
#[differentiable]
fn f(layer: &dyn Layer, x: f64) -> f64 {
    layer.run(x)
}

fn main() {}
