//! Which keys a query sees.

use crate::layers::Lengths;
use autodiff_core::prelude::*;

/// Which keys the queries of a batch see.
#[derive(Clone, Debug)]
pub enum Keys {
    /// All of them.
    All,
    /// Those up to the position of the query; with more keys than queries the last positions agree.
    Causal,
    /// In example `i` the first `lengths[i]`: what follows is padding.
    First(Lengths),
    /// Both: up to the position of the query, and no padding.
    CausalFirst(Lengths),
}

autodiff_core::__discrete!([] Keys);

impl Keys {
    /// The first `lengths[i]` keys of example `i`: `Keys::first([5, 3])`.
    pub fn first(lengths: impl Into<Lengths>) -> Self {
        Keys::First(lengths.into())
    }

    /// The first `lengths[i]` keys of example `i`, up to the position of the query.
    pub fn causal_first(lengths: impl Into<Lengths>) -> Self {
        Keys::CausalFirst(lengths.into())
    }

    /// The options of attention, without the lengths.
    pub(super) fn options(&self) -> Attention {
        match self {
            Keys::All | Keys::First(_) => Attention::new(),
            Keys::Causal | Keys::CausalFirst(_) => Attention::new().causal(),
        }
    }

    /// The lengths; where there is no padding, all `keys`.
    #[track_caller]
    pub(super) fn lengths<B: Dim>(&self, batch: B, keys: usize) -> Tensor<(B,), i64> {
        match self {
            Keys::First(lengths) | Keys::CausalFirst(lengths) => {
                let (given, examples) = (lengths.steps(), batch.size());
                assert!(
                    given.len() == examples,
                    "{} lengths of keys for a batch of {examples} examples",
                    given.len()
                );
                Tensor::from_fn_with((batch,), |i| given[i])
            }
            Keys::All | Keys::Causal => Tensor::full_with((batch,), keys as i64),
        }
    }

    /// Where a key is hidden from a query, in `H` heads.
    #[track_caller]
    pub(super) fn hidden<const H: usize, B: Dim, Q: Dim, M: Dim>(
        &self,
        batch: B,
        queries: Q,
        keys: M,
    ) -> Tensor<(B, Sz<H>, Q, M), bool> {
        let (q, m) = (queries.size(), keys.size());
        let lengths = self.lengths(batch, m).to_vec();
        let is_causal = matches!(self, Keys::Causal | Keys::CausalFirst(_));
        Tensor::from_fn_with((batch, Sz::<H>, queries, keys), |at| {
            let (b, i, j) = (at / (H * q * m), at / m % q, at % m);
            j as i64 >= lengths[b] || (is_causal && j + q > i + m)
        })
    }

    /// Whether some keys are padding.
    pub(super) fn is_padded(&self) -> bool {
        matches!(self, Keys::First(_) | Keys::CausalFirst(_))
    }
}
