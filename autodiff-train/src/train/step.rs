use super::{NotFinite, Objective};
use crate::ad::{Differentiable, Tangent};
use crate::device::DeviceError;
use crate::nn::Ctx;
use crate::optim::Optimizer;
use thiserror::Error;

/// Why a training step failed. The module is as it was before the step.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// The loss is infinite or NaN.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// An operation on a device could not be done.
    #[error("the loss cannot be read from its device: {0}")]
    Device(DeviceError),
}

/// One step of training: computes the loss of a batch and its gradient, lets the optimiser change the module, and
/// commits the buffers. Returns the loss before the step.
///
/// ```
/// use differentiable::nn::*;
/// use differentiable::optim::Sgd;
/// use differentiable::prelude::*;
/// use differentiable::train::{Objective, step_seed, train_step};
///
/// dim!(Batch);
///
/// #[module]
/// struct Net { hidden: Linear<1, 8>, #[init(Dropout::new(0.1))] drop: Dropout, out: Linear<8, 1> }
///
/// #[differentiable]
/// impl Objective<(Tensor![Batch, 1], Tensor![Batch, 1])> for Net {
///     fn loss(&self, batch: &(Tensor![Batch, 1], Tensor![Batch, 1]), ctx: &mut Ctx) -> Tensor![] {
///         let h = self.drop.forward(&self.hidden.forward(&batch.0).tanh(), ctx);
///         self.out.forward(&h).mse_loss(&batch.1)
///     }
/// }
///
/// let mut net = Net::new(&mut Seeds::new(0));
/// let mut sgd = Sgd::new(0.1);
/// let x = Tensor::from_fn_with((Batch(16), Sz), |i| i as f32 / 16.0);
/// let batch = (x.clone(), x.sin());
/// let mut losses = vec![];
/// for step in 0..100 {
///     let mut ctx = Ctx::train(&net, step_seed(7, step));
///     losses.push(train_step(&mut net, &mut sgd, &batch, &mut ctx)?);
/// }
/// assert!(losses[99] < 0.2 * losses[0], "{losses:?}");
/// # Ok::<(), differentiable::train::StepError>(())
/// ```
///
/// # Errors
/// If the loss is not finite, or cannot be read. Module, buffers and optimiser then are as before.
pub fn train_step<M, B, O>(
    net: &mut M,
    optimizer: &mut O,
    batch: &B,
    ctx: &mut Ctx,
) -> Result<f64, StepError>
where
    M: Objective<B>,
    B: Differentiable,
    O: Optimizer,
{
    let (loss, grad) = loss_and_grad(net, batch, ctx)?;
    optimizer.step(net, &grad);
    ctx.commit(net);
    Ok(loss)
}

/// A finite loss and its gradient. On an error the context forgets the new buffers.
pub(super) fn loss_and_grad<M, B>(
    net: &M,
    batch: &B,
    ctx: &mut Ctx,
) -> Result<(f64, M::Tangent), StepError>
where
    M: Objective<B>,
    B: Differentiable,
{
    let (loss, grad) = net.loss_value_and_grad(batch, ctx);
    let loss = loss.try_item().map(f64::from);
    match loss {
        Ok(loss) if loss.is_finite() => Ok((loss, grad)),
        Ok(loss) => {
            let found = NotFinite::find(loss, net, ctx);
            ctx.discard();
            Err(found.into())
        }
        Err(error) => {
            ctx.discard();
            Err(StepError::Device(error))
        }
    }
}

/// The seed of the context of a step, counted from 0: a run of steps that begins anew at any of them draws the same
/// random numbers. It is the output number `step` of the sequence [`Seeds::new(seed)`](crate::nn::Seeds).
pub fn step_seed(seed: u64, step: u64) -> u64 {
    // The distance between the states of SplitMix64.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    crate::nn::Seeds::new(seed.wrapping_add(step.wrapping_mul(STRIDE))).next_seed()
}

/// The mean of the gradients of several batches, for a batch larger than fits into memory.
///
/// A gradient is weighted by the rows of its batch, so that the mean is the gradient of the mean loss over all rows.
///
/// ```
/// use differentiable::train::Accumulate;
///
/// let mut sum = Accumulate::over(2);
/// assert_eq!(sum.add(1.0_f64, 3), None); // of three rows
/// assert_eq!(sum.add(5.0, 1), Some(2.0));
/// assert_eq!(sum.add(7.0, 3), None);
/// assert_eq!(sum.finish(), Some(7.0)); // what is left at the end of an epoch
/// ```
#[derive(Clone, Debug)]
pub struct Accumulate<T> {
    batches: usize,
    sum: Option<T>,
    count: usize,
    rows: usize,
}

impl<T: Tangent> Accumulate<T> {
    /// The mean of this many batches each time.
    ///
    /// # Panics
    /// When it is 0.
    pub fn over(batches: usize) -> Self {
        assert!(
            batches > 0,
            "gradients are accumulated over at least one batch"
        );
        Accumulate {
            batches,
            sum: None,
            count: 0,
            rows: 0,
        }
    }

    /// Adds the gradient of a batch; returns the mean when enough have come.
    pub fn add(&mut self, grad: T, rows: usize) -> Option<T> {
        // A single batch needs no weight, and keeps its bits.
        if self.batches == 1 {
            return Some(grad);
        }
        let grad = grad.scale(rows as f64);
        self.sum = Some(match self.sum.take() {
            None => grad,
            Some(sum) => Tangent::add(sum, grad),
        });
        self.count += 1;
        self.rows += rows;
        (self.count == self.batches).then(|| self.finish())?
    }

    /// The mean of what has come since the last one; `None` if that is nothing.
    pub fn finish(&mut self) -> Option<T> {
        let sum = self.sum.take()?;
        let rows = std::mem::take(&mut self.rows);
        self.count = 0;
        Some(sum.scale(1.0 / rows.max(1) as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::Seeds;

    #[test]
    fn seeds_of_steps_are_one_sequence() {
        let mut seeds = Seeds::new(u64::MAX - 3);
        for step in 0..50 {
            assert_eq!(step_seed(u64::MAX - 3, step), seeds.next_seed());
        }
    }

    #[test]
    fn the_mean_is_weighted_by_rows() {
        let mut sum = Accumulate::over(3);
        assert_eq!(sum.add((1.0_f64, 2.0_f64), 1), None);
        assert_eq!(sum.add((3.0, 0.0), 2), None);
        let mean = sum.add((0.0, 8.0), 5).unwrap();
        assert_eq!(mean, (7.0 / 8.0, 42.0 / 8.0));
        assert_eq!(sum.finish(), None);
    }

    #[test]
    fn one_batch_stays_as_it_is() {
        let mut sum = Accumulate::over(1);
        assert_eq!(sum.add(0.1_f64, 3), Some(0.1));
        assert_eq!(sum.finish(), None);
    }
}
