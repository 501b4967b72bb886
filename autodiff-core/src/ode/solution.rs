//! A solution by controlled steps, and its derivatives: those of the steps that were taken.
//!
//! The sizes of the steps are held: they follow the error, and a derivative of them would be one of the
//! control, not of the solution. All times of the mesh move with `t0`. A state that is read off at the time `s`
//! is a point of the interpolant, at `θ = (s − t_i) / h_i` of the step it is in, so
//!
//! ```text
//! s̄ = θ̄ / h_i        t̄0 = Σ t̄_i − θ̄ / h_i
//! ```

use super::control::Stepper;
use super::field::{Field, ForwardField, ReverseField};
use super::options::{OdeError, Options};
use super::record::Record;
use super::state::{self, State};
use super::step;
use super::step::{Point, Pushed};
use super::tableau::{DormandPrince, Tableau};
use crate::ad::Scalar;

/// A place in the mesh: the step, and where in it.
pub(super) type Place<S> = (usize, S);

/// States, and where they are in the mesh.
type Found<S, O> = (Vec<O>, Vec<Place<S>>);

/// Starts at `t0`. Where there is nowhere to go, one short step leads there, so that there is an interpolant.
pub(super) fn start<'f, S: Scalar, Y: State<S> + ?Sized, F: Field<S, Y>>(
    field: &'f F,
    y0: Y::Owned,
    t0: S,
    end: f64,
    options: &'f Options,
) -> Result<Stepper<'f, S, Y, F>, OdeError> {
    let from = t0.to_f64();
    let end = match end == from {
        true => from + 1e-8 * (1.0 + from.abs()),
        false => end,
    };
    Stepper::new(field, y0, t0, end, options)
}

/// The states at `times`, and where they are in the mesh.
pub(super) fn at<S: Scalar, Y: State<S> + ?Sized>(
    field: &impl Field<S, Y>,
    y0: Y::Owned,
    t0: S,
    times: &[S],
    options: &Options,
    mut leaving: impl FnMut((S, S), &Y::Owned),
) -> Result<Found<S, Y::Owned>, OdeError> {
    options.check()?;
    let (mut states, mut places) = (Vec::new(), Vec::new());
    let Some(&end) = times.last() else {
        return Ok((states, places));
    };
    check_times(t0, times)?;
    let end = end.to_f64();
    let mut stepper = start::<S, Y, _>(field, y0, t0, end, options)?;
    let mut taken = 0;
    while states.len() < times.len() {
        let step = stepper.step()?;
        let (t, h) = stepper.moving(step);
        leaving((t, h), &stepper.y);
        while let Some(&s) = times.get(states.len()) {
            // One at the last of the times, but for rounding: the last step ends there.
            let theta = (s - t) / h;
            if theta > S::ONE && step.1 != end - step.0 {
                break;
            }
            states.push(stepper.point(h, theta));
            places.push((taken, theta));
        }
        stepper.advance(step);
        taken += 1;
        if stepper.arrived() {
            break;
        }
    }
    debug_assert_eq!(states.len(), times.len());
    Ok((states, places))
}

/// Refuses times that a solution does not pass in this order.
fn check_times<S: Scalar>(t0: S, times: &[S]) -> Result<(), OdeError> {
    let t0 = t0.to_f64();
    let end = times.last().map_or(t0, |t| t.to_f64());
    let mut before = t0;
    for (index, time) in times.iter().enumerate() {
        let time = time.to_f64();
        let ahead = (time - before) * (end - t0) >= 0.0 && (time == before || end != t0);
        if !time.is_finite() || !t0.is_finite() || !ahead {
            return Err(OdeError::Times { index, time });
        }
        before = time;
    }
    Ok(())
}

/// The cotangents of `y0`, `t0` and of the times of the points.
pub(super) fn reverse<S: Scalar, Y: State<S> + ?Sized, F: ReverseField<S, Y>>(
    record: &Record<S, Y::Owned>,
    field: &F,
    places: &[Place<S>],
    cts: Vec<Y::Owned>,
    gradient: &mut F::Gradient,
) -> Option<(Y::Owned, S, Vec<S>)> {
    let zero = state::zero::<S, Y>(cts.first()?);
    let points = places.iter().zip(cts);
    let mut points: Vec<_> = points
        .map(|(&(step, theta), ct)| Point {
            step,
            theta,
            ct,
            d_theta: S::ZERO,
        })
        .collect();
    let mut d_t0 = S::ZERO;
    let each = |_, d_t: S, _| d_t0 += d_t;
    let d_y = record.reverse::<DormandPrince, Y, F>(
        field,
        zero,
        &mut points,
        gradient,
        |_, _| {},
        each,
        false,
    );
    let d_times = points.iter().map(|p| p.d_theta / record.step(p.step).1);
    let d_times: Vec<S> = d_times.collect();
    d_t0 -= d_times.iter().sum::<S>();
    Some((d_y, d_t0, d_times))
}

/// Runs along a mesh with tangents; `leaving` gets each step, with its seven stages.
pub(super) fn push<S: Scalar, Y: State<S> + ?Sized>(
    field: &impl ForwardField<S, Y>,
    mesh: &[(S, S)],
    y0: (Y::Owned, Y::Owned),
    t_t0: S,
    mut leaving: impl FnMut(usize, &Pushed<S, Y::Owned>),
) {
    let mut y = y0;
    for (i, &(t, h)) in mesh.iter().enumerate() {
        let pushed = Pushed::new::<DormandPrince, Y>(field, (t, t_t0), (h, S::ZERO), y, 7);
        leaving(i, &pushed);
        y = pushed.read::<Y>(step::lit(DormandPrince::B), None);
    }
}
