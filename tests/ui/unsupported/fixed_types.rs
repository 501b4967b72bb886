//! What a type with `#[differentiable(higher_order)]` cannot have.

use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Mixed {
    a: f64,
    b: f32,
}

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Generic<T> {
    a: T,
    b: f64,
}

#[derive(Clone, Differentiable)]
struct Polar<T> {
    r: T,
    angle: T,
}

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct OfGenerics {
    at: Polar<f64>,
    boxes: Vec<Box<f64>>,
}

#[derive(Clone, Differentiable)]
#[differentiable(second_order)]
struct Misspelt {
    a: f64,
}

#[derive(Clone, Copy, Differentiable)]
#[differentiable(higher_order)]
struct Point(f64, f64);

#[differentiable(higher_order)]
impl std::ops::Mul<Point> for f64 {
    type Output = Point;
    fn mul(self, p: Point) -> Point {
        Point(self * p.0, self * p.1)
    }
}

#[differentiable(higher_order)]
impl Point {
    fn sum(self, single: f32) -> f64 {
        self.0 + self.1 + single as f64
    }
}

fn main() {}
