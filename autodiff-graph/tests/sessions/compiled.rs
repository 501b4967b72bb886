//! Functions that run as graphs.

use crate::minimize::{Net, batch};
use crate::{bits, message};
use differentiable::graph::{GraphError, Whole, compile, retrace};
use differentiable::prelude::*;

dim!(Rows);

#[differentiable]
fn loss(w: &Tensor![6, 3], #[constant] x: &Tensor![Rows, 6]) -> Tensor![] {
    x.matmul(w).tanh().square().mean()
}

fn rows(n: usize, seed: u64) -> Tensor![Rows, 6] {
    Tensor::randn_with((Rows(n), Sz), seed)
}

#[test]
fn the_bits_of_the_function() {
    let w: Tensor![6, 3] = Tensor::randn(1);
    let x = rows(7, 2);
    let compiled = compile(loss, (&w, &x));
    let both = compile(|w: &Tensor![6, 3], x: &Tensor![Rows, 6]| loss::value_and_grad(w, x), (&w, &x)).parallel(true);
    for seed in 0..3 {
        let x = rows(7, seed);
        assert_eq!(bits(&compiled.call((&w, &x)).unwrap()), bits(&loss(&w, &x)));
        let (value, slope) = both.call((&w, &x)).unwrap();
        let (expected, by_w) = loss::value_and_grad(&w, &x);
        assert_eq!(bits(&value), bits(&expected));
        assert_eq!(bits(&slope), bits(&by_w));
    }
    let error = compiled.call((&w, &rows(8, 1))).unwrap_err();
    assert!(matches!(error, GraphError::Sizes { .. }), "{error}");
    assert_eq!(error.to_string(), "the input `argument1` is f32 [7, 6], found f32 [8, 6]");
}

#[test]
fn modules_are_arguments() {
    let mut net = Net::new(&mut Seeds::new(1));
    let (x, y) = batch(3);
    let compiled = compile(Net::loss, (Whole(&net), &x, &y));
    assert_eq!(bits(&compiled.call((Whole(&net), &x, &y)).unwrap()), bits(&net.loss(&x, &y)));
    net.out.bias = tensor([1.0, -1.0, 0.5]);
    assert_eq!(bits(&compiled.call((Whole(&net), &x, &y)).unwrap()), bits(&net.loss(&x, &y)));
}

#[test]
fn what_cannot_be_compiled() {
    let (w, x) = (Tensor::randn(1), rows(7, 2));
    let said = message(|| drop(compile(|w: &Tensor![6, 3]| w * w.sum().item(), (&w,))));
    assert!(said.contains("depends on `argument0`"), "{said}");
    let said = message(|| drop(compile(|w: &Tensor![6, 3]| x.matmul(w), (&w,))));
    assert!(said.contains("on two devices"), "{said}");
}

#[test]
fn a_graph_for_each_set_of_sizes() {
    let w: Tensor![6, 3] = Tensor::randn(1);
    let mut retraced = retrace(loss, 2);
    for (n, recorded) in [(3, 1), (4, 2), (3, 2), (5, 3), (3, 3), (4, 4)] {
        let x = rows(n, n as u64);
        assert_eq!(bits(&retraced.call((&w, &x)).unwrap()), bits(&loss(&w, &x)));
        assert_eq!(retraced.recorded(), recorded, "{n} rows");
    }
    assert!(message(|| drop(retrace::<_, ()>(loss, 0))).contains("at least 1"));
}
