use differentiable::prelude::*;
use std::ops::{Mul, MulAssign, Rem, RemAssign};

#[derive(Clone, Copy, Differentiable)]
struct V2 {
    x: f64,
    y: f64,
}

#[differentiable]
impl From<f64> for V2 {
    fn from(x: f64) -> V2 {
        V2 { x, y: x }
    }
}

#[differentiable]
impl Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2 {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

#[differentiable]
impl MulAssign<f64> for V2 {
    fn mul_assign(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
    }
}

#[differentiable]
impl Rem<f64> for V2 {
    type Output = V2;
    fn rem(self, k: f64) -> V2 {
        V2 {
            x: self.x % k,
            y: self.y % k,
        }
    }
}

#[differentiable]
impl RemAssign<f64> for V2 {
    fn rem_assign(&mut self, k: f64) {
        self.x %= k;
    }
}

fn main() {}
