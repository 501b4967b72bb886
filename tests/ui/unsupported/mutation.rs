use differentiable::prelude::*;

#[differentiable]
fn sorted(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_unstable_by(|a, b| a.total_cmp(b));
    v[0]
}

#[differentiable]
fn without_repetitions(x: f64) -> f64 {
    let mut v = vec![x, x];
    v.dedup();
    v[0]
}

#[differentiable]
fn in_a_condition(x: f64) -> f64 {
    let mut v = vec![x, x * x];
    if v.pop().is_some() {
        return v[0];
    }
    x
}

fn main() {}
