//! References that are chosen, moved on or kept.
use differentiable::prelude::*;

#[differentiable]
fn chosen(x: &[f64], y: &[f64]) -> f64 {
    let longer = if x.len() > y.len() { x } else { y };
    longer[0] * longer[1]
}

#[differentiable]
fn chosen_mutably(x: f64, first: bool) -> f64 {
    let (mut a, mut b) = (x, x * x);
    let r = if first { &mut a } else { &mut b };
    *r *= x;
    a * b
}

#[differentiable]
fn moved_on(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 0.0;
    while !rest.is_empty() {
        s += rest[0] * rest[0];
        rest = &rest[1..];
    }
    s
}

#[differentiable]
fn an_iterator_by_hand(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut s = 0.0;
    while let Some(v) = it.next() {
        s += v * v;
    }
    s
}

fn main() {}
