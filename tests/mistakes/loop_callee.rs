use differentiable::prelude::*;

fn g(x: f64) -> f64 { x.sin() }
struct Rate(f64);
impl Rate { fn at(&self, x: f64) -> f64 { self.0 * x } }

#[differentiable(higher_order)]
fn f(x: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        if s > 1.0 { s += g(s); } else { s *= 2.0; }
    }
    s
}

fn main() {}
