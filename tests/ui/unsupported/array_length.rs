//! Arrays of slices whose length no type says.
use differentiable::prelude::*;

#[differentiable]
fn converted(x: &[f64]) -> f64 {
    norm(&x[..3].try_into().unwrap())
}

#[differentiable]
fn norm(x: &[f64; 3]) -> f64 {
    x[0] * x[1] * x[2]
}

#[differentiable]
fn other_iterator(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.chunk_by(|a, b| a < b) {
        s += v[0];
    }
    s
}

fn main() {}
