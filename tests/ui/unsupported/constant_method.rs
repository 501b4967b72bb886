//! Methods of constant fields whose types have no derivative, and maps of active values.
use differentiable::prelude::*;
use std::collections::HashMap;

#[derive(Clone)]
struct Config {
    k: f64,
}

impl Config {
    fn gain(&self) -> f64 {
        self.k
    }
}

#[derive(Clone, Differentiable)]
struct Model {
    w: f64,
    #[constant]
    config: Config,
    #[constant]
    seen: HashMap<String, f64>,
}

#[differentiable]
fn gained(m: &Model, x: f64) -> f64 {
    m.config.gain() * m.w * x
}

fn main() {}
