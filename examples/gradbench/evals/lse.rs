//! The logarithm of a sum of exponentials.

use super::input::too_small;
use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::Value;

#[differentiable]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
    largest + sum.ln()
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let x = fields.vector("x", None)?;
    if x.is_empty() {
        return Err(too_small("x", 1, 0));
    }
    match function {
        "primal" => Ok(repeats.run(|| log_sum_exp(&x), Value::from)),
        "gradient" => Ok(repeats.run(|| log_sum_exp::grad(&x), Value::from)),
        _ => Err(EvalError::UnknownFunction {
            module: "lse",
            found: function.into(),
        }),
    }
}
