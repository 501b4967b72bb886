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

fn numbers_at_once(xs: &Vec<f64>) -> Vec<f64> {
    vmap!(#[batched] |x| x + 1.0, xs)
}

fn a_number_of_each(xs: &Tensor![Batch, 3]) -> Tensor![Batch] {
    vmap!(#[batched] |x| x.sum().item(), xs)
}

fn too_many(xs: &Tensor![Batch, 3]) -> Tensor![Batch, 3] {
    vmap!(#[batched] |a, b, c, d, e| a + b + c + d + e, xs, xs, xs, xs, xs)
}

fn main() {}
