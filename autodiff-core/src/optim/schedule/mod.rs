//! Learning rates that change from step to step.

mod curve;
mod plateau;

pub use curve::{
    Curve, constant, cosine, exponential, linear, milestones, one_cycle, polynomial, step_decay,
    warmup,
};
pub use plateau::Plateau;

/// A factor on the learning rate, as a function of the step.
///
/// Steps count from 0, so that the first step has the rate `base · factor(0)`. A closure `|step| ..` is a schedule, and so
/// is a [`Curve`] from [`warmup`], [`cosine`] and the other functions here. The optimiser counts the steps and saves their
/// number, and a run that goes on from a saved state has the rates that it would have had.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::{Optimizer, Sgd, cosine, warmup};
///
/// let mut sgd = Sgd::new(0.5).schedule(warmup(2).then(cosine(100, 0.0)));
/// let mut x = 1.0_f64;
/// sgd.step(&mut x, &1.0); // with half of the rate
/// assert_eq!(x, 0.75);
///
/// let mut inverse_root = Sgd::new(0.5).schedule(|step| 1.0 / ((step + 1) as f64).sqrt());
/// inverse_root.step(&mut x, &1.0);
/// assert_eq!(x, 0.25);
/// ```
pub trait Schedule: Send + Sync + 'static {
    /// The factor of a step.
    fn factor(&self, step: u64) -> f64;
}

impl<F: Fn(u64) -> f64 + Send + Sync + 'static> Schedule for F {
    fn factor(&self, step: u64) -> f64 {
        self(step)
    }
}
