use differentiable::prelude::*;

#[derive(Differentiable)]
struct State {
    x: f64,
}

#[differentiable]
fn step(s: &State) -> State {
    State { x: s.x * s.x }
}

#[differentiable]
fn run(x: f64) -> f64 {
    let s = step(&State { x });
    step(&s).x
}

fn main() {}
