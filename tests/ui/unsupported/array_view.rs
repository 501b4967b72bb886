use differentiable::prelude::*;
use ndarray::{Array1, ArrayView1};

#[differentiable]
fn of_a_view(x: ArrayView1<f64>, y: &Array1<f64>) -> f64 {
    x.dot(y)
}

fn main() {}
