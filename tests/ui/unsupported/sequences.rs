//! Sequences and options that the macro does not know.
use differentiable::prelude::*;
use std::collections::VecDeque;

#[derive(Clone, Differentiable)]
struct Body {
    position: [f64; 3],
}

#[differentiable]
fn array_in_a_field(b: &Body) -> f64 {
    let squares = b.position.map(|v| v * v);
    squares[0] + squares[1]
}

#[differentiable]
fn option_of_a_branch(x: f64, some: bool) -> f64 {
    let o = if some { Some(x) } else { None };
    o.map(|v| v * v).unwrap_or(0.0)
}

#[differentiable]
fn queue(x: f64) -> f64 {
    let mut q = VecDeque::from([x, x * x]);
    q.pop_front().unwrap() * x
}

fn main() {}
