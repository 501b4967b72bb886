use differentiable::prelude::*;

#[derive(Differentiable)]
struct Net { weight: f64, worker: std::thread::Thread }

fn main() {}
