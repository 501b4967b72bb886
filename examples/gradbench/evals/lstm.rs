//! An LSTM whose weight matrices are diagonal, over a long sequence.

use super::input::too_small;
use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::Value;

#[differentiable]
fn sigmoid(x: f64) -> f64 {
    (1.0 + (-x).exp()).recip()
}

/// The mean loss of the predictions of each entry of `sequence` from those before it.
///
/// `main` has two rows for each layer, weights and biases of its four gates; `extra` the weight of
/// the input, and weight and bias of the output; `state` two rows for each layer, hidden and cell.
#[differentiable]
pub fn loss(
    main: &[f64],
    extra: &[f64],
    #[constant] state: &[f64],
    #[constant] sequence: &[f64],
) -> f64 {
    let b = extra.len() / 3;
    let layers = main.len() / (8 * b);
    let steps = sequence.len() / b - 1;
    let mut state = state.to_vec();
    let mut input = vec![0.0; b];
    let mut predicted = vec![0.0; b];
    let mut total = 0.0;
    for t in 0..steps {
        for j in 0..b {
            input[j] = sequence[t * b + j] * extra[j];
        }
        for layer in 0..layers {
            let weight = &main[8 * b * layer..8 * b * layer + 4 * b];
            let bias = &main[8 * b * layer + 4 * b..8 * b * (layer + 1)];
            let hidden = 2 * b * layer;
            let cell = hidden + b;
            for j in 0..b {
                let (x, h) = (input[j], state[hidden + j]);
                let forget = sigmoid(x * weight[j] + bias[j]);
                let ingate = sigmoid(h * weight[b + j] + bias[b + j]);
                let outgate = sigmoid(x * weight[2 * b + j] + bias[2 * b + j]);
                let change = (h * weight[3 * b + j] + bias[3 * b + j]).tanh();
                let new_cell = state[cell + j] * forget + ingate * change;
                let new_hidden = outgate * new_cell.tanh();
                state[cell + j] = new_cell;
                state[hidden + j] = new_hidden;
                input[j] = new_hidden;
            }
        }
        let mut sum = 2.0; // the suite's definition
        for j in 0..b {
            predicted[j] = input[j] * extra[b + j] + extra[2 * b + j];
            sum += predicted[j].exp();
        }
        let log_sum = sum.ln();
        for j in 0..b {
            total += sequence[(t + 1) * b + j] * (predicted[j] - log_sum);
        }
    }
    -total / (b * steps) as f64
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let (rows, columns) = fields.dimensions("main_params")?;
    let (_, b) = fields.dimensions("extra_params")?;
    if rows % 2 != 0 {
        return Err(EvalError::Value {
            field: "main_params".into(),
            expected: "an even number of rows".into(),
            found: rows.to_string(),
        });
    }
    if columns != 4 * b {
        return Err(EvalError::Length {
            field: "main_params[0]".into(),
            expected: 4 * b,
            found: columns,
        });
    }
    let main = fields.matrix("main_params", rows, 4 * b)?;
    let extra = fields.matrix("extra_params", 3, b)?;
    let state = fields.matrix("state", rows, b)?;
    let (c, _) = fields.dimensions("sequence")?;
    if c < 2 {
        return Err(too_small("sequence", 2, c));
    }
    let sequence = fields.matrix("sequence", c, b)?;
    match function {
        "objective" => Ok(repeats.run(|| loss(&main, &extra, &state, &sequence), Value::from)),
        "jacobian" => Ok(repeats.run(
            || {
                let (mut gradient, of_extra) = loss::grad(&main, &extra, &state, &sequence);
                gradient.extend(of_extra);
                gradient
            },
            Value::from,
        )),
        _ => Err(EvalError::UnknownFunction {
            module: "lstm",
            found: function.into(),
        }),
    }
}
