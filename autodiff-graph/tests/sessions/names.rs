//! Names of inputs, variables and outputs.

use differentiable::graph::Recording;
use differentiable::prelude::*;

#[test]
fn x() {
    let r = Recording::new();
    let _: Tensor![3] = r.input("x", Default::default());
}
