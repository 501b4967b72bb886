//! An active value in a constant field would lose its derivative, however it gets there.

use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
struct State {
    w: f64,
    #[constant]
    mean: f64,
    #[constant]
    history: Vec<f64>,
}

#[differentiable]
fn assigned(s: &mut State, x: f64) -> f64 {
    s.mean = 0.9 * s.mean + 0.1 * x;
    s.w
}

#[differentiable]
fn added(s: &mut State, x: f64) -> f64 {
    s.mean += x;
    s.w
}

#[differentiable]
fn pushed(s: &mut State) -> f64 {
    s.history.push(s.w);
    s.w
}

#[differentiable]
fn store(place: &mut f64, x: f64) {
    *place = x;
}

#[differentiable]
fn by_a_call(s: &mut State, x: f64) -> f64 {
    store(&mut s.mean, x);
    s.w
}

#[differentiable]
fn of_two_names(s: &mut State, x: f64) -> f64 {
    no_grad! {
        let mut s = s.clone();
        s.mean = 1.0;
    }
    s.w * x
}

fn main() {}
