use differentiable::prelude::*;

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 += 1;
        1.0 / self.0 as f64
    }
}

#[differentiable]
fn not_copied(x: f64, n: usize) -> f64 {
    let mut dice = Dice(1);
    let mut s = x;
    #[checkpoint]
    for _ in 0..n {
        let r = dice.roll();
        s = s.sin() + r;
    }
    s
}

#[derive(Clone, Differentiable)]
struct State {
    heights: Vec<f64>,
}

#[differentiable]
fn not_measured(x: f64, n: usize) -> f64 {
    let mut state = State { heights: vec![x] };
    #[checkpoint(memory = 1000)]
    for _ in 0..n {
        state.heights[0] = state.heights[0].sin();
    }
    state.heights[0]
}

#[differentiable]
fn not_a_number(x: f64, n: usize, k: i32) -> f64 {
    let mut s = x;
    #[checkpoint(every = k)]
    for _ in 0..n {
        s = s.sin();
    }
    s
}

fn main() {}
