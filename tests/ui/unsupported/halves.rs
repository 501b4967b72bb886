use differentiable::prelude::*;

#[differentiable]
fn both(a: &mut [f64], b: &mut [f64]) {
    for (x, y) in a.iter_mut().zip(b.iter_mut()) {
        *x += *y;
    }
}

// Both halves in one call: give it the whole and the position.
#[differentiable]
fn halves(x: f64) -> f64 {
    let mut v = vec![x; 4];
    let (l, r) = v.split_at_mut(2);
    both(l, r);
    v[0] * v[3]
}

fn main() {}
