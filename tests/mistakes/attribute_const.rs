use differentiable::prelude::*;

#[differentiable]
const K: f64 = 1.0;

fn main() {}
