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
//!
//! [`Descent`] has what all of them share: groups of parameters, clipping, schedules, the state that is saved. An
//! algorithm is its [`UpdateRule`], one file in `rules/`. [`Lbfgs`] stands apart, because a step of it evaluates the loss
//! several times.

mod accumulate;
mod any;
mod borrowed;
mod clip;
mod descent;
mod ema;
mod error;
mod group;
mod lbfgs;
mod loss_scale;
mod part;
mod pattern;
mod rule;
mod rules;
mod schedule;
mod settings;
mod slots;
mod state;

pub use accumulate::Accumulate;
pub use any::{AnyOptimizer, AnyRule};
pub use clip::{GradNorm, clip_grad_norm};
pub use descent::Descent;
pub use ema::Ema;
pub use error::OptimizerError;
pub use group::Group;
pub use lbfgs::{Lbfgs, LbfgsStep};
pub use loss_scale::{LossScale, LossScaleError};
pub use rule::{ParamStep, Slot, UpdateRule};
pub use rules::{
    Adadelta, AdadeltaRule, Adafactor, AdafactorRule, Adagrad, AdagradRule, Adam, AdamRule, AdamW,
    AdamWRule, Lamb, LambRule, Lion, LionRule, Muon, MuonRule, MuonScale, RmsProp, RmsPropRule,
    Sgd, SgdRule,
};
pub use schedule::{
    Curve, Plateau, Schedule, constant, cosine, exponential, linear, milestones, one_cycle,
    polynomial, step_decay, warmup,
};
pub use state::{OptimizerState, OptimizerStateError};

use crate::device::ToDevice;
use crate::nn::Module;
use std::collections::BTreeMap;

/// Changes the parameters of a model by their gradient.
///
/// What it remembers of a parameter follows the parameter to its device; [`to`](ToDevice::to) brings it there before.
///
/// The saved state has what changes during training: the number of steps, what is remembered of each parameter, the state
/// of a [`Plateau`]. Settings belong to the program: the base rate, groups, the schedule.
pub trait Optimizer: ToDevice {
    /// One step. The gradient is what `value_and_grad` returns for the model. Returns the norm of the gradient before
    /// clipping, without what is frozen.
    ///
    /// # Panics
    /// With the error of [`try_step`](Optimizer::try_step).
    #[track_caller]
    fn step<M: Module>(&mut self, model: &mut M, grad: &M::Tangent) -> GradNorm {
        match self.try_step(model, grad) {
            Ok(norm) => norm,
            Err(e) => panic!("{e}"),
        }
    }

    /// As [`step`](Optimizer::step), with an error where a pattern of a group matches no parameter, the schedule gives
    /// what is no factor, or the model is not the one of the steps before. The parameters are then as they were.
    fn try_step<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
    ) -> Result<GradNorm, OptimizerError>;

    /// As [`try_step`](Optimizer::try_step), for a share of the parameters, such as one rank of several has: `sum` makes the sum of
    /// squares of the whole gradient out of that of the share.
    ///
    /// # Errors
    /// [`OptimizerError::Whole`] if the update of an entry depends on other entries of its parameter, and those of `try_step`.
    fn try_step_of_share<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        sum: &dyn Fn(f64) -> Result<f64, OptimizerError>,
    ) -> Result<GradNorm, OptimizerError> {
        let _ = (model, grad, sum);
        Err(OptimizerError::Whole {
            algorithm: "this optimiser",
        })
    }

    /// As [`try_step`](Optimizer::try_step), for some whole parameters, such as those that one rank of several has: those whose names
    /// `owns` accepts. The others, and their gradients, are not looked at. `sum` makes the sum of squares of the whole gradient out of
    /// that of these; it is asked only where the step depends on it.
    ///
    /// # Errors
    /// [`OptimizerError::Some`] if the optimiser takes no such steps, and those of `try_step`.
    fn try_step_of_some<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        owns: &dyn Fn(&str) -> bool,
        sum: &dyn Fn(f64) -> Result<f64, OptimizerError>,
    ) -> Result<GradNorm, OptimizerError> {
        let _ = (model, grad, owns, sum);
        Err(OptimizerError::Some)
    }

    /// Whether a step takes the gradient of one rank and itself makes the mean over all ranks, as one does that divides its state
    /// among them.
    fn takes_mean(&self) -> bool {
        false
    }

    /// Whether [`state`](Optimizer::state) is that of all parameters, or of this rank's alone.
    fn has_whole_state(&self) -> bool {
        true
    }

    /// The base learning rate, without the factors of schedule, plateau and groups.
    fn learning_rate(&self) -> f64;

    /// The learning rate of the next step: the base rate with the factors of schedule and plateau; that of a group comes
    /// on top.
    ///
    /// # Panics
    /// When the schedule gives what is no factor.
    fn rate(&self) -> f64;

    /// Changes the base learning rate, from the next step on.
    fn set_learning_rate(&mut self, learning_rate: f64);

    /// Takes a loss, after an epoch for example: what a [`Plateau`] decides by. Has no effect without one.
    fn observe(&mut self, loss: f64);

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

fn check_positive(name: &str, value: f64) {
    let fine = value.is_finite() && value > 0.0;
    assert!(fine, "{name} is {value}, expected a finite number above 0");
}

/// Takes a number out of those of a saved state.
fn take_number(
    numbers: &mut BTreeMap<String, f64>,
    name: &str,
) -> Result<f64, OptimizerStateError> {
    let found = numbers.remove(name);
    found.ok_or_else(|| OptimizerStateError::MissingNumber {
        name: name.to_string(),
    })
}

/// An error if a saved state has numbers that nobody took.
fn none_left(numbers: &BTreeMap<String, f64>) -> Result<(), OptimizerStateError> {
    match numbers.keys().next() {
        Some(name) => Err(OptimizerStateError::SurplusNumber { name: name.clone() }),
        None => Ok(()),
    }
}
