use super::layers::{Split, own_copy, part};
use super::ops::{copied, summed};
use crate::dist::{CommError, Ranks};
use crate::nn::{MultiHead, Seeds};
use crate::prelude::*;
use crate::shape::Shape;

/// Self-attention with several heads, [`MultiHead`], whose heads are divided among the ranks.
///
/// Queries, keys and values of a head stay on its rank; what the heads have read is summed over the ranks.
#[derive(Clone, Debug, Differentiable, Module)]
pub struct SplitHeads<const D: usize, const H: usize, const K: usize> {
    /// Makes the queries of this rank's heads.
    pub query: Tensor<(Sz<D>, Split, Sz<K>)>,
    /// Makes their keys.
    pub key: Tensor<(Sz<D>, Split, Sz<K>)>,
    /// Makes their values.
    pub value: Tensor<(Sz<D>, Split, Sz<K>)>,
    /// Added to queries.
    pub query_bias: Tensor<(Split, Sz<K>)>,
    /// Added to keys.
    pub key_bias: Tensor<(Split, Sz<K>)>,
    /// Added to values.
    pub value_bias: Tensor<(Split, Sz<K>)>,
    /// Puts the heads together.
    pub out: Tensor<(Split, Sz<K>, Sz<D>)>,
    /// Added to the outputs, the same on all ranks.
    pub out_bias: Tensor<(Sz<D>,)>,
    #[constant]
    ranks: Ranks,
}

impl<const D: usize, const H: usize, const K: usize> SplitHeads<D, H, K> {
    /// This rank's part of what [`MultiHead`] draws, whatever the number of ranks.
    ///
    /// # Panics
    /// If there are fewer heads than ranks.
    #[track_caller]
    pub fn new(seeds: &mut Seeds, ranks: &Ranks) -> Self {
        Self::of(&MultiHead::new(seeds), ranks)
    }

    /// This rank's part of a layer, which must be the same on all ranks.
    ///
    /// # Panics
    /// If there are fewer heads than ranks.
    #[track_caller]
    pub fn of(layer: &MultiHead<D, H, K>, ranks: &Ranks) -> Self {
        let size = ranks.size();
        assert!(H >= size, "{H} heads cannot be divided among {size} ranks");
        let (at, own) = part(H, ranks);
        SplitHeads {
            query: own_copy(layer.query.narrow::<1, _>(at, own)),
            key: own_copy(layer.key.narrow::<1, _>(at, own)),
            value: own_copy(layer.value.narrow::<1, _>(at, own)),
            query_bias: own_copy(layer.query_bias.narrow::<0, _>(at, own)),
            key_bias: own_copy(layer.key_bias.narrow::<0, _>(at, own)),
            value_bias: own_copy(layer.value_bias.narrow::<0, _>(at, own)),
            out: own_copy(layer.out.narrow::<0, _>(at, own)),
            out_bias: layer.out_bias.clone(),
            ranks: ranks.clone(),
        }
    }

    /// The whole layer, which all ranks gather together.
    ///
    /// # Errors
    /// If a rank ended or did not come in time.
    pub fn whole(&self) -> Result<MultiHead<D, H, K>, CommError> {
        let ranks = &self.ranks;
        Ok(MultiHead {
            query: joined(&self.query, D, ranks)?,
            key: joined(&self.key, D, ranks)?,
            value: joined(&self.value, D, ranks)?,
            query_bias: joined(&self.query_bias, 1, ranks)?,
            key_bias: joined(&self.key_bias, 1, ranks)?,
            value_bias: joined(&self.value_bias, 1, ranks)?,
            out: joined(&self.out, 1, ranks)?,
            out_bias: self.out_bias.clone(),
        })
    }
}

/// The parts of all ranks side by side, behind an axis of `rows`.
fn joined<S: Shape, R: Shape + Default>(
    x: &Tensor<S>,
    rows: usize,
    ranks: &Ranks,
) -> Result<Tensor<R>, CommError> {
    let parts = ranks.gather_all(&x.to_vec())?;
    let mut all = Vec::new();
    for row in 0..rows {
        for part in &parts {
            let n = part.len() / rows;
            all.extend(&part[row * n..(row + 1) * n]);
        }
    }
    let shape = R::default();
    Ok(Tensor::from_slice_with(shape, &all).expect("the parts make the whole"))
}

#[differentiable]
impl<const D: usize, const H: usize, const K: usize> SplitHeads<D, H, K> {
    /// What each position reads from all others; if `causal`, from itself and those before it.
    ///
    /// # Panics
    /// If a rank ended or did not come in time.
    pub fn forward<B: Dim, Q: Dim>(
        &self,
        x: &Tensor<(B, Q, Sz<D>)>,
        causal: bool,
    ) -> Tensor<(B, Q, Sz<D>)> {
        let x = copied(x, &self.ranks);
        let q = (x.tensordot::<1, _>(&self.query) + &self.query_bias).transpose::<1, 2>();
        let k = (x.tensordot::<1, _>(&self.key) + &self.key_bias).transpose::<1, 2>();
        let v = (x.tensordot::<1, _>(&self.value) + &self.value_bias).transpose::<1, 2>();
        let options = no_grad!(options(causal));
        let read = q.attention(&k, &v, options).transpose::<1, 2>();
        summed(&read.tensordot::<2, _>(&self.out), &self.ranks) + &self.out_bias
    }
}

fn options(causal: bool) -> Attention {
    match causal {
        true => Attention::new().causal(),
        false => Attention::new(),
    }
}
