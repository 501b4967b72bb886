use super::{NotFinite, Objective};
use crate::ad::Differentiable;
use crate::device::{DeviceError, OutOfRange, catch_index_errors};
use crate::nn::Ctx;
use crate::optim::{Optimizer, OptimizerError};
use thiserror::Error;

/// Why a training step failed. The module is as it was before the step.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// The loss is infinite or NaN.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// A label is no class, or another index is outside its range.
    #[error(transparent)]
    OutOfRange(Box<OutOfRange>),
    /// An operation on a device could not be done.
    #[error("the loss cannot be read from its device: {0}")]
    OnDevice(DeviceError),
    /// A pattern of the optimiser names no parameter, for example.
    #[error(transparent)]
    Optimizer(Box<OptimizerError>),
}

// Boxed, so that a result of a run stays small.
impl From<OutOfRange> for StepError {
    fn from(error: OutOfRange) -> Self {
        StepError::OutOfRange(Box::new(error))
    }
}

impl From<OptimizerError> for StepError {
    fn from(error: OptimizerError) -> Self {
        StepError::Optimizer(Box::new(error))
    }
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
/// If the loss is not finite, meets an index outside its range, or cannot be read; if the optimiser cannot take the step. Module, buffers and optimiser then are as before.
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
    if let Err(error) = optimizer.try_step(net, &grad) {
        ctx.discard();
        return Err(error.into());
    }
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
    let computed = catch_index_errors(|| {
        let (loss, grad) = net.loss_value_and_grad(batch, ctx);
        (loss.try_item().map(f64::from), grad)
    });
    let error = match computed {
        Ok((Ok(loss), grad)) if loss.is_finite() => return Ok((loss, grad)),
        Ok((Ok(loss), _)) => NotFinite::find(loss, net, ctx).into(),
        Ok((Err(error), _)) => StepError::OnDevice(error),
        Err(error) => error.into(),
    };
    ctx.discard();
    Err(error)
}

impl StepError {
    /// The row that an index outside its range belongs to, of a batch of these rows: known where the operation was given one
    /// index for each row.
    pub(super) fn row(&self, rows: Option<Vec<usize>>) -> Option<usize> {
        match (self, rows) {
            (StepError::OutOfRange(error), Some(rows)) if error.entries == rows.len() => {
                rows.get(error.error.position).copied()
            }
            _ => None,
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
}
