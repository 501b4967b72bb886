//! Methods of a marked struct that has no floats.
use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Grid {
    n: usize,
}

// The type is the same over every scalar, and its methods give one float.
#[differentiable(higher_order)]
impl Grid {
    fn step(&self) -> f64 {
        1.0 / self.n as f64
    }
}

fn main() {}
