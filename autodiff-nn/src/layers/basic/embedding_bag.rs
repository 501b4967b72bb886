//! Sums, means and maxima of embedded tokens.

use autodiff_core::prelude::*;

/// What an [`EmbeddingBag`] makes of the vectors of a bag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bag {
    /// Their sum.
    Sum,
    /// Their mean.
    #[default]
    Mean,
    /// The largest of each entry.
    Max,
}

autodiff_core::__discrete!([] Bag);

/// A table of `N` vectors of size `D`, of which each bag of tokens gives one: ids `[B, L]` give `[B, D]`, the sum, mean or
/// maximum of `L` rows.
#[module(kind: Bag)]
pub struct EmbeddingBag<const N: usize, const D: usize, T: Float = f32> {
    /// The rows, standard normal at first.
    #[init(Tensor::randn(seeds.next_seed()))]
    pub weight: Tensor![T; { N }, { D }],
    /// What becomes of the vectors of a bag.
    #[config]
    #[init(kind)]
    pub kind: Bag,
}

#[differentiable]
impl<const N: usize, const D: usize, T: Float> EmbeddingBag<N, D, T> {
    /// The vector of each bag.
    ///
    /// # Panics
    /// If a number is not below `N`.
    pub fn forward<B: Dim, L: Dim>(&self, ids: &Tensor<(B, L), i64>) -> Tensor![T; B, { D }] {
        let rows = self.weight.embedding(ids);
        match self.kind {
            Bag::Sum => rows.sum_axis::<1>(),
            Bag::Mean => rows.mean_axis::<1>(),
            Bag::Max => rows.max_axis::<1>(),
        }
    }
}
