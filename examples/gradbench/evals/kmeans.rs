//! The cost of a clustering: the squared distance of each point to its nearest centroid.

use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::Value;

/// `points` and `centroids` are rows of `d` coordinates, one after the other.
#[differentiable]
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

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let (n, d) = fields.dimensions("points")?;
    let points = fields.matrix("points", n, d)?;
    let (k, _) = fields.dimensions("centroids")?;
    let centroids = fields.matrix("centroids", k, d)?;
    match function {
        "cost" => Ok(repeats.run(|| cost(&points, &centroids, d), Value::from)),
        "dir" => Err(EvalError::Unsupported(
            "`dir` of module `kmeans` is not available: it needs second derivatives",
        )),
        _ => Err(EvalError::UnknownFunction {
            module: "kmeans",
            found: function.into(),
        }),
    }
}
