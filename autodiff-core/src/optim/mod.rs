//! Optimisers.
//!
//! ```
//! # use autodiff_core as differentiable;
//! use differentiable::optim::{Adam, Optimizer};
//!
//! // The gradient of x² + y² is (2x, 2y).
//! let mut point = (3.0_f64, -2.0_f64);
//! let mut adam = Adam::new(0.1);
//! for _ in 0..500 {
//!     let gradient = (2.0 * point.0, 2.0 * point.1);
//!     adam.step(&mut point, &gradient);
//! }
//! assert!(point.0.abs() < 1e-3 && point.1.abs() < 1e-3);
//! ```

mod adam;
mod any;
mod clip;
mod sgd;
mod slots;

pub use adam::{Adam, AdamW};
pub use any::AnyOptimizer;
pub use clip::{GradNorm, clip_grad_norm};
pub use sgd::Sgd;
pub use slots::{OptimizerState, OptimizerStateError};

use crate::device::ToDevice;
use crate::nn::Module;

/// Changes the parameters of a model by their gradient.
///
/// What it remembers of a parameter follows the parameter to its device; [`to`](ToDevice::to) brings it there before.
///
/// Settings that may change during training, such as the learning rate, are not part of the saved
/// state: they belong to the program.
pub trait Optimizer: ToDevice {
    /// One step. The gradient is what `value_and_grad` returns for the model.
    fn step<M: Module>(&mut self, model: &mut M, grad: &M::Tangent);

    /// The learning rate.
    fn learning_rate(&self) -> f64;

    /// Changes the learning rate, from the next step on.
    fn set_learning_rate(&mut self, learning_rate: f64);

    /// A copy of what the optimiser remembers between steps.
    fn state(&self) -> OptimizerState;

    /// Goes on from a saved state: the next step is bit for bit the one that would have followed.
    ///
    /// The state must be of the same algorithm and fit the model; if not, nothing is changed.
    fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError>;
}

fn check_rate(learning_rate: f64) {
    let fine = learning_rate.is_finite() && learning_rate >= 0.0;
    assert!(
        fine,
        "the learning rate is {learning_rate}, expected a finite number of at least 0"
    );
}

fn check_fraction(name: &str, value: f64) {
    assert!(
        (0.0..1.0).contains(&value),
        "{name} is {value}, expected at least 0 and below 1"
    );
}

fn check_decay(weight_decay: f64) {
    let fine = weight_decay.is_finite() && weight_decay >= 0.0;
    assert!(
        fine,
        "weight decay is {weight_decay}, expected a finite number of at least 0"
    );
}
