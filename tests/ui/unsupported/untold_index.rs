//! Index operators of users' types that the derivative cannot see.
use differentiable::prelude::*;
use std::ops::Index;

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

impl Index<usize> for V {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        if i == 0 { &self.x } else { &self.y }
    }
}

#[differentiable]
fn made(x: f64) -> V {
    V { x, y: x * x }
}

#[differentiable]
fn length(x: f64) -> f64 {
    let d = made(x);
    d[0].hypot(d[1])
}

fn main() {}
