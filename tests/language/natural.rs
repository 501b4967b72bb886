//! What people write without a thought, whose types Rust infers.

use crate::{check, check_outputs};
use differentiable::prelude::*;
use std::collections::HashMap;

#[differentiable]
fn square(x: f64) -> Result<f64, String> {
    if x > 10.0 {
        return Err("large".into());
    }
    Ok(x * x)
}

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

/// Nothing here tells which of the two the functions give.
#[differentiable]
fn mapped(x: f64) -> f64 {
    let a = square(x).map(|v| v * x).unwrap_or(0.0);
    let b = root(x).map(|v| v * x).map(|v| v + a).unwrap_or(x);
    a * b + square(b).map_or(1.0, |v| v.sin()) + square(9.0 + x).map(|v| v + x).unwrap_or(x)
}

#[differentiable]
fn tried(x: f64) -> Result<f64, String> {
    let a = square(x).map(|v| v + x)?;
    let b = square(a).and_then(|v| square(v * x)).map(|v| v * a)?;
    if a > 100.0 {
        return square(x).map(|v| -v);
    }
    square(a * b).map(|v| v.sqrt())
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    w: f64,
    #[constant]
    seen: HashMap<String, usize>,
}

#[differentiable]
impl Model {
    fn solve(&self, x: f64) -> Result<f64, String> {
        square(self.w * x)
    }
    fn solved(&self, x: f64) -> f64 {
        let y = self.solve(x).map(|v| v * x);
        y.unwrap_or(x)
    }
    fn counted(&mut self, x: f64) -> f64 {
        self.seen.insert("calls".to_string(), 3);
        self.w * x
    }
}

#[differentiable]
fn of_a_method(m: &Model, x: f64) -> f64 {
    m.solved(x)
}

#[differentiable]
fn of_a_map(m: &Model, x: f64) -> f64 {
    let mut m = m.clone();
    m.counted(x) * m.counted(x)
}

#[test]
fn values_of_calls_are_mapped() {
    check::<mapped, _>(&(0.7,));
    check_outputs::<tried, _>(&(0.7,));
}

#[test]
fn maps_that_are_constant_take_entries() {
    let model = Model {
        w: 0.3,
        seen: HashMap::new(),
    };
    check::<of_a_method, _>(&(model.clone(), 0.7));
    check::<of_a_map, _>(&(model, 0.7));
}

#[differentiable]
fn defaults(x: &[f64]) -> f64 {
    let mut best = Default::default();
    let mut last = Default::default();
    for v in x {
        last = v * v;
        if *v > 0.4 {
            best = last * v;
        }
    }
    last * best
}

#[test]
fn defaults_have_the_type_of_what_is_stored() {
    check::<defaults, _>(&(vec![0.3, 0.7],));
}
