//! Sums, means and maxima of embedded tokens.

use super::Embedding;
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
///
/// Bags of different sizes are filled up with a token that stands for nothing, and does not count:
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Bag, EmbeddingBag};
///
/// let table = EmbeddingBag::<10, 4>::with_padding(0, Bag::Mean, &mut Seeds::new(0));
/// let bags: Tensor![i64; 2, 3] = tensor([[4, 2, 7], [5, 0, 0]]); // three tokens, and one
/// let x: Tensor![2, 4] = table.forward(&bags);
/// assert_eq!(x[[1, 3]], table.weight[[5, 3]]);
/// ```
#[module(kind: Bag)]
pub struct EmbeddingBag<const N: usize, const D: usize, T: Float = f32> {
    /// The rows, standard normal at first.
    #[init(Tensor::randn(seeds.next_seed()))]
    pub weight: Tensor![T; { N }, { D }],
    /// What becomes of the vectors of a bag.
    #[config]
    #[init(kind)]
    pub kind: Bag,
    /// The token that does not count: its row gets no gradient.
    #[config]
    #[init(None)]
    pub padding: Option<usize>,
}

impl<const N: usize, const D: usize, T: Float> EmbeddingBag<N, D, T> {
    /// A table in which one token does not count; its row is zero.
    ///
    /// # Panics
    /// If the table has no such row.
    #[track_caller]
    pub fn with_padding(padding: usize, kind: Bag, seeds: &mut Seeds) -> Self {
        let weight = Embedding::<N, D, T>::with_padding(padding, seeds).weight;
        EmbeddingBag {
            weight,
            kind,
            padding: Some(padding),
        }
    }

    /// Where a token does not count.
    fn hidden<B: Dim, L: Dim>(&self, ids: &Tensor<(B, L), i64>) -> Tensor<(B, L, Sz<D>), bool> {
        let padding = self.padding.map_or(-1, |p| p as i64); // no token is negative
        ids.eq(padding).unsqueeze::<2>().expand::<2, _>(Sz::<D>)
    }

    /// How many tokens of each bag count, at least 1.
    fn counted<B: Dim, L: Dim>(&self, ids: &Tensor<(B, L), i64>) -> Tensor![T; B, { D }] {
        let counted = self.hidden(ids).logical_not().cast::<T>();
        let number = counted.sum_axis::<1>();
        number.maximum(&number.ones_like())
    }
}

#[differentiable]
impl<const N: usize, const D: usize, T: Float> EmbeddingBag<N, D, T> {
    /// The vector of each bag. That of a bag in which no token counts is zero.
    ///
    /// # Panics
    /// If a number is not below `N`.
    pub fn forward<B: Dim, L: Dim>(&self, ids: &Tensor<(B, L), i64>) -> Tensor![T; B, { D }] {
        let rows = self.weight.embedding(ids);
        if self.padding.is_some() {
            let hidden: Tensor<(B, L, Sz<D>), bool> = no_grad!(self.hidden(ids));
            let zero: T = no_grad!(T::ZERO);
            match self.kind {
                Bag::Sum => rows.masked_fill(&hidden, zero).sum_axis::<1>(),
                Bag::Mean => {
                    let counted: Tensor<(B, Sz<D>), T> = no_grad!(self.counted(ids));
                    rows.masked_fill(&hidden, zero).sum_axis::<1>() / &counted
                }
                Bag::Max => {
                    let lowest: T = no_grad!(T::lit(f64::NEG_INFINITY));
                    let empty: Tensor<(B, Sz<D>), bool> = no_grad!(hidden.all_axis::<1>());
                    let largest = rows.masked_fill(&hidden, lowest).max_axis::<1>();
                    largest.masked_fill(&empty, zero)
                }
            }
        } else {
            match self.kind {
                Bag::Sum => rows.sum_axis::<1>(),
                Bag::Mean => rows.mean_axis::<1>(),
                Bag::Max => rows.max_axis::<1>(),
            }
        }
    }

    /// The sum of the vectors of each bag, each times a weight: PyTorch's `per_sample_weights`. The weights have a derivative.
    ///
    /// # Panics
    /// If the layer gives means or maxima, or a number is not below `N`.
    pub fn forward_weighted<B: Dim, L: Dim>(
        &self,
        ids: &Tensor<(B, L), i64>,
        weights: &Tensor<(B, L), T>,
    ) -> Tensor![T; B, { D }] {
        no_grad!(assert!(
            self.kind == Bag::Sum,
            "the vectors of a bag have weights where it gives their sum (`Bag::Sum`), not with `Bag::{:?}`",
            self.kind
        ));
        let rows = self.weight.embedding(ids);
        let rows = if self.padding.is_some() {
            let hidden: Tensor<(B, L, Sz<D>), bool> = no_grad!(self.hidden(ids));
            let zero: T = no_grad!(T::ZERO);
            rows.masked_fill(&hidden, zero)
        } else {
            rows
        };
        einsum!("bld,bl->bd", &rows, weights)
    }
}
