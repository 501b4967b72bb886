use differentiable::prelude::*;

#[differentiable]
fn over_items(x: &[f64]) -> f64 {
    let mut s = 1.0;
    #[checkpoint]
    for v in x {
        s = (s * v).sin();
    }
    s
}

#[differentiable]
fn no_such_schedule(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(often)]
    for _ in 0..n {
        s = s.sin();
    }
    s
}

#[differentiable]
fn two_schedules(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(every = 3, snapshots = 2)]
    for _ in 0..n {
        s = s.sin();
    }
    s
}

#[differentiable]
fn no_loop(x: f64) -> f64 {
    #[checkpoint]
    let s = x.sin();
    s
}

#[differentiable]
fn passed(f: impl Fn(f64) -> f64, x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint]
    for _ in 0..n {
        s = f(s);
    }
    s
}

#[differentiable]
#[checkpoint]
fn passed_on(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiable]
#[checkpoint(every = 3)]
fn a_function(x: f64) -> f64 {
    x.sin()
}

#[differentiable]
trait Model {
    #[checkpoint]
    fn f(&self, x: f64) -> f64;
}

fn main() {}
