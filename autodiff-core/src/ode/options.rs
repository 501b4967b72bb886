//! How accurate a solution is to be, and why there may be none.

use super::record::Checkpoints;
use crate::ad::Scalar;

/// How an equation is solved with steps whose size is chosen.
///
/// ```
/// use differentiable::ode::Options;
///
/// let options = Options { rtol: 1e-10, atol: 1e-12, ..Options::default() };
/// ```
///
/// Options have no derivative. In an annotated function, those that are made of its arguments stand in
/// `no_grad!(Options { .. })`, and a parameter `&Options` is a `#[constant]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The error of a step that is allowed, relative to the size of each number. 10⁻⁶ if not said otherwise.
    pub rtol: f64,
    /// The error that is allowed in any case, for numbers near zero. 10⁻⁹ if not said otherwise.
    pub atol: f64,
    /// The size of the first step; if `None`, it is found (Hairer, Nørsett, Wanner, II.4).
    pub first_step: Option<f64>,
    /// The size that no step is larger than.
    pub max_step: Option<f64>,
    /// How often a step may be tried, 100 000 times if not said otherwise.
    pub max_steps: usize,
    /// What the reverse pass finds, and what it computes again.
    pub checkpoints: Checkpoints,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rtol: 1e-6,
            atol: 1e-9,
            first_step: None,
            max_step: None,
            max_steps: 100_000,
            checkpoints: Checkpoints::Auto,
        }
    }
}

impl Options {
    /// A literal in code over the scalar `S`: options are held.
    #[doc(hidden)]
    pub fn __over_new<S: Scalar>(
        atol: S,
        checkpoints: Checkpoints,
        first_step: Option<S>,
        max_step: Option<S>,
        max_steps: usize,
        rtol: S,
    ) -> Self {
        Options {
            rtol: rtol.to_f64(),
            atol: atol.to_f64(),
            first_step: first_step.map(S::to_f64),
            max_step: max_step.map(S::to_f64),
            max_steps,
            checkpoints,
        }
    }

    /// Refuses what is no accuracy and no size.
    pub(super) fn check(&self) -> Result<(), OdeError> {
        let refuse = |option, value| Err(OdeError::Option { option, value });
        let good = |x: f64| x >= 0.0 && x.is_finite();
        if !good(self.rtol) {
            return refuse("rtol", self.rtol);
        }
        if !good(self.atol) || self.atol + self.rtol == 0.0 {
            return refuse("atol", self.atol);
        }
        for (option, size) in [("first_step", self.first_step), ("max_step", self.max_step)] {
            match size {
                Some(h) if h.is_nan() || h <= 0.0 => return refuse(option, h),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Which changes of sign of the function of an event count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    #[default]
    Any,
}

impl Crossing {
    /// Whether there is a crossing between two values.
    pub(super) fn between(self, before: f64, after: f64) -> bool {
        let rising = before < 0.0 && after >= 0.0 && self != Crossing::Falling;
        rising || before > 0.0 && after <= 0.0 && self != Crossing::Rising
    }
}

/// Why an equation has no solution here.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OdeError {
    /// Steps became so small that time does not go on: the solution ends there, jumps, or is stiff.
    #[error(
        "at t = {t} the step became {step:e}, too small to go on: the solution ends or jumps there, or the \
         tolerance is below what f64 can tell"
    )]
    StepTooSmall {
        /// Where.
        t: f64,
        /// The step that was tried last.
        step: f64,
    },
    /// As many steps were tried as are allowed.
    #[error(
        "{max_steps} steps reached t = {t} only: the equation may be stiff; `max_steps` allows more"
    )]
    TooManySteps {
        /// Where.
        t: f64,
        /// [`Options::max_steps`].
        max_steps: usize,
    },
    /// The right-hand side, or the function of an event, is NaN or infinite, however small the step.
    #[error("the right-hand side or the function of an event is not finite at t = {t}")]
    NotFinite {
        /// Where.
        t: f64,
    },
    /// An option that is no accuracy or no size.
    #[error("`{option}` cannot be {value}")]
    Option {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: f64,
    },
    /// The times are not finite, or not in the order in which the solution passes them.
    #[error("time {index} is {time}: times are finite and go from `t0` in one direction")]
    Times {
        /// Which of them.
        index: usize,
        /// Its value.
        time: f64,
    },
}
