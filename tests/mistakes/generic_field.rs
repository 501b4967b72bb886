use differentiable::prelude::*;

#[derive(Differentiable)]
struct Body { mass: f64, speed: f64 }

#[differentiable]
fn f<const N: usize>(b: &[Body; N], x: f64) -> f64 {
    let mut s = 0.0;
    for k in 0..N {
        s += b[k].mass * b[k].sped * x;
    }
    s
}

fn main() {}
