//! Sequences of different lengths in one batch.

use autodiff_core::prelude::*;

/// 1 for the examples that still go on at step `t`, and 0 for the others, in all entries.
#[track_caller]
pub(super) fn alive<B: Dim, const H: usize, T: Float>(
    lengths: &[i64],
    batch: B,
    steps: usize,
    t: usize,
) -> Tensor<(B, Sz<H>), T> {
    if let Some((i, n)) = lengths
        .iter()
        .enumerate()
        .find(|(_, n)| !(0..=steps as i64).contains(*n))
    {
        panic!("the length of sequence {i} is {n}, in a batch of {steps} steps");
    }
    Tensor::from_fn_with((batch, Sz::<H>), |at| match (t as i64) < lengths[at / H] {
        true => T::lit(1.0),
        false => T::ZERO,
    })
}

/// The steps of each example in reverse, up to its length; what follows stays where it is.
pub(super) fn reversed<L: Dim, B: Dim, const I: usize>(
    lengths: &[i64],
    steps: L,
    batch: B,
) -> Tensor<(L, B, Sz<I>), i64> {
    let width = batch.size() * I;
    Tensor::from_fn_with((steps, batch, Sz::<I>), |at| {
        let (t, n) = ((at / width) as i64, lengths[at % width / I]);
        if t < n { n - 1 - t } else { t }
    })
}
