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
use crate::ad::Scalar;

/// `y + h Σ w_i k_i`
#[inline(always)]
pub(crate) fn combined<S: Scalar, Y: State<S> + ?Sized>(
    y: &Y::Owned,
    h: S,
    weights: impl IntoIterator<Item = S>,
    rates: &[Y::Owned],
) -> Y::Owned {
    let mut sum = y.clone();
    for (w, k) in weights.into_iter().zip(rates) {
        if !w.is_zero() {
            state::add::<S, Y>(&mut sum, h * w, k);
        }
    }
    sum
}

/// The coefficients of a method as scalars.
#[inline(always)]
pub(crate) fn lit<S: Scalar>(weights: &[f64]) -> impl Iterator<Item = S> + Clone + use<'_, S> {
    weights.iter().map(|w| S::lit(*w))
}

/// The rates of the stages up to `count`, behind those that are there already.
#[inline]
pub(crate) fn stages<T: Tableau, S: Scalar, Y: State<S> + ?Sized>(
    field: &impl Field<S, Y>,
    (t, h): (S, S),
    y: &Y::Owned,
    rates: &mut Vec<Y::Owned>,
    count: usize,
) {
    for i in rates.len()..count {
        let point = combined::<S, Y>(y, h, lit(T::A[i]), rates);
        rates.push(field.rate(t + S::lit(T::C[i]) * h, &point));
    }
}

/// The state after a step.
#[inline]
pub(crate) fn advanced<T: Tableau, S: Scalar, Y: State<S> + ?Sized>(
    field: &impl Field<S, Y>,
    step: (S, S),
    y: &Y::Owned,
    rates: &mut Vec<Y::Owned>,
) -> Y::Owned {
    rates.clear();
    stages::<T, S, Y>(field, step, y, rates, T::B.len());
    combined::<S, Y>(y, step.1, lit(T::B), rates)
}

/// A point of the interpolant whose cotangent is known.
pub(crate) struct Point<S, O> {
    /// Which step it is in.
    pub step: usize,
    /// Where in the step.
    pub theta: S,
    /// The cotangent.
    pub ct: O,
    /// The cotangent of `theta`, which is found.
    pub d_theta: S,
}

/// The cotangents of what a step starts from.
pub(crate) struct Before<S, O> {
    pub t: S,
    pub h: S,
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

/// Reverses a step: `end` is the cotangent of the state after it. Where `of_h` is false the cotangent of the size of the
/// step is none that anyone reads.
#[inline]
#[allow(clippy::too_many_arguments)] // what all steps share, beside the step
pub(crate) fn pulled<T: Tableau, S: Scalar, Y: State<S> + ?Sized, F: ReverseField<S, Y>>(
    field: &F,
    (t, h): (S, S),
    y: &Y::Owned,
    end: Y::Owned,
    points: &mut [Point<S, Y::Owned>],
    gradient: &mut F::Gradient,
    scratch: &mut Scratch<Y::Owned, F::Pullback>,
    of_h: bool,
) -> Before<S, Y::Owned> {
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
        let place = combined::<S, Y>(y, h, lit(T::A[i]), rates);
        let (rate, pullback) = field.rate_and_pullback(t + S::lit(T::C[i]) * h, &place);
        rates.push(rate);
        pullbacks.push(pullback);
        places.push(place);
    }

    cts.extend((0..count).map(|_| state::zero::<S, Y>(y)));
    let (mut d_t, mut d_h) = (S::ZERO, S::ZERO);
    for (i, w) in lit::<S>(T::B).enumerate() {
        state::add::<S, Y>(&mut cts[i], h * w, &end);
        if of_h {
            d_h += w * state::dot::<S, Y>(&rates[i], &end);
        }
    }
    let mut d_y = end;
    for point in points {
        let (weights, slopes) = DormandPrince::dense(point.theta);
        for i in 0..count {
            state::add::<S, Y>(&mut cts[i], h * weights[i], &point.ct);
            let along = state::dot::<S, Y>(&rates[i], &point.ct);
            d_h += weights[i] * along;
            point.d_theta += h * slopes[i] * along;
        }
        state::add::<S, Y>(&mut d_y, S::ONE, &point.ct);
    }

    while let (Some(pullback), Some(place), Some(ct)) = (pullbacks.pop(), places.pop(), cts.pop()) {
        let i = cts.len();
        if state::is_zero::<S, Y>(&ct) {
            continue;
        }
        let c = S::lit(T::C[i]);
        let (t_stage, ct) = field.pull(pullback, ct, t + c * h, &place, gradient);
        d_t += t_stage;
        d_h += c * t_stage;
        for (j, a) in lit::<S>(T::A[i]).enumerate().filter(|(_, a)| !a.is_zero()) {
            if of_h {
                d_h += a * state::dot::<S, Y>(&rates[j], &ct);
            }
            state::add::<S, Y>(&mut cts[j], h * a, &ct);
        }
        state::add::<S, Y>(&mut d_y, S::ONE, &ct);
    }
    Before {
        t: d_t,
        h: d_h,
        y: d_y,
    }
}

/// A step with tangents.
pub(crate) struct Pushed<S, O> {
    /// Each with its tangent.
    pub h: (S, S),
    pub y: (O, O),
    pub rates: (Vec<O>, Vec<O>),
}

impl<S: Scalar, O: Clone> Pushed<S, O> {
    /// Runs the first `count` stages.
    pub(crate) fn new<T: Tableau, Y: State<S, Owned = O> + ?Sized>(
        field: &impl ForwardField<S, Y>,
        t: (S, S),
        h: (S, S),
        y: (O, O),
        count: usize,
    ) -> Self {
        let mut step = Pushed {
            h,
            y,
            rates: (Vec::with_capacity(count), Vec::with_capacity(count)),
        };
        for i in 0..count {
            let (place, t_place) = step.read::<Y>(lit(T::A[i]), None);
            let c = S::lit(T::C[i]);
            let time = (t.0 + c * h.0, t.1 + c * h.1);
            let (rate, t_rate) = field.push(time, &place, &t_place);
            step.rates.0.push(rate);
            step.rates.1.push(t_rate);
        }
        step
    }

    /// What has these weights, whose derivatives come with the tangent of what they depend on.
    pub(crate) fn read<Y: State<S, Owned = O> + ?Sized>(
        &self,
        weights: impl IntoIterator<Item = S> + Clone,
        slopes: Option<(&[S], S)>,
    ) -> (O, O) {
        let (rates, t_rates) = &self.rates;
        let value = combined::<S, Y>(&self.y.0, self.h.0, weights.clone(), rates);
        let mut tangent = combined::<S, Y>(&self.y.1, self.h.0, weights.clone(), t_rates);
        for (w, k) in weights.into_iter().zip(rates) {
            state::add::<S, Y>(&mut tangent, self.h.1 * w, k);
        }
        if let Some((slopes, t_theta)) = slopes {
            for (w, k) in slopes.iter().zip(rates) {
                state::add::<S, Y>(&mut tangent, self.h.0 * *w * t_theta, k);
            }
        }
        (value, tangent)
    }
}
