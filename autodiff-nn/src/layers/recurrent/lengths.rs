//! Sequences of different lengths in one batch.

use crate::layers::Lengths;
use autodiff_core::prelude::*;

#[track_caller]
fn check(lengths: &[i64], examples: usize, steps: usize) {
    let given = lengths.len();
    assert!(
        given == examples,
        "{given} lengths for a batch of {examples} sequences"
    );
    let fits = |n: &i64| (0..=steps as i64).contains(n);
    if let Some((i, n)) = lengths.iter().enumerate().find(|(_, n)| !fits(n)) {
        panic!("the length of sequence {i} is {n}, in a batch of {steps} steps");
    }
}

/// 1 for the examples that still go on at step `t`, and 0 for the others, in all entries.
pub(super) fn alive<B: Dim, const H: usize, T: Float>(
    lengths: &[i64],
    batch: B,
    t: usize,
) -> Tensor<(B, Sz<H>), T> {
    Tensor::from_fn_with((batch, Sz::<H>), |at| match (t as i64) < lengths[at / H] {
        true => T::lit(1.0),
        false => T::ZERO,
    })
}

/// The steps of each example in reverse, up to its length; what follows stays where it is.
#[track_caller]
pub(super) fn reversed<L: Dim, B: Dim, const I: usize>(
    lengths: &Lengths,
    steps: L,
    batch: B,
) -> Tensor<(L, B, Sz<I>), i64> {
    check(lengths.steps(), batch.size(), steps.size());
    let width = batch.size() * I;
    Tensor::from_fn_with((steps, batch, Sz::<I>), |at| {
        let (t, n) = ((at / width) as i64, lengths.steps()[at % width / I]);
        if t < n { n - 1 - t } else { t }
    })
}

/// The input with zeros in the place of padding, whatever stands there. Checks the lengths.
#[differentiable]
pub(super) fn without_padding<L: Dim, B: Dim, const I: usize, T: Float>(
    x: &Tensor<(L, B, Sz<I>), T>,
    lengths: &Lengths,
) -> Tensor<(L, B, Sz<I>), T> {
    let is_padding: Tensor<(L, B, Sz<I>), bool> =
        no_grad!(behind(lengths, x.shape()).to(x.device()));
    let zero: T = no_grad!(T::ZERO);
    x.masked_fill(&is_padding, zero)
}

/// Where a sequence has ended.
#[track_caller]
fn behind<L: Dim, B: Dim, const I: usize>(
    lengths: &Lengths,
    shape: (L, B, Sz<I>),
) -> Tensor<(L, B, Sz<I>), bool> {
    check(lengths.steps(), shape.1.size(), shape.0.size());
    let width = shape.1.size() * I;
    Tensor::from_fn_with(shape, |at| {
        (at / width) as i64 >= lengths.steps()[at % width / I]
    })
}
