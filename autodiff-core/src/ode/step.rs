//! One step of an explicit method, with its derivatives.
//!
//! Whatever is read off a step is `y + h Σ w_i k_i`: for the new state `w = b`, for a point of the
//! interpolant `w = b(θ)`. With a cotangent `ū` of it, the step is reversed by
//!
//! ```text
//! ȳ += ū        k̄_i += h w_i ū        h̄ += Σ w_i ⟨k_i, ū⟩        θ̄ = h Σ w_i'(θ) ⟨k_i, ū⟩
//! ```
//!
//! and then, from the last stage `k_i = f(t + c_i h, Y_i)` with `Y_i = y + h Σ a_ij k_j` to the first, by the
//! pullback of `f`, which takes `k̄_i` to `t̄_i` and `Ȳ_i`:
//!
//! ```text
//! t̄ += t̄_i      h̄ += c_i t̄_i + Σ a_ij ⟨k_j, Ȳ_i⟩      ȳ += Ȳ_i      k̄_j += h a_ij Ȳ_i
//! ```

use super::field::{Field, ForwardField, ReverseField};
use super::state::{self, State};
use super::tableau::{DormandPrince, Tableau};

/// `y + h Σ w_i k_i`
#[inline(always)]
pub(crate) fn combined<Y: State + ?Sized>(
    y: &Y::Owned,
    h: f64,
    weights: &[f64],
    rates: &[Y::Owned],
) -> Y::Owned {
    let mut sum = y.clone();
    for (w, k) in weights.iter().zip(rates) {
        if *w != 0.0 {
            state::add::<Y>(&mut sum, h * w, k);
        }
    }
    sum
}

/// The rates of the stages up to `count`, behind those that are there already.
#[inline]
pub(crate) fn stages<T: Tableau, Y: State + ?Sized>(
    field: &impl Field<Y>,
    (t, h): (f64, f64),
    y: &Y::Owned,
    rates: &mut Vec<Y::Owned>,
    count: usize,
) {
    for i in rates.len()..count {
        let point = combined::<Y>(y, h, T::A[i], rates);
        rates.push(field.rate(t + T::C[i] * h, &point));
    }
}

/// The state after a step.
#[inline]
pub(crate) fn advanced<T: Tableau, Y: State + ?Sized>(
    field: &impl Field<Y>,
    step: (f64, f64),
    y: &Y::Owned,
    rates: &mut Vec<Y::Owned>,
) -> Y::Owned {
    rates.clear();
    stages::<T, Y>(field, step, y, rates, T::B.len());
    combined::<Y>(y, step.1, T::B, rates)
}

/// A point of the interpolant whose cotangent is known.
pub(crate) struct Point<O> {
    /// Which step it is in.
    pub step: usize,
    /// Where in the step.
    pub theta: f64,
    /// The cotangent.
    pub ct: O,
    /// The cotangent of `theta`, which is found.
    pub d_theta: f64,
}

/// The cotangents of what a step starts from.
pub(crate) struct Before<O> {
    pub t: f64,
    pub h: f64,
    pub y: O,
}

/// The stages of a step, in memory that all steps share.
pub(crate) struct Scratch<O, P> {
    rates: Vec<O>,
    places: Vec<O>,
    pullbacks: Vec<P>,
    cts: Vec<O>,
}

impl<O, P> Scratch<O, P> {
    pub(crate) fn new() -> Self {
        Scratch {
            rates: Vec::new(),
            places: Vec::new(),
            pullbacks: Vec::new(),
            cts: Vec::new(),
        }
    }
}

/// Reverses a step: `end` is the cotangent of the state after it.
#[inline]
pub(crate) fn pulled<T: Tableau, Y: State + ?Sized, F: ReverseField<Y>>(
    field: &F,
    (t, h): (f64, f64),
    y: &Y::Owned,
    end: Y::Owned,
    points: &mut [Point<Y::Owned>],
    gradient: &mut F::Gradient,
    scratch: &mut Scratch<Y::Owned, F::Pullback>,
) -> Before<Y::Owned> {
    let Scratch {
        rates,
        places,
        pullbacks,
        cts,
    } = scratch;
    let count = if points.is_empty() {
        T::B.len()
    } else {
        T::A.len()
    };
    rates.clear();
    for i in 0..count {
        let place = combined::<Y>(y, h, T::A[i], rates);
        let (rate, pullback) = field.rate_and_pullback(t + T::C[i] * h, &place);
        rates.push(rate);
        pullbacks.push(pullback);
        places.push(place);
    }

    cts.extend((0..count).map(|_| state::zero::<Y>(y)));
    let (mut d_t, mut d_h) = (0.0, 0.0);
    for (i, w) in T::B.iter().enumerate() {
        state::add::<Y>(&mut cts[i], h * w, &end);
        d_h += w * state::dot::<Y>(&rates[i], &end);
    }
    let mut d_y = end;
    for point in points {
        let (weights, slopes) = DormandPrince::dense(point.theta);
        for i in 0..count {
            state::add::<Y>(&mut cts[i], h * weights[i], &point.ct);
            let along = state::dot::<Y>(&rates[i], &point.ct);
            d_h += weights[i] * along;
            point.d_theta += h * slopes[i] * along;
        }
        state::add::<Y>(&mut d_y, 1.0, &point.ct);
    }

    while let (Some(pullback), Some(place), Some(ct)) = (pullbacks.pop(), places.pop(), cts.pop()) {
        let i = cts.len();
        if state::is_zero::<Y>(&ct) {
            continue;
        }
        let (t_stage, ct) = field.pull(pullback, ct, t + T::C[i] * h, &place, gradient);
        d_t += t_stage;
        d_h += T::C[i] * t_stage;
        for (j, a) in T::A[i].iter().enumerate().filter(|(_, a)| **a != 0.0) {
            d_h += a * state::dot::<Y>(&rates[j], &ct);
            state::add::<Y>(&mut cts[j], h * a, &ct);
        }
        state::add::<Y>(&mut d_y, 1.0, &ct);
    }
    Before {
        t: d_t,
        h: d_h,
        y: d_y,
    }
}

/// A step with tangents.
pub(crate) struct Pushed<O> {
    /// Each with its tangent.
    pub h: (f64, f64),
    pub y: (O, O),
    pub rates: (Vec<O>, Vec<O>),
}

impl<O: Clone> Pushed<O> {
    /// Runs the first `count` stages.
    pub(crate) fn new<T: Tableau, Y: State<Owned = O> + ?Sized>(
        field: &impl ForwardField<Y>,
        t: (f64, f64),
        h: (f64, f64),
        y: (O, O),
        count: usize,
    ) -> Self {
        let mut step = Pushed {
            h,
            y,
            rates: (Vec::with_capacity(count), Vec::with_capacity(count)),
        };
        for i in 0..count {
            let (place, t_place) = step.read::<Y>(T::A[i], None);
            let time = (t.0 + T::C[i] * h.0, t.1 + T::C[i] * h.1);
            let (rate, t_rate) = field.push(time, &place, &t_place);
            step.rates.0.push(rate);
            step.rates.1.push(t_rate);
        }
        step
    }

    /// What has these weights, whose derivatives come with the tangent of what they depend on.
    pub(crate) fn read<Y: State<Owned = O> + ?Sized>(
        &self,
        weights: &[f64],
        slopes: Option<(&[f64], f64)>,
    ) -> (O, O) {
        let (rates, t_rates) = &self.rates;
        let value = combined::<Y>(&self.y.0, self.h.0, weights, rates);
        let mut tangent = combined::<Y>(&self.y.1, self.h.0, weights, t_rates);
        for (w, k) in weights.iter().zip(rates) {
            state::add::<Y>(&mut tangent, self.h.1 * w, k);
        }
        if let Some((slopes, t_theta)) = slopes {
            for (w, k) in slopes.iter().zip(rates) {
                state::add::<Y>(&mut tangent, self.h.0 * w * t_theta, k);
            }
        }
        (value, tangent)
    }
}
