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
//! The sequences of a batch are independent of one another: groups of them are divided among the threads, and each runs
//! through all steps. A product gives the same for each sequence whatever its group, and sums for the bias are joined
//! from those of a few sequences, so that results do not depend on the number of threads.

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

/// Sequences that are never divided.
const UNIT: usize = 4;
/// Units that go through the steps together at most: more do not make products faster.
const MOST: usize = 4;

/// Calls a function for a cell that is known at run time only.
macro_rules! for_cell {
    ($cell:expr, $f:ident::<$T:ident>($($arg:expr),* $(,)?)) => {
        match $cell {
            Cell::Rnn => $f::<cells::Rnn, $T>($($arg),*),
            Cell::Gru => $f::<cells::Gru, $T>($($arg),*),
            Cell::Lstm => $f::<cells::Lstm, $T>($($arg),*),
        }
    };
}
use for_cell;

/// How the sequences of a batch are divided.
#[derive(Clone, Copy)]
struct Groups {
    shape: Recurrence,
    /// Sequences of a group; the last may have fewer.
    rows: usize,
    /// Whether groups run side by side.
    threads: bool,
}

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

impl Groups {
    fn new(shape: &Recurrence) -> Self {
        let entries = shape.steps * shape.batch * shape.hidden * shape.cell.slots();
        let threads = par::worth(entries * (8 + shape.hidden / 8));
        let share = if threads {
            rayon::current_num_threads()
        } else {
            1
        };
        let units = (shape.batch / (UNIT * share)).clamp(1, MOST);
        Groups {
            shape: *shape,
            rows: units * UNIT,
            threads,
        }
    }

    /// The parts of `data` that belong to each group, one for each step: `width` numbers of each sequence. Without data
    /// they are empty.
    fn parts<'a, T>(&self, data: &'a mut [T], width: usize) -> Vec<Vec<&'a mut [T]>> {
        let Recurrence { steps, batch, .. } = self.shape;
        let mut all: Vec<Vec<_>> = (0..batch.div_ceil(self.rows))
            .map(|_| Vec::with_capacity(steps))
            .collect();
        if data.is_empty() || width == 0 {
            for group in &mut all {
                group.extend((0..steps).map(|_| Default::default()));
            }
            return all;
        }
        for step in data.chunks_mut(batch * width) {
            for (group, part) in all.iter_mut().zip(step.chunks_mut(self.rows * width)) {
                group.push(part);
            }
        }
        all
    }

    /// The parts of the state `data`, which has one step, that belong to each group.
    fn states<'a, T>(&self, data: &'a mut [T]) -> impl Iterator<Item = &'a mut [T]> {
        let mut one = *self;
        one.shape.steps = 1;
        let parts = one.parts(data, self.shape.hidden);
        parts.into_iter().map(|mut step| step.remove(0))
    }

    /// The part of `data` that belongs to the `rows` sequences from `first`, in one step.
    fn part<'a, T>(&self, data: &'a [T], step: usize, first: usize, rows: usize) -> &'a [T] {
        if data.is_empty() {
            return data;
        }
        let Recurrence { batch, hidden, .. } = self.shape;
        &data[(step * batch + first) * hidden..][..rows * hidden]
    }

    /// `h` and `c` before a step, and `c` after it, of the `rows` sequences from `first`.
    fn around<'a, T>(
        &self,
        ran: &Ran<'a, T>,
        step: usize,
        first: usize,
        rows: usize,
    ) -> [&'a [T]; 3] {
        let before = |x, start| match step {
            0 => self.part(start, 0, first, rows),
            _ => self.part(x, step - 1, first, rows),
        };
        [
            before(ran.out, ran.h0),
            before(ran.memory, ran.c0),
            self.part(ran.memory, step, first, rows),
        ]
    }

    /// Calls `f(first sequence, how many, task)` for the task of each group.
    fn each<X: Send>(
        &self,
        tasks: impl Iterator<Item = X>,
        f: impl Fn(usize, usize, X) + Sync + Send,
    ) {
        let tasks: Vec<X> = tasks.collect();
        let run = |(i, task)| {
            let first = i * self.rows;
            f(first, self.rows.min(self.shape.batch - first), task);
        };
        if self.threads {
            par::each(tasks.into_iter().enumerate(), run);
        } else {
            tasks.into_iter().enumerate().for_each(run);
        }
    }
}

#[cfg(test)]
#[allow(clippy::type_complexity, reason = "shapes are types")]
mod tests {
    use crate::prelude::*;

    #[differentiable]
    fn layers(
        x: &Tensor![30, 37, 19],
        w: &Tensor![4, 21, 19],
        u: &Tensor![4, 21, 21],
        v: &Tensor![3, 21, 21],
        b: &Tensor![4, 21],
        h0: &Tensor![37, 21],
    ) -> (Tensor![30, 37, 21], Tensor![37, 21]) {
        let (y, h, c) = x.lstm(w, u, b, h0, h0);
        let three = b.narrow::<0, _>(0, Sz::<3>);
        y.gru(v, v, &three, &three, &(h * c))
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let wave = |i: usize| ((i * 37 % 101) as f32 / 50.0 - 1.0).sin();
        let args = (
            Tensor::from_fn(wave),
            Tensor::from_fn(wave),
            Tensor::from_fn(wave),
            Tensor::from_fn(wave),
            Tensor::from_fn(wave),
            Tensor::from_fn(wave),
        );
        let run = || {
            let y = <layers as DifferentiableFn<_>>::call(&args);
            let gradient = <layers as DifferentiableFn<_>>::vjp(&args, y.clone());
            let pushed = <layers as DifferentiableFn<_>>::jvp(&args, &gradient);
            (y, gradient, pushed)
        };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(run)
        };
        let one = with(1);
        assert!(one == with(2), "the same bits");
        assert!(one == with(7), "the same bits");
    }
}
