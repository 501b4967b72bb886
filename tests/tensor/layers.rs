//! `Linear` and `affine` through a user's function, over every rank, in both modes.

use crate::check::between;
use crate::coverage::first_order;
use differentiable::ad::Tangent;
use differentiable::ad::{Differentiable, check_grads};
use differentiable::prelude::*;

dim!(Batch, Time);

type Layer = Linear<3, 2, f64>;

/// A layer whose bias is not zero.
fn layer() -> Layer {
    Linear {
        weight: between(Default::default(), 1, -1.0, 1.0),
        bias: between(Default::default(), 2, -1.0, 1.0),
    }
}

fn input<S: Shape>(shape: S) -> Tensor<S, f64> {
    between(shape, 3, -1.0, 1.0)
}

first_order! {
    linear_rank_1 at (layer(), input((Sz,))) = |layer: Layer, x: Tensor![f64; 3]| -> Tensor![f64; 2] {
        layer.forward(x).tanh()
    }
    linear_rank_2 at (layer(), input((Sz, Sz))) = |layer: Layer, x: Tensor![f64; 4, 3]| -> Tensor![f64; 4, 2] {
        layer.forward(x).tanh()
    }
    linear_run_time at (layer(), input((Batch(5), Sz))) = |layer: Layer, x: Tensor![f64; Batch, 3]| -> Tensor![f64;] {
        layer.forward(x).tanh().mean()
    }
    linear_rank_3 at (layer(), input((Batch(2), Time(3), Sz)))
        = |layer: Layer, x: Tensor![f64; Batch, Time, 3]| -> Tensor![f64; Batch, Time, 2] { layer.forward(x).tanh() }
    linear_of_no_rows at (layer(), input((Batch(0), Sz))) = |layer: Layer, x: Tensor![f64; Batch, 3]| -> Tensor![f64;] {
        layer.forward(x).sum() + layer.bias.sum()
    }
    linear_after_a_view at (layer(), input((Sz, Batch(4)))) = |layer: Layer, x: Tensor![f64; 3, Batch]| -> Tensor![f64; Batch, 2] {
        layer.forward(&x.transpose::<0, 1>())
    }
    linear_used_twice at (Linear::<3, 3, f64> { weight: input((Sz, Sz)), bias: input((Sz,)) }, input((Batch(4), Sz)))
        = |layer: Linear<3, 3, f64>, x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
            layer.forward(&layer.forward(x).tanh()) + x
        }
    affine_rank_1 at (input((Sz,)), input((Sz, Sz)), input((Sz,)))
        = |x: Tensor![f64; 3], w: Tensor![f64; 3, 2], b: Tensor![f64; 2]| -> Tensor![f64; 2] { x.affine(w, b).sin() }
    affine_rank_2 at (input((Batch(4), Sz)), input((Sz, Sz)), input((Sz,)))
        = |x: Tensor![f64; Batch, 3], w: Tensor![f64; 3, 2], b: Tensor![f64; 2]| -> Tensor![f64; Batch, 2] {
            x.affine(w, b).sin()
        }
    affine_rank_3 at (input((Time(2), Batch(4), Sz)), input((Sz, Sz)), input((Sz,)))
        = |x: Tensor![f64; Time, Batch, 3], w: Tensor![f64; 3, 2], b: Tensor![f64; 2]| -> Tensor![f64; Time, Batch, 2] {
            x.affine(w, b).sin()
        }
}

/// The layer against its definition.
#[test]
fn forward_is_a_product_and_a_sum() {
    let (layer, x) = (layer(), input((Batch(4), Sz::<3>)));
    let expected = x.matmul(&layer.weight) + &layer.bias;
    let error = (layer.forward(&x) - expected).abs().max().item();
    assert!(error < 1e-15, "{error}");
}

/// Data have no gradient: the layer below must not pay for one.
#[test]
fn a_constant_input() {
    #[differentiable]
    fn loss(layer: &Layer, #[constant] x: &Tensor![f64; Batch, 3]) -> Tensor![f64;] {
        layer.forward(x).square().sum()
    }
    let (layer, x) = (layer(), input((Batch(4), Sz)));
    let grad = loss::grad(&layer, &x);
    let out = layer.forward(&x) * 2.0;
    let of_weight = x.transpose::<0, 1>().matmul(&out) - &grad.weight;
    let of_bias = out.sum_axis::<0>() - &grad.bias;
    let error = of_weight.abs().max().item().max(of_bias.abs().max().item());
    assert!(error < 1e-14, "{error}");
    let tangent = loss::jvp((&layer, &grad), &x).1.item();
    let slope = grad.weight.square().sum().item() + grad.bias.square().sum().item();
    assert!((tangent - slope).abs() < 1e-12 * slope, "{tangent} {slope}");
    assert_eq!(layer.zero_tangent().weight.dims(), layer.weight.dims());
}

/// The derivatives that users of a layer can call themselves.
#[test]
fn directly() {
    let (layer, x) = (layer(), input((Batch(4), Sz::<3>)));
    let (out, pullback) = layer.forward_vjp(&x);
    assert_eq!(out, layer.forward(&x));
    let (of_layer, of_x) = pullback(out.clone());
    let (same, tangent) = layer.forward_jvp(&of_layer, (&x, &of_x));
    assert_eq!(same, out);
    // ⟨out, J d⟩ = ⟨Jᵀ out, d⟩ for d = Jᵀ out.
    let (pushed, pulled) = (tangent.dot(&out), of_layer.dot(&of_layer) + of_x.dot(&of_x));
    assert!(
        (pushed - pulled).abs() < 1e-12 * pulled,
        "{pushed} {pulled}"
    );
}
