use super::{GradNorm, Optimizer, OptimizerError, OptimizerState, OptimizerStateError};
use crate::nn::Module;

/// Passes all calls on, so that a wrapper of optimisers can borrow one.
impl<O: Optimizer> Optimizer for &mut O {
    fn try_step<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
    ) -> Result<GradNorm, OptimizerError> {
        (**self).try_step(model, grad)
    }

    fn try_step_of_share<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        sum: &dyn Fn(f64) -> Result<f64, OptimizerError>,
    ) -> Result<GradNorm, OptimizerError> {
        (**self).try_step_of_share(model, grad, sum)
    }

    fn try_step_of_some<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        owns: &dyn Fn(&str) -> bool,
        sum: &dyn Fn(f64) -> Result<f64, OptimizerError>,
    ) -> Result<GradNorm, OptimizerError> {
        (**self).try_step_of_some(model, grad, owns, sum)
    }

    fn takes_mean(&self) -> bool {
        (**self).takes_mean()
    }

    fn has_whole_state(&self) -> bool {
        (**self).has_whole_state()
    }

    fn learning_rate(&self) -> f64 {
        (**self).learning_rate()
    }

    fn rate(&self) -> f64 {
        (**self).rate()
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        (**self).set_learning_rate(learning_rate);
    }

    fn observe(&mut self, loss: f64) {
        (**self).observe(loss);
    }

    fn state(&self) -> OptimizerState {
        (**self).state()
    }

    fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        (**self).load_state(model, state)
    }
}
