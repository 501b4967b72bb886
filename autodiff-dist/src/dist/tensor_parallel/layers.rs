use super::ops::{copied, summed};
use crate::dist::{CommError, Ranks, Share};
use crate::nn::Seeds;
use crate::prelude::*;
use crate::shape::{Broadcast, MatMul, Paired, SameBatch, SameInner, Shape};
use crate::tensor::Raw;

dim!(
    /// The part of an axis that a rank has.
    pub Split
);

/// The part of an axis of `n` for a rank: where it begins, and its size.
pub(super) fn part(n: usize, ranks: &Ranks) -> (usize, Split) {
    let own = Share::of(ranks).range(n);
    (own.start, Split(own.len()))
}

/// A [`Linear`] layer whose outputs are divided among the ranks: each has some columns of the weight.
///
/// It takes what all ranks have, and gives this rank's outputs. [`RowLinear`] takes them; [`gathered`](crate::dist::gathered()) joins
/// them.
///
/// ```
/// use differentiable::dist::{ColumnLinear, Ranks, RowLinear, threads};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[derive(Clone, Differentiable, Module)]
/// struct Net { up: ColumnLinear<4, 16>, down: RowLinear<16, 2> }
///
/// #[differentiable]
/// impl Net {
///     fn forward(&self, x: &Tensor![Batch, 4]) -> Tensor![Batch, 2] {
///         self.down.forward(&self.up.forward(x).gelu())
///     }
/// }
///
/// let output = |ranks: &Ranks| {
///     let seeds = &mut Seeds::new(1);
///     let net = Net { up: ColumnLinear::new(seeds, ranks), down: RowLinear::new(seeds, ranks) };
///     net.forward(&Tensor::ones_with((Batch(1), Sz)))[[0, 0]]
/// };
/// let alone = output(&Ranks::alone());
/// for together in threads(4, |ranks| output(&ranks)) {
///     assert!((together - alone).abs() < 1e-6);
/// }
/// ```
#[derive(Clone, Debug, Differentiable, Module)]
pub struct ColumnLinear<const I: usize, const O: usize> {
    /// This rank's columns of the weight.
    pub weight: Tensor<(Sz<I>, Split)>,
    /// The bias of this rank's outputs.
    pub bias: Tensor<(Split,)>,
    #[constant]
    ranks: Ranks,
}

/// A [`Linear`] layer whose inputs are divided among the ranks: each has some rows of the weight.
///
/// It takes this rank's inputs, and gives what all ranks have: the sum of the products of all ranks, and the bias.
#[derive(Clone, Debug, Differentiable, Module)]
pub struct RowLinear<const I: usize, const O: usize> {
    /// This rank's rows of the weight.
    pub weight: Tensor<(Split, Sz<O>)>,
    /// The bias, which is the same on all ranks.
    pub bias: Tensor<(Sz<O>,)>,
    #[constant]
    ranks: Ranks,
}

impl<const I: usize, const O: usize> ColumnLinear<I, O> {
    /// This rank's part of what [`Linear::new`] draws, whatever the number of ranks.
    pub fn new(seeds: &mut Seeds, ranks: &Ranks) -> Self {
        Self::of(&Linear::new(seeds), ranks)
    }

    /// This rank's part of a layer, which must be the same on all ranks.
    pub fn of(layer: &Linear<I, O>, ranks: &Ranks) -> Self {
        let (at, own) = part(O, ranks);
        ColumnLinear {
            weight: own_copy(layer.weight.narrow::<1, _>(at, own)),
            bias: own_copy(layer.bias.narrow::<0, _>(at, own)),
            ranks: ranks.clone(),
        }
    }

    /// The whole layer, which all ranks gather together.
    ///
    /// # Errors
    /// If a rank ended or did not come in time.
    pub fn whole(&self) -> Result<Linear<I, O>, CommError> {
        let parts = self.ranks.gather_all(&self.weight.to_vec())?;
        let mut weight = Vec::with_capacity(I * O);
        for row in 0..I {
            for part in &parts {
                let n = part.len() / I.max(1);
                weight.extend(&part[row * n..(row + 1) * n]);
            }
        }
        let bias = self.ranks.gather_all(&self.bias.to_vec())?.concat();
        Ok(linear(weight, bias))
    }
}

impl<const I: usize, const O: usize> RowLinear<I, O> {
    /// This rank's part of what [`Linear::new`] draws, whatever the number of ranks.
    pub fn new(seeds: &mut Seeds, ranks: &Ranks) -> Self {
        Self::of(&Linear::new(seeds), ranks)
    }

    /// This rank's part of a layer, which must be the same on all ranks.
    pub fn of(layer: &Linear<I, O>, ranks: &Ranks) -> Self {
        let (at, own) = part(I, ranks);
        RowLinear {
            weight: own_copy(layer.weight.narrow::<0, _>(at, own)),
            bias: layer.bias.clone(),
            ranks: ranks.clone(),
        }
    }

    /// The whole layer, which all ranks gather together.
    ///
    /// # Errors
    /// If a rank ended or did not come in time.
    pub fn whole(&self) -> Result<Linear<I, O>, CommError> {
        let weight = self.ranks.gather_all(&self.weight.to_vec())?.concat();
        Ok(linear(weight, self.bias.to_vec()))
    }
}

/// The part alone: a view would keep all of the other ranks' numbers.
pub(super) fn own_copy<S: Shape>(part: Tensor<S>) -> Tensor<S> {
    let own = Raw::from_slice(part.device(), part.dims(), &part.to_vec());
    Tensor::new(part.shape(), own)
}

fn linear<const I: usize, const O: usize>(weight: Vec<f32>, bias: Vec<f32>) -> Linear<I, O> {
    Linear {
        weight: Tensor::from_vec(weight).expect("the parts make the whole"),
        bias: Tensor::from_vec(bias).expect("the parts make the whole"),
    }
}

#[differentiable]
impl<const I: usize, const O: usize> ColumnLinear<I, O> {
    /// This rank's outputs.
    ///
    /// # Panics
    /// In the reverse pass, if a rank ended or did not come in time.
    pub fn forward<S, R>(&self, x: &Tensor<S>) -> Tensor<R>
    where
        S: Shape + MatMul<(Sz<I>, Split), Out = R>,
        <S as MatMul<(Sz<I>, Split)>>::Inner: SameInner<S, (Sz<I>, Split)>,
        <S as MatMul<(Sz<I>, Split)>>::Batch: SameBatch<S, (Sz<I>, Split)>,
        R: Shape + Broadcast<(Split,), Joint = R>,
        <R as Broadcast<(Split,)>>::Pairs: Paired<R, (Split,)>,
    {
        copied(x, &self.ranks).matmul(&self.weight) + &self.bias
    }
}

#[differentiable]
impl<const I: usize, const O: usize> RowLinear<I, O> {
    /// The outputs, from this rank's inputs.
    ///
    /// # Panics
    /// If a rank ended or did not come in time.
    pub fn forward<S, R>(&self, x: &Tensor<S>) -> Tensor<R>
    where
        S: Shape + MatMul<(Split, Sz<O>), Out = R>,
        <S as MatMul<(Split, Sz<O>)>>::Inner: SameInner<S, (Split, Sz<O>)>,
        <S as MatMul<(Split, Sz<O>)>>::Batch: SameBatch<S, (Split, Sz<O>)>,
        R: Shape + Broadcast<(Sz<O>,), Joint = R>,
        <R as Broadcast<(Sz<O>,)>>::Pairs: Paired<R, (Sz<O>,)>,
    {
        summed(&x.matmul(&self.weight), &self.ranks) + &self.bias
    }
}
