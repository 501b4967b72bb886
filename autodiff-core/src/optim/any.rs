use super::{Adam, AdamW, Optimizer, OptimizerState, OptimizerStateError, Sgd};
use crate::device::{Device, ToDevice};
use crate::nn::Module;

/// An optimiser chosen at run time.
#[derive(Clone)]
#[non_exhaustive]
pub enum AnyOptimizer {
    /// [`Sgd`].
    Sgd(Sgd),
    /// [`Adam`].
    Adam(Adam),
    /// [`AdamW`].
    AdamW(AdamW),
}

macro_rules! each {
    ($this:expr, $optimizer:ident => $call:expr) => {
        match $this {
            AnyOptimizer::Sgd($optimizer) => $call,
            AnyOptimizer::Adam($optimizer) => $call,
            AnyOptimizer::AdamW($optimizer) => $call,
        }
    };
}

impl Optimizer for AnyOptimizer {
    fn step<M: Module>(&mut self, model: &mut M, grad: &M::Tangent) {
        each!(self, o => o.step(model, grad))
    }
    fn learning_rate(&self) -> f64 {
        each!(self, o => o.learning_rate())
    }
    fn set_learning_rate(&mut self, learning_rate: f64) {
        each!(self, o => o.set_learning_rate(learning_rate))
    }
    fn state(&self) -> OptimizerState {
        each!(self, o => o.state())
    }
    fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        each!(self, o => o.load_state(model, state))
    }
}

impl ToDevice for AnyOptimizer {
    fn move_to(&mut self, device: &Device) {
        each!(self, o => o.move_to(device))
    }
}

impl From<Sgd> for AnyOptimizer {
    fn from(optimizer: Sgd) -> Self {
        AnyOptimizer::Sgd(optimizer)
    }
}

impl From<Adam> for AnyOptimizer {
    fn from(optimizer: Adam) -> Self {
        AnyOptimizer::Adam(optimizer)
    }
}

impl From<AdamW> for AnyOptimizer {
    fn from(optimizer: AdamW) -> Self {
        AnyOptimizer::AdamW(optimizer)
    }
}
