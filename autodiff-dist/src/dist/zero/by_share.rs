use crate::device::{AnyStorage, ToDevice};
use crate::dist::Ranks;
use crate::nn::Module;
use crate::optim::{GradNorm, Optimizer, OptimizerError, OptimizerState, OptimizerStateError};

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

impl<O: Optimizer> ToDevice for ByShare<O> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        self.optimizer.each_storage(each);
    }
}

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

    fn learning_rate(&self) -> f64 {
        self.optimizer.learning_rate()
    }

    fn rate(&self) -> f64 {
        self.optimizer.rate()
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        self.optimizer.set_learning_rate(learning_rate);
    }

    fn observe(&mut self, loss: f64) {
        self.optimizer.observe(loss);
    }

    fn state(&self) -> OptimizerState {
        self.optimizer.state()
    }

    fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        self.optimizer.load_state(model, state)
    }
}
