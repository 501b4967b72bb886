use super::data::DataParallel;
use crate::dist::inner::of_inner;
use crate::dist::{CommError, Ranks};
use crate::nn::Module;
use crate::optim::{GradNorm, Optimizer, OptimizerError};

/// An optimiser that takes the mean of the gradients of all ranks before each step, so that a program with a loop of its own trains by
/// several ranks: all ranks begin with the same module, and each draws its own rows.
///
/// ```
/// use differentiable::dist::{DistributedOptimizer, threads};
/// use differentiable::optim::{Adam, Optimizer};
///
/// let found = threads(2, |ranks| {
///     let mut x = 3.0_f64;
///     let mut adam = DistributedOptimizer::new(Adam::new(0.1), &ranks);
///     for _ in 0..300 {
///         let gradient = x - ranks.rank() as f64; // this rank's rows want 0 or 1
///         adam.step(&mut x, &gradient);
///     }
///     x
/// });
/// assert!((found[0] - 0.5).abs() < 1e-3 && found[0] == found[1]);
/// ```
///
/// The mean takes each rank as if it had as many rows. [`DataParallel`] counts rows, and sends gradients while the reverse pass goes on.
pub struct DistributedOptimizer<O> {
    optimizer: O,
    data: DataParallel,
}

impl<O: Optimizer> DistributedOptimizer<O> {
    /// With the mean over these ranks.
    pub fn new(optimizer: O, ranks: &Ranks) -> Self {
        DistributedOptimizer {
            optimizer,
            data: DataParallel::new(ranks),
        }
    }

    /// Gives the parameters and buffers of rank 0 to all ranks, before the first step.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or has another module.
    pub fn share<M: Module>(&self, model: &mut M) -> Result<(), CommError> {
        self.data.share(model)
    }
}

of_inner!(devices of DistributedOptimizer);

impl<O: Optimizer> Optimizer for DistributedOptimizer<O> {
    fn try_step<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
    ) -> Result<GradNorm, OptimizerError> {
        let mean = self.data.mean(grad.clone());
        let mean = mean.map_err(|e| OptimizerError::Ranks { why: e.to_string() })?;
        self.optimizer.try_step(model, &mean)
    }

    fn takes_mean(&self) -> bool {
        true
    }

    fn has_whole_state(&self) -> bool {
        self.optimizer.has_whole_state()
    }

    of_inner!(settings);
    of_inner!(state);
}
