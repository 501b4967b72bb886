use differentiable::prelude::*;

#[differentiable(wrt(z))]
fn no_such_parameter(x: f64) -> f64 {
    x
}

#[differentiable(wrt(n))]
fn discrete(x: f64, n: usize) -> f64 {
    x * n as f64
}

#[differentiable(fast)]
fn unknown(x: f64) -> f64 {
    x
}

#[differentiable(wrt)]
fn without_names(x: f64) -> f64 {
    x
}

#[differentiable(checkpoint(every))]
fn later(x: f64) -> f64 {
    x
}

#[differentiable]
async fn asynchronous(x: f64) -> f64 {
    x
}

#[differentiable]
const fn constant(x: f64) -> f64 {
    x
}

#[differentiable]
unsafe fn not_safe(x: f64) -> f64 {
    x
}

#[differentiable]
fn reference(x: &f64) -> &f64 {
    x
}

#[differentiable]
struct Data(f64);

#[differentiable]
trait Model {
    fn f(&self, x: f64) -> f64;
}

fn main() {}
