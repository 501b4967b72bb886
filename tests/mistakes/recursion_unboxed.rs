use differentiable::prelude::*;

#[derive(Differentiable)]
struct List { value: f64, rest: Option<List> }

fn main() {}
