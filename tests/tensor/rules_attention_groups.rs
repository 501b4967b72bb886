//! Attention in groups of heads, and with masks and biases that are repeated.

use crate::check::{between, numbers};
use crate::rules_attention::{close, copy, made};
use differentiable::ad::DifferentiableFn;
use differentiable::ad::Tangent;
use differentiable::prelude::*;

type Four<const H: usize, const T: usize, const D: usize> =
    Tensor<(Sz<3>, Sz<H>, Sz<T>, Sz<D>), f64>;

#[test]
fn groups_of_heads_are_repeated_heads() {
    #[differentiable]
    fn grouped(q: &Four<6, 70, 8>, k: &Four<2, 140, 8>, v: &Four<2, 140, 5>) -> Four<6, 70, 5> {
        q.attention_grouped(k, v, Attention::new().causal().dropout(0.25, 2))
    }
    #[differentiable]
    fn repeated(q: &Four<6, 70, 8>, k: &Four<2, 140, 8>, v: &Four<2, 140, 5>) -> Four<6, 70, 5> {
        let (k, v) = (k.repeat_interleave::<1, 3>(), v.repeat_interleave::<1, 3>());
        q.attention(&k, &v, Attention::new().causal().dropout(0.25, 2))
    }
    let args = (
        between(Default::default(), 1, -1.0, 1.0),
        between(Default::default(), 2, -1.0, 1.0),
        between(Default::default(), 3, -1.0, 1.0),
    );
    let value = repeated::call(&args);
    close(
        "value",
        &[],
        &grouped::call(&args).to_vec(),
        &value.to_vec(),
    );
    let ct = Tangent::fill_with(&value, &mut numbers(4));
    let a = <grouped as DifferentiableFn<_>>::vjp(&args, ct.clone());
    let b = <repeated as DifferentiableFn<_>>::vjp(&args, ct);
    close("q", &[], &a.0.to_vec(), &b.0.to_vec());
    close("k", &[], &a.1.to_vec(), &b.1.to_vec());
    close("v", &[], &a.2.to_vec(), &b.2.to_vec());
    let t = Tangent::fill_with(&args, &mut numbers(5));
    let a = <grouped as DifferentiableFn<_>>::jvp(&args, &t).1;
    let b = <repeated as DifferentiableFn<_>>::jvp(&args, &t).1;
    close("tangent", &[], &a.to_vec(), &b.to_vec());
}

#[test]
fn smaller_masks_and_biases_are_repeated() {
    type X = Four<2, 70, 4>;
    #[differentiable]
    fn small(x: &X, bias: &Tensor![f64; 70, 70]) -> X {
        x.attention_biased(x, x, bias, Attention::new())
    }
    #[differentiable]
    fn of_heads(x: &X, bias: &Tensor![f64; 2, 70, 70]) -> X {
        x.attention_biased(x, x, bias, Attention::new())
    }
    #[differentiable]
    fn whole(x: &X, bias: &Tensor![f64; 3, 2, 70, 70]) -> X {
        x.attention_biased(x, x, bias, Attention::new())
    }
    let x: X = between(Default::default(), 1, -1.0, 1.0);
    let heads: Tensor![f64; 2, 70, 70] = between(Default::default(), 2, -1.0, 1.0);
    let full: Tensor![f64; 3, 2, 70, 70] =
        made(Default::default(), |[_, h, i, j]| heads[[h, i, j]]);
    let y = whole::call(&(x.clone(), full.clone()));
    let ct = Tangent::fill_with(&y, &mut numbers(4));
    let expected = <whole as DifferentiableFn<_>>::vjp(&(x.clone(), full), ct.clone());
    let args = (x.clone(), heads.clone());
    close("value", &[], &of_heads::call(&args).to_vec(), &y.to_vec());
    let found = <of_heads as DifferentiableFn<_>>::vjp(&args, ct.clone());
    close("x", &[], &found.0.to_vec(), &expected.0.to_vec());
    let sum = expected.1.sum_axis::<0>();
    close("bias", &[], &found.1.to_vec(), &sum.to_vec());

    // One bias for all heads, from a view that steps over entries.
    let one: Tensor![f64; 70, 70] = between(Default::default(), 3, -1.0, 1.0);
    let full: Tensor![f64; 3, 2, 70, 70] = made(Default::default(), |[_, _, i, j]| one[[i, j]]);
    let expected = <whole as DifferentiableFn<_>>::vjp(&(x.clone(), full.clone()), ct.clone());
    let value = whole::call(&(x.clone(), full));
    let turned = copy(&one.transpose::<0, 1>()).transpose::<0, 1>();
    let args = (x.clone(), turned);
    close("value", &[], &small::call(&args).to_vec(), &value.to_vec());
    let found = <small as DifferentiableFn<_>>::vjp(&args, ct);
    let sum = expected.1.sum_axis::<0>().sum_axis::<0>();
    close("bias", &[], &found.1.to_vec(), &sum.to_vec());

    // One number for each key.
    #[differentiable]
    fn of_keys(x: &X, bias: &Tensor![f64; 70]) -> X {
        x.attention_biased(x, x, bias, Attention::new())
    }
    let one: Tensor![f64; 70] = between(Default::default(), 5, -1.0, 1.0);
    let full: Tensor![f64; 3, 2, 70, 70] = made(Default::default(), |[_, _, _, j]| one[[j]]);
    let ct = Tangent::fill_with(&x, &mut numbers(6));
    let expected = <whole as DifferentiableFn<_>>::vjp(&(x.clone(), full), ct.clone());
    let found = <of_keys as DifferentiableFn<_>>::vjp(&(x.clone(), one), ct);
    close("x", &[], &found.0.to_vec(), &expected.0.to_vec());
    let sum = expected.1.sum_axes::<Axes3<0, 1, 2>>();
    close("bias", &[], &found.1.to_vec(), &sum.to_vec());

    // A mask of keys alone, repeated by a view.
    let keys: Tensor![bool; 3, 70] = made(Default::default(), |[b, j]| j < 20 * (b + 1));
    let mask: Tensor![bool; 3, 2, 70, 70] = keys
        .unsqueeze::<1>()
        .unsqueeze::<1>()
        .expand::<1, _>(Sz::<2>)
        .expand::<2, _>(Sz::<70>);
    let lengths: Tensor![i64; 3] = tensor([20, 40, 60]);
    assert_eq!(
        x.attention_masked(&x, &x, &mask, Attention::new()),
        x.attention_masked(&x, &x, &copy(&mask), Attention::new())
    );
    close(
        "lengths",
        &[],
        &x.attention_padded(&x, &x, &lengths, Attention::new())
            .to_vec(),
        &x.attention_masked(&x, &x, &mask, Attention::new()).to_vec(),
    );
}

/// A mask and a bias together, and either in groups of heads, against what they are made of.
#[test]
fn masks_and_biases_in_groups() {
    type Queries = Tensor![f64; 2, 4, 3, 2];
    type Keys = Tensor![f64; 2, 2, 65, 2];
    type Repeated = Tensor![f64; 2, 4, 65, 2];
    type Bias = Tensor![f64; 4, 3, 65];
    #[differentiable]
    fn repeated(k: &Keys) -> Repeated {
        k.repeat_interleave::<1, 2>()
    }
    #[differentiable]
    fn grouped(q: &Queries, k: &Keys, b: &Bias, #[constant] m: &Tensor![bool; 2, 4, 3, 65]) -> f64 {
        let how = Attention::new();
        let masked = q.attention_grouped_masked(k, k, m, how);
        let biased = q.attention_grouped_biased(k, k, b, how);
        let both = q.attention_grouped_masked_biased(k, k, m, b, how);
        (masked.sin() + biased.cos() * 2.0 + both.exp())
            .sum()
            .item()
    }
    #[differentiable]
    fn apart(q: &Queries, k: &Keys, b: &Bias, #[constant] m: &Tensor![bool; 2, 4, 3, 65]) -> f64 {
        let (how, keys) = (Attention::new(), repeated(k));
        let masked = q.attention_masked(&keys, &keys, m, how);
        let biased = q.attention_biased(&keys, &keys, b, how);
        let hidden = b
            .expand_as(&q.matmul(&keys.transpose::<2, 3>()))
            .masked_fill(&m.logical_not(), f64::NEG_INFINITY);
        let both = q.attention_biased(&keys, &keys, &hidden, how);
        let joint = q.attention_masked_biased(&keys, &keys, m, b, how);
        (masked.sin() + biased.cos() * 2.0 + both.exp() * 0.25 + joint.exp() * 0.75)
            .sum()
            .item()
    }
    let q: Queries = between(Default::default(), 1, -1.0, 1.0);
    let k: Keys = between(Default::default(), 2, -1.0, 1.0);
    let b: Bias = between(Default::default(), 3, -1.0, 1.0);
    // Query 1 of head 0 sees nothing.
    let m = Tensor::from_fn(|i| i % 5 < 3 && !(65..130).contains(&i));
    let (x, (d_q, d_k, d_b)) = grouped::value_and_grad(&q, &k, &b, &m);
    let (y, (e_q, e_k, e_b)) = apart::value_and_grad(&q, &k, &b, &m);
    assert!((x - y).abs() < 1e-12 * y.abs());
    for (d, e) in [
        (d_q.to_vec(), e_q.to_vec()),
        (d_k.to_vec(), e_k.to_vec()),
        (d_b.to_vec(), e_b.to_vec()),
    ] {
        for (d, e) in d.iter().zip(&e) {
            assert!((d - e).abs() < 1e-12, "{d} is not {e}");
        }
    }
}
