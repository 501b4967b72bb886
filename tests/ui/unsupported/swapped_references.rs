use differentiable::prelude::*;

#[differentiable]
fn swapped(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    {
        let (mut p, mut q) = (&mut a, &mut b);
        std::mem::swap(&mut p, &mut q);
        *p *= 2.0;
    }
    a * a + b
}

fn main() {}
