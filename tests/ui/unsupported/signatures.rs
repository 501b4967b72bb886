//! What a function may not take or return.
use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn of_an_object(p: &dyn Length) -> f64 {
    p.length()
}

#[differentiable]
fn of_an_implementor(p: &impl Length) -> f64 {
    p.length()
}

#[differentiable]
trait Length {
    fn length(&self) -> f64;
}

#[differentiable]
impl Point {
    fn written_self(self: Box<Self>) -> f64 {
        self.x
    }
}

#[differentiable]
fn returns_an_iterator(x: &[f64]) -> impl Iterator<Item = f64> {
    x.iter().map(|v| v * v).collect::<Vec<f64>>().into_iter()
}

#[differentiable]
fn returns_a_reference(x: &[f64]) -> &f64 {
    &x[0]
}

#[differentiable]
fn parameter_with_a_reference(f: impl Fn(f64) -> &'static f64, x: f64) -> f64 {
    f(x) * x
}

#[differentiable]
extern "C" fn foreign(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn a_mask(x: f64, mask: Option<&f64>) -> f64 {
    match mask {
        Some(m) => x * m,
        None => x,
    }
}

#[derive(Differentiable)]
union Number {
    single: f32,
    double: f64,
}

fn main() {}
