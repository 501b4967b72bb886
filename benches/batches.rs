//! A function of one example over a batch: `vmap!` with all examples at once and with one after the other, beside the function
//! written for the batch.
//!
//! `cargo bench -p differentiable --bench batches`; add `-- --quick` to only check that it runs.

mod support;

use differentiable::prelude::*;
use support::{Effort, assert_close, case, compare};

dim!(Batch);

type First = Tensor![32, 64];
type Second = Tensor![10, 32];

/// The squared error of two layers on one example.
#[differentiable]
fn error(w: &First, v: &Second, x: &Tensor![64], y: &Tensor![10]) -> Tensor![] {
    let hidden = w.matmul(x).tanh();
    (v.matmul(&hidden) - y).square().sum()
}

/// The mean over the batch, written for it.
#[differentiable]
fn written(w: &First, v: &Second, x: &Tensor![Batch, 64], y: &Tensor![Batch, 10]) -> f32 {
    let hidden = x.matmul(&w.transpose::<0, 1>()).tanh();
    (hidden.matmul(&v.transpose::<0, 1>()) - y)
        .square()
        .sum_axis::<1>()
        .mean()
        .item()
}

#[differentiable]
fn at_once(w: &First, v: &Second, x: &Tensor![Batch, 64], y: &Tensor![Batch, 10]) -> f32 {
    vmap!(
        #[batched]
        |x, y| error(w, v, x, y),
        x,
        y
    )
    .mean()
    .item()
}

#[differentiable]
fn one_by_one(w: &First, v: &Second, x: &Tensor![Batch, 64], y: &Tensor![Batch, 10]) -> f32 {
    vmap!(|x, y| error(w, v, x, y), x, y).mean().item()
}

fn some<S: Shape>(shape: S, seed: usize) -> Tensor<S> {
    let mut next = seed as f32;
    Tensor::from_fn_with(shape, |_| {
        next += 1.7;
        next.sin() * 0.3
    })
}

fn numbers<S: Shape>(x: &Tensor<S>) -> Vec<f64> {
    x.to_vec().into_iter().map(f64::from).collect()
}

fn examples(effort: Effort, n: usize) {
    let (w, v): (First, Second) = (some(Default::default(), 1), some(Default::default(), 2));
    let x = some((Batch(n), Sz::<64>), 3);
    let y = some((Batch(n), Sz::<10>), 4);
    let expected = written::grad(&w, &v, &x, &y);
    for (what, found) in [
        ("at once", at_once::grad(&w, &v, &x, &y)),
        ("one by one", one_by_one::grad(&w, &v, &x, &y)),
    ] {
        assert_close(what, &numbers(&found.0), &numbers(&expected.0), 1e-4);
        assert_close(what, &numbers(&found.1), &numbers(&expected.1), 1e-4);
    }
    compare(
        effort,
        &format!("gradient of the mean over {n} examples"),
        f64::NAN,
        case("written for the batch", || written::grad(&w, &v, &x, &y)),
        vec![
            case("vmap!, batched", || at_once::grad(&w, &v, &x, &y)),
            case("vmap!, one by one", || one_by_one::grad(&w, &v, &x, &y)),
        ],
    );
    let batched = || {
        vmap!(
            #[batched]
            |x, y| error::grad(&w, &v, x, y).1,
            &x,
            &y
        )
    };
    let each = || vmap!(|x, y| error::grad(&w, &v, x, y).1, &x, &y);
    assert_close("each", &numbers(&batched()), &numbers(&each()), 1e-4);
    compare(
        effort,
        &format!("a gradient for each of {n} examples"),
        f64::NAN,
        case("vmap!, batched", batched),
        vec![case("vmap!, one by one", each)],
    );
}

fn main() {
    let effort = Effort::from_args();
    for n in [8, 128] {
        examples(effort, n);
    }
}
