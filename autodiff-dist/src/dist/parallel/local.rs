use super::data::means;
use crate::dist::flat::Which;
use crate::dist::{CommError, Ranks};
use crate::nn::Module;

/// Local SGD: each rank takes steps of its own, and all take the mean of their parameters now and then (Stich 2019, "Local SGD
/// Converges Fast and Communicates Little").
///
/// It needs a fraction of the communication of [`DataParallel`](crate::dist::DataParallel), and is not the same as one rank with the
/// whole batch. What optimisers remember stays with each rank.
///
/// ```
/// use differentiable::dist::{LocalSgd, threads};
/// use differentiable::optim::{Optimizer, Sgd};
///
/// // The ranks want 0 and 2: their mean settles between.
/// let found = threads(2, |ranks| {
///     let mut x = 5.0_f64;
///     let mut local = LocalSgd::new(&ranks, 10);
///     for _ in 0..200 {
///         let gradient = x - 2.0 * ranks.rank() as f64;
///         Sgd::new(0.1).step(&mut x, &gradient);
///         local.after_step(&mut x).unwrap();
///     }
///     x
/// });
/// assert!((found[0] - 1.0).abs() < 1e-6 && found[0] == found[1]);
/// ```
pub struct LocalSgd {
    ranks: Ranks,
    every: u64,
    steps: u64,
}

impl LocalSgd {
    /// Takes the mean every so many steps.
    ///
    /// # Panics
    /// If it is 0.
    pub fn new(ranks: &Ranks, every: u64) -> Self {
        assert!(
            every > 0,
            "the mean of parameters every 0 steps, expected at least 1"
        );
        LocalSgd {
            ranks: ranks.clone(),
            every,
            steps: 0,
        }
    }

    /// Counts a step. Returns whether parameters and buffers are now the means of all ranks.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or has another module.
    pub fn after_step<M: Module>(&mut self, model: &mut M) -> Result<bool, CommError> {
        self.steps += 1;
        let due = self.steps.is_multiple_of(self.every);
        if due {
            self.mean(model)?;
        }
        Ok(due)
    }

    /// Takes the mean now: before the module is measured or saved.
    ///
    /// # Errors
    /// As [`after_step`](LocalSgd::after_step).
    pub fn mean<M: Module>(&self, model: &mut M) -> Result<(), CommError> {
        means(&self.ranks, model, Which::Parameters)?;
        means(&self.ranks, model, Which::Buffers)
    }
}
