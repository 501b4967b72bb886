use differentiable::prelude::*;

#[differentiable]
fn through_an_integer(x: f64) -> f64 {
    (x * 10.0) as i64 as f64 * x
}

#[differentiable]
fn by_name(x: f64) -> f64 {
    let k = (x * 10.0) as i64;
    x + k as f64
}

#[differentiable]
fn into_a_constant(x: f64, #[constant] buffer: [f64; 2]) -> f64 {
    let mut n = 0usize;
    n += x;
    x
}

#[differentiable]
fn from_the_start(x: f64) -> f64 {
    (x as i64) as f64
}

#[differentiable]
fn through_a_name(x: f64) -> f64 {
    let n = (x * 1000.0) as i64;
    let y = n.max(3) as f64 / 1000.0;
    y * y
}

fn doubled(s: &mut f64) -> bool {
    *s *= 2.0;
    *s > 1.0
}

// What only a guard asks for is kept as written.
#[differentiable]
fn in_a_guard(x: f64, k: usize) -> f64 {
    let mut s = x;
    match k {
        0 if doubled(&mut s) => s,
        _ => s * s,
    }
}

#[derive(Clone, Differentiable)]
struct State {
    a: f64,
}

impl State {
    fn advance(&mut self) -> bool {
        self.a *= 2.0;
        self.a < 10.0
    }
}

// The macro does not see that the method changes the state: rustc does.
#[differentiable]
fn by_a_method(x: f64) -> f64 {
    let mut s = State { a: x };
    if s.advance() { s.a } else { 0.0 }
}

fn main() {}
