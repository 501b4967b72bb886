//! `vmap!`: batches of one dimension, as many as the closure has parameters.

use differentiable::prelude::*;

dim!(Batch, Other);

fn batches_of_two_dimensions(xs: &Tensor![Batch, 3], ys: &Tensor![Other]) -> Tensor![Batch] {
    vmap!(|x, y| x.sum().item() * y.item(), xs, ys)
}

fn another_result(xs: &Tensor![Batch, 3]) -> Tensor![Batch] {
    vmap!(|x| x.exp(), xs)
}

fn no_tensor_of_texts(xs: &Tensor![Batch, 3]) -> Tensor![Batch] {
    vmap!(|x| format!("{x:?}"), xs)
}

fn two_for_one(xs: &Tensor![Batch, 3]) -> Tensor![Batch] {
    vmap!(|x, y| x.sum().item() * y, xs)
}

#[differentiable]
fn leaves(xs: &Tensor![Batch, 3]) -> Tensor![Batch] {
    vmap!(|x| { return x.sum().item() }, xs)
}

fn main() {}
