//! Schedules by their names.

use super::Schedule;
use std::f64::consts::PI;

/// A schedule made of pieces, one after the other; see [`then`](Curve::then).
///
/// After its last piece it keeps the factor that this ends with.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
struct Piece {
    /// Without an end for those that go on for ever.
    steps: Option<u64>,
    form: Form,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Constant(f64),
    Warmup,
    Linear { end: f64 },
    Cosine { end: f64 },
    Polynomial { power: f64, end: f64 },
    Exponential(f64),
    Stairs { every: u64, factor: f64 },
    Milestones { at: Vec<u64>, factor: f64 },
    OneCycle,
}

/// The same factor for so many steps.
///
/// # Panics
/// When `steps` is 0, or the factor is negative or not finite.
pub fn constant(steps: u64, factor: f64) -> Curve {
    Curve::new("constant", Some(steps), factor, Form::Constant(factor))
}

/// Rises in equal steps to 1: `(step + 1)/steps`. PyTorch has this as `LinearLR(start_factor=1/steps,
/// total_iters=steps - 1)`.
///
/// # Panics
/// When `steps` is 0.
pub fn warmup(steps: u64) -> Curve {
    Curve::new("warmup", Some(steps), 1.0, Form::Warmup)
}

/// From 1 in a straight line to `end`, which it has after so many steps.
///
/// # Panics
/// When `steps` is 0, or `end` is negative or not finite.
pub fn linear(steps: u64, end: f64) -> Curve {
    Curve::new("linear", Some(steps), end, Form::Linear { end })
}

/// From 1 along half a wave of the cosine to `end`: `end + (1 − end)·(1 + cos(π·step/steps))/2` (Loshchilov & Hutter 2017).
///
/// # Panics
/// When `steps` is 0, or `end` is negative or not finite.
pub fn cosine(steps: u64, end: f64) -> Curve {
    Curve::new("cosine", Some(steps), end, Form::Cosine { end })
}

/// `end + (1 − end)·(1 − step/steps)^power`.
///
/// # Panics
/// When `steps` is 0, or `power` is not a finite number above 0, or `end` is negative or not finite.
pub fn polynomial(steps: u64, power: f64, end: f64) -> Curve {
    assert!(
        power.is_finite() && power > 0.0,
        "the power of `polynomial` is {power}, expected a finite number above 0"
    );
    Curve::new(
        "polynomial",
        Some(steps),
        end,
        Form::Polynomial { power, end },
    )
}

/// `factor^step`, for ever.
///
/// # Panics
/// When the factor is negative or not finite.
pub fn exponential(factor: f64) -> Curve {
    Curve::new("exponential", None, factor, Form::Exponential(factor))
}

/// Times `factor` after each `every` steps, for ever.
///
/// # Panics
/// When `every` is 0, or the factor is negative or not finite.
pub fn step_decay(every: u64, factor: f64) -> Curve {
    assert!(
        every > 0,
        "`step_decay` has 0 steps between its changes, expected at least 1"
    );
    Curve::new("step_decay", None, factor, Form::Stairs { every, factor })
}

/// Times `factor` from each of the steps `at` on, for ever.
///
/// # Panics
/// When the factor is negative or not finite.
pub fn milestones(at: &[u64], factor: f64) -> Curve {
    let at = at.to_vec();
    Curve::new("milestones", None, factor, Form::Milestones { at, factor })
}

/// One cycle of so many steps: from 1/25 along a cosine to 1, which it has after three tenths of them, and down to
/// 1/250000 in the last (Smith & Topin 2018). PyTorch has this as `OneCycleLR(max_lr, total_steps=steps)`, where
/// `max_lr` is our learning rate.
///
/// # Panics
/// When there are fewer than 4 steps.
pub fn one_cycle(steps: u64) -> Curve {
    assert!(
        steps >= 4,
        "`one_cycle` has {steps} steps, expected at least 4"
    );
    Curve::new("one_cycle", Some(steps), 1.0, Form::OneCycle)
}

impl Curve {
    fn new(name: &str, steps: Option<u64>, factor: f64, form: Form) -> Self {
        assert!(
            steps != Some(0),
            "`{name}` has 0 steps, expected at least 1"
        );
        assert!(
            factor.is_finite() && factor >= 0.0,
            "the factor of `{name}` is {factor}, expected a finite number of at least 0"
        );
        let pieces = vec![Piece { steps, form }];
        Curve { pieces }
    }

    /// Ends a schedule that goes on for ever, or cuts it short: it keeps the factor that it has after so many steps.
    ///
    /// # Panics
    /// When it ends before.
    pub fn until(mut self, steps: u64) -> Self {
        let before: u64 = self
            .pieces
            .iter()
            .rev()
            .skip(1)
            .filter_map(|p| p.steps)
            .sum();
        let last = self.pieces.last_mut().expect("at least one piece");
        assert!(
            steps > before && last.steps.is_none_or(|n| steps - before <= n),
            "the schedule cannot be ended after {steps} steps: its last piece begins after {before}"
        );
        last.steps = Some(steps - before);
        self
    }

    /// Goes on with another schedule, whose steps count from where this one ends. Its factors are on the learning rate
    /// of the optimiser, not on that of this schedule's end.
    ///
    /// # Panics
    /// When this one goes on for ever; [`until`](Curve::until) ends it.
    pub fn then(mut self, next: Curve) -> Self {
        let ends = self.pieces.iter().all(|piece| piece.steps.is_some());
        assert!(
            ends,
            "a schedule follows one that goes on for ever: end that with `until`"
        );
        self.pieces.extend(next.pieces);
        self
    }
}

impl Schedule for Curve {
    fn factor(&self, step: u64) -> f64 {
        let (mut step, last) = (step, self.pieces.len() - 1);
        for piece in &self.pieces[..last] {
            let steps = piece.steps.expect("those before the last one end");
            if step < steps {
                return piece.factor(step);
            }
            step -= steps;
        }
        self.pieces[last].factor(step)
    }
}

impl Piece {
    fn factor(&self, step: u64) -> f64 {
        let step = self.steps.map_or(step, |steps| step.min(steps));
        // From 0 to 1 over the piece.
        let part = self.steps.map_or(0.0, |steps| step as f64 / steps as f64);
        match &self.form {
            Form::Constant(factor) => *factor,
            Form::Warmup => {
                let steps = self.steps.map_or(1.0, |steps| steps as f64);
                ((step + 1) as f64 / steps).min(1.0)
            }
            Form::Linear { end } => between(1.0, *end, part),
            Form::Cosine { end } => waved(1.0, *end, part),
            Form::Polynomial { power, end } => between(*end, 1.0, (1.0 - part).powf(*power)),
            Form::Exponential(factor) => factor.powf(step as f64),
            Form::Stairs { every, factor } => factor.powf((step / every) as f64),
            Form::Milestones { at, factor } => {
                let passed = at.iter().filter(|&&at| step >= at).count();
                factor.powf(passed as f64)
            }
            Form::OneCycle => {
                let steps = self.steps.map_or(1.0, |steps| steps as f64);
                let (step, top, last) = (step as f64, 0.3 * steps - 1.0, steps - 1.0);
                let (low, lowest) = (1.0 / 25.0, 1.0 / (25.0 * 1e4));
                match step <= top {
                    true => waved(low, 1.0, step / top),
                    false => waved(1.0, lowest, ((step - top) / (last - top)).min(1.0)),
                }
            }
        }
    }
}

fn between(start: f64, end: f64, part: f64) -> f64 {
    start + (end - start) * part
}

/// From `start` to `end` along half a wave.
fn waved(start: f64, end: f64, part: f64) -> f64 {
    end + (start - end) * (1.0 + (PI * part).cos()) / 2.0
}
