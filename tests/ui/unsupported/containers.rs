use differentiable::prelude::*;
use std::collections::BTreeSet;

#[differentiable]
fn options(x: &[Option<f64>]) -> f64 {
    x.iter().flatten().sum::<f64>()
}

#[differentiable]
fn sets(x: f64) -> f64 {
    let powers = BTreeSet::from([1, 2]);
    let mut sum = 0.0;
    for k in &powers {
        sum += x.powi(*k);
    }
    sum
}

fn main() {}
