//! Methods by their paths, of imported types.
use differentiable::prelude::*;

mod shapes {
    use differentiable::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    pub struct Vec2 {
        pub x: f64,
        pub y: f64,
    }

    #[differentiable]
    impl Vec2 {
        pub fn norm(&self) -> f64 {
            (self.x * self.x + self.y * self.y).sqrt()
        }
    }
}

use shapes::Vec2;

// `v.norm()`
#[differentiable]
fn by_path(v: &Vec2) -> f64 {
    Vec2::norm(v)
}

fn main() {}
