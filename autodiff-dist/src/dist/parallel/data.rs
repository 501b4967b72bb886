use super::buckets::buckets;
use super::overlap::{Learned, Weight, parts, receive};
use crate::ad::Tangent;
use crate::dist::flat::{self, Which};
use crate::dist::{CommError, Numbers, Ranks, Reduce};
use crate::nn::Module;

/// Data parallel training: each rank has the whole module and computes the gradient of its rows, and all take the same step with the
/// mean.
///
/// ```
/// use differentiable::dist::{DataParallel, threads};
/// use differentiable::optim::{Optimizer, Sgd};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[module]
/// struct Line { fit: Linear<1, 1> }
///
/// #[differentiable]
/// impl Line {
///     fn loss(&self, #[constant] x: &Tensor![Batch, 1]) -> Tensor![] {
///         (self.fit.forward(x) - x * 2.0).square().mean()
///     }
/// }
///
/// // Two ranks, each with one of two rows, do what one rank does with both.
/// let train = |ranks: &differentiable::dist::Ranks, rows: &[f32]| {
///     let mut line = Line::new(&mut Seeds::new(1));
///     let mut data = DataParallel::new(ranks);
///     data.share(&mut line).unwrap();
///     let x: Tensor![Batch, 1] = Tensor::from_slice_with((Batch(rows.len()), Sz), rows).unwrap();
///     for _ in 0..50 {
///         let (_, grad) = data.value_and_grad(rows.len(), || line.loss_value_and_grad(&x)).unwrap();
///         Sgd::new(0.1).step(&mut line, &grad);
///     }
///     line.fit.weight[[0, 0]]
/// };
/// let alone = train(&differentiable::dist::Ranks::alone(), &[0.5, -1.0]);
/// let together = threads(2, |ranks| train(&ranks, &[[0.5], [-1.0]][ranks.rank()]));
/// assert!((together[0] - alone).abs() < 1e-6 && together[0] == together[1]);
/// ```
///
/// [`value_and_grad`](DataParallel::value_and_grad) sends the gradient of a layer while those of the layers before are computed;
/// [`mean`](DataParallel::mean) sends a gradient that is complete, for example one that was
/// [accumulated](crate::optim::Accumulate) over several batches without communication.
pub struct DataParallel {
    ranks: Ranks,
    bytes: usize,
    learned: Learned,
}

impl DataParallel {
    /// For these ranks, with buckets of 4 MB.
    pub fn new(ranks: &Ranks) -> Self {
        DataParallel {
            ranks: ranks.clone(),
            bytes: 4 << 20,
            learned: Learned::default(),
        }
    }

    /// Sends so many bytes at a time. The gradient of the layers that are computed last is not hidden behind anything, so smaller
    /// buckets hide more; each call costs some microseconds.
    ///
    /// # Panics
    /// If it is 0.
    pub fn bucket_bytes(mut self, bytes: usize) -> Self {
        assert!(bytes > 0, "a bucket has at least one byte");
        self.bytes = bytes;
        self
    }

    /// The ranks.
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Gives the parameters and buffers of rank 0 to all ranks.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or has another module.
    pub fn share<M: Module>(&self, model: &mut M) -> Result<(), CommError> {
        for which in [Which::Parameters, Which::Buffers] {
            flat::exchange(model, which, |x| self.ranks.broadcast(x, 0))?;
        }
        Ok(())
    }

    /// The mean of the gradients of all ranks.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or has another gradient.
    pub fn mean<G: Tangent>(&self, grad: G) -> Result<G, CommError> {
        self.mean_by(grad, 1)
    }

    /// The mean of the gradients of all ranks, weighted by the rows that each had: the gradient of the mean loss over all rows. A
    /// rank without rows may bring any gradient.
    ///
    /// # Errors
    /// As [`mean`](DataParallel::mean).
    pub fn mean_by<G: Tangent>(&self, grad: G, rows: usize) -> Result<G, CommError> {
        if self.ranks.size() == 1 {
            return Ok(grad);
        }
        let weight = self.weight(rows).get()?;
        let (grad, parts) = parts(grad)?;
        let order: Vec<usize> = (0..parts.pieces.len()).rev().collect();
        let buckets = buckets(&parts.pieces, &order, self.bytes);
        let pending = parts.mean(&self.ranks, &buckets, weight)?;
        receive(grad, &parts.pieces, &buckets, pending)
    }

    /// Calls `f`, which computes a value and a gradient of so many rows, and returns the value with the mean of the gradients of all
    /// ranks. The mean of one layer is computed while `f` computes the gradients of the layers before it.
    ///
    /// # Errors
    /// As [`mean`](DataParallel::mean).
    pub fn value_and_grad<R, G: Tangent>(
        &mut self,
        rows: usize,
        f: impl FnOnce() -> (R, G),
    ) -> Result<(R, G), CommError> {
        if self.ranks.size() == 1 {
            return Ok(f());
        }
        let weight = self.weight(rows);
        self.learned.run(&self.ranks, self.bytes, weight, f)
    }

    fn weight(&self, rows: usize) -> Weight {
        let rows = rows as f64;
        let total = self.ranks.all_reduce(Numbers::F64(vec![rows]), Reduce::Sum);
        Weight {
            rows,
            total: Some(total),
            known: None,
        }
    }

    /// The means of values over the rows of all ranks, such as losses and metrics.
    ///
    /// # Errors
    /// As [`mean`](DataParallel::mean).
    pub fn mean_of(&self, values: &[f64], rows: usize) -> Result<Vec<f64>, CommError> {
        let rows = rows as f64;
        // Without rows a value may be NaN.
        let weighted = values
            .iter()
            .map(|x| if rows > 0.0 { x * rows } else { 0.0 });
        let all: Vec<f64> = weighted.chain([rows]).collect();
        let sums = self.ranks.sums(&all)?;
        let (total, sums) = sums.split_last().expect("there is the number of rows");
        Ok(sums.iter().map(|x| x / total).collect())
    }

    /// Replaces the buffers of a module, such as running statistics, by their means over all ranks: each rank has seen other rows.
    ///
    /// # Errors
    /// As [`mean`](DataParallel::mean).
    pub fn mean_buffers<M: Module>(&self, model: &mut M) -> Result<(), CommError> {
        means(&self.ranks, model, Which::Buffers)
    }
}

/// Replaces parameters or buffers by their means over all ranks.
pub(super) fn means<M: Module>(
    ranks: &Ranks,
    model: &mut M,
    which: Which,
) -> Result<(), CommError> {
    if ranks.size() == 1 {
        return Ok(());
    }
    flat::exchange(model, which, |mut x| {
        x.scale(1.0 / ranks.size() as f64);
        ranks.all_reduce(x, Reduce::Sum)
    })
}
