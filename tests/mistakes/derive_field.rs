use differentiable::prelude::*;

struct Body { mass: f64, speed: f64 }
#[derive(Differentiable)]
struct Pair { left: Body, right: Body }

fn main() {}
