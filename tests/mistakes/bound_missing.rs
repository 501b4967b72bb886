use differentiable::prelude::*;

#[differentiable]
fn f<T>(x: T) -> T {
    x * x
}

fn main() {}
