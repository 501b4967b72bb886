use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch);

#[differentiable]
fn loss(anchor: &Tensor![Batch, 8], near: &Tensor![Batch, 8], far: &Tensor![Batch, 9]) -> Tensor![] {
    triplet_loss(anchor, near, far, 1.0)
}

fn main() {}
