use crate::dist::Ranks;
use crate::dist::inner::of_inner;
use crate::nn::Module;
use crate::optim::{GradNorm, Optimizer, OptimizerError};

/// An optimiser of a module whose parameters are all divided among the ranks, such as one of [`Sharded`](crate::dist::Sharded)
/// layers: each rank takes the step with its part, and the norm to which gradients are clipped is that of all parts.
///
/// Its state is that of this rank's part, so each rank saves its own.
#[derive(Clone)]
pub struct ByShare<O> {
    optimizer: O,
    ranks: Ranks,
}

impl<O: Optimizer> ByShare<O> {
    /// Lets the ranks take steps together.
    pub fn new(optimizer: O, ranks: &Ranks) -> Self {
        ByShare {
            optimizer,
            ranks: ranks.clone(),
        }
    }
}

of_inner!(devices of ByShare);

impl<O: Optimizer> Optimizer for ByShare<O> {
    fn try_step<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
    ) -> Result<GradNorm, OptimizerError> {
        let ranks = self.ranks.clone();
        self.optimizer.try_step_of_share(model, grad, &|own| {
            let failed = |e: crate::dist::CommError| OptimizerError::Ranks { why: e.to_string() };
            ranks.sum(own).map_err(failed)
        })
    }

    fn takes_mean(&self) -> bool {
        true
    }

    fn has_whole_state(&self) -> bool {
        false
    }

    of_inner!(settings);
    of_inner!(state);
}
