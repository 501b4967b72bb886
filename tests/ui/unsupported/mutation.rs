use differentiable::prelude::*;

#[differentiable]
fn filled(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.resize_with(9, || 1.0);
    v[0]
}

#[differentiable]
fn without_repetitions(x: f64) -> f64 {
    let mut v = vec![x, x];
    v.dedup();
    v[0]
}

#[differentiable]
fn in_a_condition(x: f64) -> f64 {
    let mut v = vec![x, x * x];
    if v.pop().is_some() {
        return v[0];
    }
    x
}

#[derive(Clone, Debug, Differentiable)]
struct Descent {
    x: f64,
}

#[differentiable]
impl Descent {
    fn step(&mut self) -> bool {
        self.x -= 0.1 * self.x;
        self.x > 0.5
    }
}

#[differentiable]
fn in_a_macro(x: f64) -> f64 {
    let mut descent = Descent { x };
    println!("{}", descent.step());
    assert!(matches!(descent.step(), true));
    descent.x
}

#[differentiable]
fn assigned_in_a_macro(x: f64) -> f64 {
    let mut y = x;
    println!("{}", {
        y *= 2.0;
        y
    });
    y
}

#[differentiable]
fn stored_in_a_constant(x: f64, #[constant] buffer: &mut Vec<f64>) -> f64 {
    buffer.push(x);
    buffer[0]
}

#[differentiable]
fn lent_to_be_stored(x: f64, #[constant] descent: &mut Descent) -> f64 {
    store(descent, x);
    descent.x
}

#[differentiable]
fn store(descent: &mut Descent, x: f64) {
    descent.x = x;
}

fn main() {}
