//! Sequences that the macro does not know.
use differentiable::prelude::*;
use std::collections::VecDeque;

#[differentiable]
fn queue(x: f64) -> f64 {
    let mut q = VecDeque::from([x, x * x]);
    q.pop_front().unwrap() * x
}

fn main() {}
