//! Gradient descent that finds its step by itself, as in B. A. Pearlmutter and J. M. Siskind, "Using Programming
//! Language Theory to Make Automatic Differentiation Sound and Efficient" (2008).

use super::EvalError;
use differentiable::prelude::*;

/// The modes of a derivative, and of the one that is in it.
#[derive(Clone, Copy)]
pub enum Modes {
    ForwardForward,
    ForwardReverse,
    ReverseForward,
    ReverseReverse,
}

impl Modes {
    /// Of a function that is named after them.
    pub fn of(module: &'static str, function: &str) -> Result<Self, EvalError> {
        match function {
            "ff" => Ok(Modes::ForwardForward),
            "fr" => Ok(Modes::ForwardReverse),
            "rf" => Ok(Modes::ReverseForward),
            "rr" => Ok(Modes::ReverseReverse),
            _ => Err(EvalError::UnknownFunction {
                module,
                found: function.into(),
            }),
        }
    }
}

/// Gradients and steps shorter than this end the descent.
const TOLERANCE: f64 = 1e-5;

/// Where `f` is smallest, on the way down from `start`. The step grows after ten successes, and shrinks after
/// one that did not go down. It is differentiated itself where a descent is part of what another one minimises.
#[differentiable]
pub fn argmin<const N: usize>(
    start: [f64; N],
    f: impl Fn([f64; N]) -> f64,
    gradient: impl Fn([f64; N]) -> [f64; N],
) -> [f64; N] {
    let mut at = start;
    let mut value = f(at);
    let mut slope = gradient(at);
    let mut rate = 1e-5;
    let mut successes = 0;
    while length(&slope) > TOLERANCE {
        if successes == 10 {
            rate *= 2.0;
            successes = 0;
        }
        if rate * length(&slope) <= TOLERANCE || length(&slope).is_infinite() {
            break;
        }
        let mut next = at;
        for i in 0..N {
            next[i] -= rate * slope[i];
        }
        let next_value = f(next);
        if next_value < value {
            at = next;
            value = next_value;
            slope = gradient(next);
            successes += 1;
        } else {
            rate *= 0.5;
            successes = 0;
        }
    }
    at
}

fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
