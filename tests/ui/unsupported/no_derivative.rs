use differentiable::prelude::*;

fn plain(x: f64) -> f64 {
    x
}

struct Model(f64);
impl Model {
    fn apply(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[derive(Differentiable)]
struct Other(f64);
impl Other {
    fn apply(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[differentiable]
fn calls(x: f64) -> f64 {
    plain(x) * 2.0
}

#[differentiable]
fn method(m: &Other, x: f64) -> f64 {
    m.apply(x) * 2.0
}

fn main() {}
