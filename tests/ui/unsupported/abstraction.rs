use differentiable::prelude::*;

#[differentiable]
fn closure_as_a_value(x: f64) -> f64 {
    let f = |y: f64| y * x;
    apply(f)
}

fn apply(f: impl Fn(f64) -> f64) -> f64 {
    f(2.0)
}

#[differentiable]
fn takes_closure(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    f(x)
}

#[differentiable]
fn iterators(x: &[f64]) -> f64 {
    **x.iter().peekable().peek().unwrap()
}

#[differentiable]
fn hidden(x: f64) -> f64 {
    my_macro!(x)
}

#[differentiable]
fn dynamic(x: f64, f: &dyn Fn(f64) -> f64) -> f64 {
    x
}

#[macro_export]
macro_rules! my_macro {
    ($x:expr) => {
        $x * 2.0
    };
}

#[differentiable]
fn shared(x: f64) -> f64 {
    let r = std::rc::Rc::new(x * x);
    *r * x
}

#[differentiable]
fn question_in_a_closure(x: f64) -> Option<f64> {
    let f = |y: f64| Some(Some(y)? * x);
    f(x)
}

fn main() {}
