//! `map` of arrays that the types tell is a loop; of other receivers the types of Rust choose.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point<const D: usize> {
    c: [f64; D],
    weight: Option<f64>,
}

#[differentiable]
impl<const D: usize> Point<D> {
    fn scaled(self, k: f64) -> Self {
        Point {
            c: self.c.map(|v| v * k),
            weight: self.weight.map(|w| w * k),
        }
    }
    fn norm(&self) -> f64 {
        self.c.map(|c| c * c).iter().sum::<f64>().sqrt()
    }
}

#[differentiable]
fn fields(p: &Point<3>, k: f64) -> f64 {
    let q = p.scaled(k);
    q.norm() + q.weight.unwrap_or(0.25) * p.norm()
}

#[derive(Clone, Debug, Differentiable)]
struct Body {
    at: Vec<[f64; 2]>,
    #[constant]
    rest: [f64; 2],
    frames: [[f64; 2]; 2],
}

#[differentiable]
fn places(b: &Body, y: &[f64; 2], k: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..b.at.len() {
        let moved = b.at[i].map(|v| (v - k).powi(3));
        let kinked = moved.map(|v| if v > 0.0 { v.sqrt() } else { -v * k });
        total += kinked[0] * y[1] + moved[1];
    }
    let at_rest = b.rest.map(|r| r * k);
    let row = b.frames[1].map(|y| y * y + k);
    let list = y.map(|v| v.exp()).to_vec();
    total + at_rest[0] * at_rest[1] + row[0] * row[1] + list[0] / list[1]
}

/// Closures of several statements, that end early, or that make something else.
#[differentiable]
fn others(y: &[f64; 3], k: f64) -> f64 {
    let stated = y.map(|v| {
        let w = v * k;
        w * w
    });
    let early = y.map(|v| {
        if v < 0.0 {
            return 0.5 * v;
        }
        v * v
    });
    let signs = y.map(|v| v > 0.0);
    let pairs = y.map(|v| (v, v * k));
    let narrow = y.map(|v| (v * k) as f32);
    let ones = y.map(|_| k);
    let mut total = stated[0] + early[1] * early[2] + ones[2];
    if signs[1] {
        total += pairs[1].0 * pairs[2].1;
    }
    total + narrow[0] as f64 * 0.0
}

/// The array changes later, and is read again.
#[differentiable]
fn changes(start: &[f64; 3], k: f64, steps: usize) -> f64 {
    let mut x = *start;
    let mut total = 0.0;
    for _ in 0..steps {
        let y = x.map(|v| v * v * k);
        x[0] += y[1];
        x = x.map(|x| (x + y[0]).sin());
        total += x[2] * y[2];
    }
    total
}

#[test]
fn arrays_in_every_place() {
    let p = Point {
        c: [0.3, -0.7, 1.1],
        weight: Some(0.8),
    };
    check::<fields, _>(&(p, 0.6));
    check::<fields, _>(&(Point { weight: None, ..p }, 0.6));
    let b = Body {
        at: vec![[0.4, -0.3], [1.2, 0.1]],
        rest: [0.5, -1.0],
        frames: [[0.1, 0.2], [0.3, -0.4]],
    };
    check::<places, _>(&(b, [0.7, -0.2], 0.35));
    check::<others, _>(&([0.7, 0.2, -0.4], 0.35));
    for steps in [0, 1, 4] {
        check::<changes, _>(&([0.2, 0.5, -0.3], 0.9, steps));
    }
}
