//! Least squares: a polynomial through the signs of points on [−1, 1].

use super::input::too_small;
use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::Value;

/// Half the sum of the squared residuals of the polynomial with coefficients `x` at `n` points.
#[differentiable]
pub fn half_squares(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let t = -1.0 + 2.0 * i as f64 / (n - 1) as f64;
        let sign = if t == 0.0 { 0.0 } else { t.signum() };
        let mut residual = sign;
        let mut power = 1.0;
        for coefficient in x {
            residual -= coefficient * power;
            power *= t;
        }
        sum += residual * residual;
    }
    0.5 * sum
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let n = fields.size("n", 2)?; // the distance of points is 2/(n − 1)
    let x = fields.vector("x", None)?;
    if x.is_empty() {
        return Err(too_small("x", 1, 0));
    }
    match function {
        "primal" => Ok(repeats.run(|| half_squares(&x, n), Value::from)),
        "gradient" => Ok(repeats.run(|| half_squares::grad(&x, n), Value::from)),
        _ => Err(EvalError::UnknownFunction {
            module: "llsq",
            found: function.into(),
        }),
    }
}
