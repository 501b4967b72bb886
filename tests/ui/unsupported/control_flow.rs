use differentiable::prelude::*;

#[differentiable]
fn question_without_a_type(x: f64) -> Maybe {
    let y = of(x)?;
    of(y * x)
}

type Maybe = Option<f64>;

#[differentiable]
fn question_behind_and(x: f64, #[constant] a: Option<bool>) -> Option<f64> {
    if x > 0.0 && a? {
        return Some(x);
    }
    None
}

#[differentiable]
fn names_in_inner_alternatives(x: Option<Result<f64, f64>>) -> f64 {
    match x {
        Some(Ok(y) | Err(y)) => y,
        None => 0.0,
    }
}

#[differentiable]
fn active_error(x: f64) -> Result<f64, f64> {
    if x < 0.0 {
        return Err(x);
    }
    Ok(x)
}

#[differentiable]
fn jump_in_an_argument(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let y = (if i > 3 { break } else { x[i] }) * 2.0;
        s += y;
    }
    s
}

fn of(x: f64) -> Maybe {
    Some(x)
}

fn main() {}
