//! Methods by their paths.
use differentiable::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Vec2 {
    x: f64,
    y: f64,
}

#[differentiable]
impl Vec2 {
    fn norm(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
}

// `v.norm()`
#[differentiable]
fn by_path(v: &Vec2) -> f64 {
    Vec2::norm(v)
}

fn main() {}
