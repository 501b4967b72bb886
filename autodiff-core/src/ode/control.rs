//! Steps of Dormand and Prince whose size is controlled by their error.
//!
//! The error of a step is the difference of the solutions of order 5 and 4, relative to `atol + rtol |y|`, as
//! a root mean square. With `e` this error and `e'` that of the step before, the next step is
//!
//! ```text
//! h · clamp(0.9 e^(−α) e'^β, 0.2, 10)        α = 0.2 − 0.75 β, β = 0.04
//! ```
//!
//! the PI controller of Gustafsson in the form of Hairer's DOPRI5 (Hairer, Nørsett, Wanner, *Solving Ordinary
//! Differential Equations I*, 1993, II.4 and IV.2). The first step is found by their algorithm too, from the
//! size of the first and second derivative.
//!
//! Control reads values alone: the mesh is one of `f64`, which moves with the tangents of the start as a whole.

use super::field::Field;
use super::options::{OdeError, Options};
use super::state::{self, State};
use super::step::{combined, lit, stages};
use super::tableau::{DormandPrince, Tableau};
use crate::ad::Scalar;

const BETA: f64 = 0.04;
const SAFETY: f64 = 0.9;
const SMALLEST_FACTOR: f64 = 0.2;
const LARGEST_FACTOR: f64 = 10.0;

/// Takes steps from the first time towards the last.
pub(super) struct Stepper<'f, S: Scalar, Y: State<S> + ?Sized, F> {
    field: &'f F,
    options: &'f Options,
    end: f64,
    /// The tangents of the start: zero and how it moves.
    moves: S,
    /// Where the next step starts.
    pub t: f64,
    /// The size that the next step has, if its error is small enough.
    h: f64,
    /// The state before the step.
    pub y: Y::Owned,
    /// The state after it.
    next: Y::Owned,
    /// The rates of the step, all seven.
    pub rates: Vec<Y::Owned>,
    error_before: f64,
    tries: usize,
}

impl<'f, S: Scalar, Y: State<S> + ?Sized, F: Field<S, Y>> Stepper<'f, S, Y, F> {
    pub(super) fn new(
        field: &'f F,
        y0: Y::Owned,
        start: S,
        end: f64,
        options: &'f Options,
    ) -> Result<Self, OdeError> {
        let rate = field.rate(start, &y0);
        let t0 = start.to_f64();
        if !state::is_finite::<S, Y>(&rate) {
            return Err(OdeError::NotFinite { t: t0 });
        }
        let mut stepper = Stepper {
            field,
            options,
            end,
            moves: start - S::lit(t0),
            t: t0,
            h: 0.0,
            next: y0.clone(),
            y: y0,
            rates: vec![rate],
            error_before: 1e-4,
            tries: 0,
        };
        let span = (end - t0).abs();
        let most = options.max_step.unwrap_or(f64::INFINITY).min(span);
        let h = match options.first_step {
            Some(h) => h.min(most),
            None => stepper.first_step(most),
        };
        stepper.h = h.copysign(end - t0);
        Ok(stepper)
    }

    /// Start and size of a step as scalars.
    pub(super) fn moving(&self, (t, h): (f64, f64)) -> (S, S) {
        (self.moves + S::lit(t), S::lit(h))
    }

    pub(super) fn arrived(&self) -> bool {
        self.t == self.end
    }

    /// What an error of each number is compared with.
    fn scale(&self, y: S) -> f64 {
        self.options.atol + self.options.rtol * y.to_f64().abs()
    }

    fn first_step(&self, most: f64) -> f64 {
        let (y, f0) = (Y::numbers(&self.y), Y::numbers(&self.rates[0]));
        let relative = |x: &[S]| -> f64 {
            let pairs = x.iter().zip(y);
            pairs
                .map(|(x, y)| (x.to_f64() / self.scale(*y)).powi(2))
                .sum()
        };
        let (size, slope) = (relative(y), relative(f0));
        // A scale of zero makes them infinite or NaN.
        let usable = size > 1e-10 && slope > 1e-10 && (size / slope).is_finite();
        let h = if usable {
            0.01 * (size / slope).sqrt()
        } else {
            1e-6
        };
        let h = h.min(most);
        let signed = h.copysign(self.end - self.t);
        let (t, h_moving) = self.moving((self.t, signed));
        let tried = combined::<S, Y>(&self.y, h_moving, [S::ONE], &self.rates);
        let f1 = self.field.rate(t + h_moving, &tried);
        let change: Vec<S> = Y::numbers(&f1)
            .iter()
            .zip(f0)
            .map(|(a, b)| *a - *b)
            .collect();
        let curvature = relative(&change).sqrt() / h;
        let largest = curvature.max(slope.sqrt());
        let h1 = if largest <= 1e-15 {
            (1e-3 * h).max(1e-6)
        } else {
            (0.01 / largest).powf(0.2)
        };
        let bounded = (100.0 * h).min(h1).min(most);
        if bounded > 0.0 { bounded } else { h }
    }

    /// The error of the step that was tried, relative to the tolerance; NaN if it led nowhere.
    fn error(&self, h: f64) -> f64 {
        let finite = state::is_finite::<S, Y>;
        if !finite(&self.next) || !self.rates.iter().all(finite) {
            return f64::NAN;
        }
        let mut error = state::zero::<S, Y>(&self.y);
        for (e, k) in DormandPrince::ERROR.iter().zip(&self.rates) {
            state::add::<S, Y>(&mut error, S::lit(h * e), k);
        }
        let (y, next) = (Y::numbers(&self.y), Y::numbers(&self.next));
        let relative = |(i, e): (usize, &S)| match e.to_f64() {
            0.0 => 0.0,
            e => (e / self.scale(y[i].abs().max(next[i].abs()))).powi(2),
        };
        let sum: f64 = Y::numbers(&error).iter().enumerate().map(relative).sum();
        (sum / y.len().max(1) as f64).sqrt()
    }

    /// Takes a step; its start and size.
    pub(super) fn step(&mut self) -> Result<(f64, f64), OdeError> {
        let Options {
            max_steps,
            max_step,
            ..
        } = *self.options;
        let (mut rejected, mut finite) = (false, true);
        loop {
            if self.tries >= max_steps {
                return Err(OdeError::TooManySteps {
                    t: self.t,
                    max_steps,
                });
            }
            self.tries += 1;
            let left = self.end - self.t;
            // A step that ends just before the end goes there.
            let last = 1.01 * self.h.abs() >= left.abs();
            let h = if last { left } else { self.h };
            if h.abs() <= 10.0 * S::EPSILON * self.t.abs() && (!last || rejected) {
                return Err(match finite {
                    true => OdeError::StepTooSmall { t: self.t, step: h },
                    false => OdeError::NotFinite { t: self.t },
                });
            }
            self.rates.truncate(1);
            let step = self.moving((self.t, h));
            stages::<DormandPrince, S, Y>(self.field, step, &self.y, &mut self.rates, 6);
            self.next = combined::<S, Y>(&self.y, step.1, lit(DormandPrince::B), &self.rates);
            self.rates
                .push(self.field.rate(step.0 + step.1, &self.next));
            let error = self.error(h);
            finite = !error.is_nan();
            let by_error = error.powf(0.2 - 0.75 * BETA);
            if error <= 1.0 {
                let wanted = by_error / self.error_before.powf(BETA) / SAFETY;
                let mut factor = 1.0 / wanted.clamp(1.0 / LARGEST_FACTOR, 1.0 / SMALLEST_FACTOR);
                if rejected {
                    factor = factor.min(1.0);
                }
                self.h = (h * factor)
                    .abs()
                    .min(max_step.unwrap_or(f64::INFINITY))
                    .copysign(h);
                self.error_before = error.max(1e-4);
                return Ok((self.t, h));
            }
            rejected = true;
            let factor = SAFETY / by_error;
            self.h = h * if factor > SMALLEST_FACTOR {
                factor
            } else {
                SMALLEST_FACTOR
            };
        }
    }

    /// A point of the step that was taken.
    pub(super) fn point(&self, h: S, theta: S) -> Y::Owned {
        combined::<S, Y>(&self.y, h, DormandPrince::dense(theta).0, &self.rates)
    }

    /// Goes to the end of the step that was taken.
    pub(super) fn advance(&mut self, (t, h): (f64, f64)) {
        let last = h == self.end - t;
        self.t = if last { self.end } else { t + h };
        core::mem::swap(&mut self.y, &mut self.next);
        // The last rate is the first of the next step.
        self.rates.swap(0, 6);
        self.rates.truncate(1);
    }
}
