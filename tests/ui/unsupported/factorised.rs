//! Factorisations of tensors have first derivatives only.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn volume(a: &Tensor![f64; 2, 2]) -> Tensor![f64;] {
    a.det()
}

fn main() {}
