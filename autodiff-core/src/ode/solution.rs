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
use super::step::{Point, Pushed};
use super::tableau::{DormandPrince, Tableau};

/// A place in the mesh: the step, and where in it.
pub(super) type Place = (usize, f64);

/// Starts at `t0`. Where there is nowhere to go, one short step leads there, so that there is an interpolant.
pub(super) fn start<'f, Y: State + ?Sized, F: Field<Y>>(
    field: &'f F,
    y0: Y::Owned,
    t0: f64,
    end: f64,
    options: &'f Options,
) -> Result<Stepper<'f, Y, F>, OdeError> {
    let end = match end == t0 {
        true => t0 + 1e-8 * (1.0 + t0.abs()),
        false => end,
    };
    Stepper::new(field, y0, t0, end, options)
}

/// The states at `times`, and where they are in the mesh.
pub(super) fn at<Y: State + ?Sized>(
    field: &impl Field<Y>,
    y0: Y::Owned,
    t0: f64,
    times: &[f64],
    options: &Options,
    mut leaving: impl FnMut((f64, f64), &Y::Owned),
) -> Result<(Vec<Y::Owned>, Vec<Place>), OdeError> {
    options.check()?;
    let (mut states, mut places) = (Vec::new(), Vec::new());
    let Some(&end) = times.last() else {
        return Ok((states, places));
    };
    check_times(t0, times)?;
    let mut stepper = start::<Y, _>(field, y0, t0, end, options)?;
    let mut taken = 0;
    while states.len() < times.len() {
        let (t, h) = stepper.step()?;
        leaving((t, h), &stepper.y);
        while let Some(&s) = times.get(states.len()) {
            // The last step ends where the last of the times is.
            let theta = if h == end - t && s == end {
                1.0
            } else {
                (s - t) / h
            };
            if theta > 1.0 {
                break;
            }
            states.push(stepper.point(h, theta));
            places.push((taken, theta));
        }
        stepper.advance((t, h));
        taken += 1;
        if stepper.arrived() {
            break;
        }
    }
    debug_assert_eq!(states.len(), times.len());
    Ok((states, places))
}

/// Refuses times that a solution does not pass in this order.
fn check_times(t0: f64, times: &[f64]) -> Result<(), OdeError> {
    let end = times.last().copied().unwrap_or(t0);
    let mut before = t0;
    for (index, &time) in times.iter().enumerate() {
        let ahead = (time - before) * (end - t0) >= 0.0 && (time == before || end != t0);
        if !time.is_finite() || !t0.is_finite() || !ahead {
            return Err(OdeError::Times { index, time });
        }
        before = time;
    }
    Ok(())
}

/// The cotangents of `y0`, `t0` and of the times of the points.
pub(super) fn reverse<Y: State + ?Sized, F: ReverseField<Y>>(
    record: &Record<Y::Owned>,
    field: &F,
    places: &[Place],
    cts: Vec<Y::Owned>,
    gradient: &mut F::Gradient,
) -> Option<(Y::Owned, f64, Vec<f64>)> {
    let zero = state::zero::<Y>(cts.first()?);
    let points = places.iter().zip(cts);
    let mut points: Vec<_> = points
        .map(|(&(step, theta), ct)| Point {
            step,
            theta,
            ct,
            d_theta: 0.0,
        })
        .collect();
    let mut d_t0 = 0.0;
    let each = |_, d_t: f64, _| d_t0 += d_t;
    let d_y =
        record.reverse::<DormandPrince, Y, F>(field, zero, &mut points, gradient, |_, _| {}, each);
    let d_times = points.iter().map(|p| p.d_theta / record.step(p.step).1);
    let d_times: Vec<f64> = d_times.collect();
    d_t0 -= d_times.iter().sum::<f64>();
    Some((d_y, d_t0, d_times))
}

/// Runs along a mesh with tangents; `leaving` gets each step, with its seven stages.
pub(super) fn push<Y: State + ?Sized>(
    field: &impl ForwardField<Y>,
    mesh: &[(f64, f64)],
    y0: (Y::Owned, Y::Owned),
    t_t0: f64,
    mut leaving: impl FnMut(usize, &Pushed<Y::Owned>),
) {
    let mut y = y0;
    for (i, &(t, h)) in mesh.iter().enumerate() {
        let step = Pushed::new::<DormandPrince, Y>(field, (t, t_t0), (h, 0.0), y, 7);
        leaving(i, &step);
        y = step.read::<Y>(DormandPrince::B, None);
    }
}
