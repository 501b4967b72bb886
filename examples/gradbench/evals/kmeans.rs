//! The cost of a clustering: the squared distance of each point to its nearest centroid.
//!
//! Each coordinate of a centroid is in terms of its own only, so that the Hessian is diagonal: its product with a
//! vector of ones is the diagonal.

use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::Value;

/// `points` and `centroids` are rows of `d` coordinates, one after the other.
#[differentiable(higher_order)]
pub fn cost(#[constant] points: &[f64], centroids: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        let mut nearest = f64::INFINITY;
        for centroid in centroids.chunks_exact(d) {
            let mut distance = 0.0;
            for j in 0..d {
                let difference = centroid[j] - point[j];
                distance += difference * difference;
            }
            nearest = nearest.min(distance);
        }
        total += nearest;
    }
    total
}

/// The gradient divided by the diagonal of the Hessian: a step of Newton's method, but for its sign.
pub fn dir(points: &[f64], centroids: &[f64], d: usize) -> Vec<f64> {
    let ones = vec![1.0; centroids.len()];
    let (gradient, diagonal) = cost::grad_and_hvp(points, (centroids, &ones), d);
    gradient.iter().zip(diagonal).map(|(g, h)| g / h).collect()
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let (n, d) = fields.dimensions("points")?;
    let points = fields.matrix("points", n, d)?;
    let (k, _) = fields.dimensions("centroids")?;
    let centroids = fields.matrix("centroids", k, d)?;
    match function {
        "cost" => Ok(repeats.run(|| cost(&points, &centroids, d), Value::from)),
        "dir" => Ok(repeats.run(
            || dir(&points, &centroids, d),
            |step| step.chunks_exact(d).map(Value::from).collect(),
        )),
        _ => Err(EvalError::UnknownFunction {
            module: "kmeans",
            found: function.into(),
        }),
    }
}
