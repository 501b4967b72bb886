//! Collections whose items are not places.
use differentiable::prelude::*;

#[differentiable]
fn options(x: &[Option<f64>]) -> f64 {
    x.iter().flatten().sum::<f64>()
}

fn main() {}
