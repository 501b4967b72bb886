//! Index operators of users' types that the derivative cannot see.
use differentiable::prelude::*;
use std::ops::{Index, Sub};

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
impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        V { x: self.x - o.x, y: self.y - o.y }
    }
}

#[differentiable]
fn length(a: V, b: V) -> f64 {
    let d = a - b;
    d[0].hypot(d[1])
}

fn main() {}
