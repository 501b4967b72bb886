//! Vectors for numbers of tokens.

use autodiff_core::prelude::*;
use autodiff_core::shape::{Affine, Insert};

/// A table of `N` vectors of size `D`: token `i` is row `i`.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::Embedding;
///
/// let table = Embedding::<10, 4>::with_padding(0, &mut Seeds::new(0));
/// let x: Tensor![3, 4] = table.forward(&differentiable::prelude::tensor([0_i64, 7, 7]));
/// assert_eq!(x[[0, 2]], 0.0);
/// ```
#[module(no_new)]
pub struct Embedding<const N: usize, const D: usize, T: Float = f32> {
    /// The rows, standard normal at first.
    pub weight: Tensor![T; { N }, { D }],
    /// The token that stands for nothing: its row is zero at first and gets no gradient.
    #[config]
    pub padding: Option<usize>,
}

impl<const N: usize, const D: usize, T: Float> Embedding<N, D, T> {
    /// A table of standard normal rows.
    pub fn new(seeds: &mut Seeds) -> Self {
        Embedding {
            weight: Tensor::randn(seeds.next_seed()),
            padding: None,
        }
    }

    /// A table in which one token stands for nothing.
    ///
    /// # Panics
    /// If the table has no such row.
    #[track_caller]
    pub fn with_padding(padding: usize, seeds: &mut Seeds) -> Self {
        assert!(
            padding < N,
            "the padding token {padding} of a table with {N} rows"
        );
        let mut table = Self::new(seeds);
        let keep = row_mask::<N, T>(Some(padding));
        table.weight = &table.weight * keep.unsqueeze::<1>().expand::<1, _>(Sz::<D>);
        table.padding = Some(padding);
        table
    }
}

impl<const N: usize, const D: usize, T: Float> autodiff_core::nn::Initialize
    for Embedding<N, D, T>
{
    fn initialize(seeds: &mut Seeds) -> Self {
        Self::new(seeds)
    }
}

/// 1 for each row, 0 for that of the padding.
fn row_mask<const N: usize, T: Float>(padding: Option<usize>) -> Tensor![T; { N }] {
    Tensor::from_fn(|i| {
        if Some(i) == padding {
            T::ZERO
        } else {
            T::lit(1.0)
        }
    })
}

#[differentiable]
impl<const N: usize, const D: usize, T: Float> Embedding<N, D, T> {
    /// The rows of the tokens: ids `[..]` give `[.., D]`.
    ///
    /// # Panics
    /// If a number is not below `N`.
    pub fn forward<S: Shape + Insert<-1>>(
        &self,
        ids: &Tensor<S, i64>,
    ) -> Tensor<<S as Insert<-1>>::Out<Sz<D>>, T> {
        if self.padding.is_some() {
            let keep = no_grad!(
                row_mask::<N, T>(self.padding)
                    .unsqueeze::<1>()
                    .expand::<1, _>(Sz::<D>)
            );
            // The row itself stays what it is; its gradient is cut off.
            let fixed = no_grad!(&self.weight - &self.weight * &keep);
            (&self.weight * &keep + &fixed).embedding(ids)
        } else {
            self.weight.embedding(ids)
        }
    }

    /// The products of vectors with all rows: logits by the same weights that embed (Press & Wolf 2017), `[.., D]` to
    /// `[.., N]`.
    pub fn attend<S: Shape + Affine<D, N>>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<<S as Affine<D, N>>::Out, T> {
        x.affine(&self.weight.t(), &no_grad!(Tensor::<(Sz<N>,), T>::zeros()))
    }
}
