//! Operators with names that a function of a module may have: no macro can tell.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn cubic(x: f64) -> f64 {
    x * x * x
}

#[differentiable]
fn kept(x: f64) -> f64 {
    let (y, _) = cubic::linearize(x);
    y * x
}

mod camera {
    use differentiable::prelude::*;

    #[differentiable(higher_order)]
    pub fn jacobian(x: f64) -> f64 {
        2.0 * x
    }
}

/// There is nothing to refuse in this one.
#[differentiable(higher_order)]
fn of_a_module(x: f64) -> f64 {
    camera::jacobian(x) * x
}

fn main() {
    of_a_module::hvp((1.0, 1.0));
}
