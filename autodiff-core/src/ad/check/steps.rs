//! Derivatives by differences over several steps, with an estimate of their error.
//!
//! Short steps suffer from rounding, `ε·|f|/h`, long ones from the curvature of the function, `h²`. Two steps cancel
//! the error of second order (Richardson 1911), and two results so made differ by about the error of the worse one,
//! whatever its cause. A wrong derivative stays wrong at every step.

/// A derivative by differences.
pub(super) struct Estimate {
    pub(super) step: f64,
    pub(super) value: f64,
    pub(super) error: f64,
}

pub(super) struct Estimates {
    pub(super) all: Vec<Estimate>,
    /// The smallest error.
    pub(super) least: f64,
}

/// Each step is that many times the one before.
const RATIO: f64 = 4.0;
/// The longest step.
const LONGEST: f64 = 0.1;

impl Estimates {
    /// Around the step `h`; `rounding` is the error of one value if nothing but the result is rounded.
    pub(super) fn new(h: f64, rounding: f64, difference: impl Fn(f64) -> f64) -> Self {
        let mut step = h / RATIO.powi(3);
        let mut last = difference(step);
        let mut before = None;
        let mut all = Vec::new();
        loop {
            step *= RATIO;
            let next = difference(step);
            let value = (RATIO * RATIO * last - next) / (RATIO * RATIO - 1.0);
            if let Some(before) = before {
                let error = f64::abs(value - before) + rounding / step;
                all.push(Estimate { step, value, error });
            }
            (last, before) = (next, Some(value));
            if step * RATIO > LONGEST {
                break;
            }
        }
        // NaN is outside the domain, and no minimum.
        let least = all.iter().fold(f64::INFINITY, |m, e| m.min(e.error));
        Estimates { all, least }
    }
}
