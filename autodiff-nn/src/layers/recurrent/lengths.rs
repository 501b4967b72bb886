//! Sequences of different lengths in one batch.

use autodiff_core::prelude::*;

/// The number of steps of each sequence of a padded batch.
///
/// ```
/// use autodiff_nn::nn::Lengths;
/// let lengths = Lengths::from([5, 3, 4]);
/// assert_eq!(lengths.steps(), [5, 3, 4]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lengths(pub(super) Vec<i64>);

autodiff_core::__discrete!([] Lengths);

impl Lengths {
    /// The steps of each example.
    pub fn steps(&self) -> &[i64] {
        &self.0
    }
}

impl From<Vec<i64>> for Lengths {
    fn from(steps: Vec<i64>) -> Self {
        Lengths(steps)
    }
}

impl<const N: usize> From<[i64; N]> for Lengths {
    fn from(steps: [i64; N]) -> Self {
        Lengths(steps.to_vec())
    }
}

impl<B: Dim> From<&Tensor<(B,), i64>> for Lengths {
    fn from(steps: &Tensor<(B,), i64>) -> Self {
        Lengths(steps.to_vec())
    }
}

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
#[track_caller]
pub(super) fn alive<B: Dim, const H: usize, T: Float>(
    lengths: &[i64],
    batch: B,
    steps: usize,
    t: usize,
) -> Tensor<(B, Sz<H>), T> {
    check(lengths, batch.size(), steps);
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
    check(&lengths.0, batch.size(), steps.size());
    let width = batch.size() * I;
    Tensor::from_fn_with((steps, batch, Sz::<I>), |at| {
        let (t, n) = ((at / width) as i64, lengths.0[at % width / I]);
        if t < n { n - 1 - t } else { t }
    })
}
