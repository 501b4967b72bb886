//! Recurrent layers: `rnn`, `gru` and `lstm` over whole sequences.
//!
//! With `z` the product of a step's input and the input weights, which is computed for all steps before, and `p = h·Wᵀ`
//! the product of the last state `h` (the first `recurrent` slots have one):
//!
//! ```text
//! rnn    h' = tanh(z + p + b)
//!
//! gru    r = σ(z₀ + p₀ + b₀)    u = σ(z₁ + p₁ + b₁)    q = p₂ + b₂    n = tanh(z₃ + b₃ + r∘q)
//!        h' = n + u∘(h − n)
//!
//! lstm   i = σ(z₀ + p₀ + b₀)    f = σ(z₁ + p₁ + b₁)    g = tanh(z₂ + p₂ + b₂)    o = σ(z₃ + p₃ + b₃)
//!        c' = f∘c + i∘g         h' = o∘tanh(c')
//! ```
//!
//! What is in the slots (`r u q n`, `i f g o`), `c` and `h` of all steps is kept; the derivatives need nothing else.
//! The pullback goes through the steps from the last to the first with the cotangents `dh` of `h'` and `dc` of `c'`:
//!
//! ```text
//! rnn    dz = dh∘(1 − h'²)
//!
//! gru    dn = dh∘(1 − u)∘(1 − n²)    dq = dn∘r    du = dh∘(h − n)∘u∘(1 − u)    dr = dn∘q∘r∘(1 − r)
//!
//! lstm   do = dh∘tanh(c')∘o∘(1 − o)                dc += dh∘o∘(1 − tanh²(c'))
//!        di = dc∘g∘i∘(1 − i)    df = dc∘c∘f∘(1 − f)    dg = dc∘i∘(1 − g²)    dc ← dc∘f
//! ```
//!
//! and passes `dz·W` on as the cotangent of `h`, for `gru` with `dh∘u` beside it. Cotangents of weights and inputs are
//! products over all steps, which the caller computes from `dz`.
//!
//! The sequences of a batch are independent of one another: groups of [`GROUP`] of them are divided among the threads,
//! and each runs through all steps. Groups do not depend on the number of threads, so neither do results.

mod backward;
mod cells;
mod forward;
mod panels;
mod tangent;

pub use backward::backward;
pub use forward::forward;
pub use tangent::tangent;

use super::par;
use crate::device::Recurrence;
use rayon::prelude::*;

/// Sequences that go through the steps together.
const GROUP: usize = 8;

/// A layer that has run. `memory` and `c0` are empty for cells without `c`.
pub struct Ran<'a, T> {
    /// `c` after each step.
    pub memory: &'a [T],
    /// `h` after each step.
    pub out: &'a [T],
    /// The first `h`.
    pub h0: &'a [T],
    /// The first `c`.
    pub c0: &'a [T],
}

/// Cotangents of the results.
pub struct Cotangents<'a, T> {
    /// Of `h` after each step.
    pub out: Option<&'a [T]>,
    /// Of the last `h`.
    pub h: Option<&'a [T]>,
    /// Of the last `c`.
    pub c: Option<&'a [T]>,
}

/// Cotangents to compute.
pub struct Gradients<'a, T> {
    /// Of the arguments of the slots; they hold the slots before.
    pub slots: &'a mut [T],
    /// Of the bias.
    pub bias: &'a mut [T],
    /// Of the first `h`.
    pub h0: &'a mut [T],
    /// Of the first `c`.
    pub c0: &'a mut [T],
}

/// The parts of `data` that belong to each group, one for each step: `width` numbers of each sequence. Without data they
/// are empty.
fn parts<'a, T>(shape: &Recurrence, data: &'a mut [T], width: usize) -> Vec<Vec<&'a mut [T]>> {
    let groups = shape.batch.div_ceil(GROUP);
    let mut all: Vec<Vec<_>> = (0..groups)
        .map(|_| Vec::with_capacity(shape.steps))
        .collect();
    if data.is_empty() || width == 0 {
        for group in &mut all {
            group.extend((0..shape.steps).map(|_| Default::default()));
        }
        return all;
    }
    for step in data.chunks_mut(shape.batch * width) {
        for (group, part) in all.iter_mut().zip(step.chunks_mut(GROUP * width)) {
            group.push(part);
        }
    }
    all
}

/// The part of `data` that belongs to the group that begins at sequence `first`, in one step.
fn part<'a, T>(
    shape: &Recurrence,
    data: &'a [T],
    step: usize,
    first: usize,
    rows: usize,
) -> &'a [T] {
    if data.is_empty() {
        return data;
    }
    &data[(step * shape.batch + first) * shape.hidden..][..rows * shape.hidden]
}

/// The parts of `data`, which has one step, that belong to each group.
fn halves<'a, T>(shape: &Recurrence, data: &'a mut [T]) -> impl Iterator<Item = &'a mut [T]> {
    let one = Recurrence { steps: 1, ..*shape };
    let parts = parts(&one, data, shape.hidden);
    parts.into_iter().map(|mut step| step.remove(0))
}

/// Calls `f(first sequence, task)` for the task of each group.
fn each<X: Send>(
    shape: &Recurrence,
    tasks: impl Iterator<Item = X>,
    f: impl Fn(usize, X) + Sync + Send,
) {
    let tasks: Vec<X> = tasks.collect();
    let entries = shape.steps * shape.batch * shape.hidden * shape.cell.slots();
    if par::worth(entries * (8 + shape.hidden / 8)) {
        let tasks = tasks.into_par_iter().enumerate();
        tasks.for_each(|(i, task)| f(i * GROUP, task));
    } else {
        let tasks = tasks.into_iter().enumerate();
        tasks.for_each(|(i, task)| f(i * GROUP, task));
    }
}
