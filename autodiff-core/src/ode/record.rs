//! What is kept of a solution for the reverse pass: the times of all steps, the state at some.
//!
//! Of `n` steps the state is kept at every `k`-th. The reverse pass takes one such segment after the other,
//! from the last: it computes the states of the segment again, `k` of them, and reverses its steps. So
//! `n / k + k` states are there at once, least for `k = √n`; the price is one more forward run. So all states are kept as
//! long as they are few.

use super::field::{Field, ReverseField};
use super::state::State;
use super::step::{self, Before, Point, Scratch};
use super::tableau::Tableau;
use crate::ad::Scalar;

/// At which steps the state is kept for the reverse pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checkpoints {
    /// At every step, as long as the states take less than 16 MiB. Beyond that at every second step, fourth, and so on, down
    /// to about `√n` of `n` steps; the state between two of them is computed again.
    #[default]
    Auto,
    /// At every so many steps, at least one. `Every(1)` keeps all states and computes none again.
    Every(usize),
}

/// What states may take before some of them are computed again.
const FEW_BYTES: usize = 16 << 20;

/// The steps that were taken.
#[derive(Clone, Debug)]
pub(crate) struct Record<S, O> {
    /// Start and size of each step.
    mesh: Vec<(S, S)>,
    /// The state before every so many steps.
    kept: Vec<O>,
    every: usize,
    /// Whether `every` is doubled when there are too many.
    grows: bool,
    /// So many states are few; an even number.
    few: usize,
}

impl<S: Scalar, O: Clone> Record<S, O> {
    /// `bytes` is what a state takes.
    pub(crate) fn new(checkpoints: Checkpoints, bytes: usize) -> Self {
        let (every, grows) = match checkpoints {
            Checkpoints::Auto => (1, true),
            Checkpoints::Every(k) => (k.max(1), false),
        };
        Record {
            mesh: Vec::new(),
            kept: Vec::new(),
            every,
            grows,
            few: FEW_BYTES / bytes.max(1) / 2 * 2,
        }
    }

    /// Notes a step from the state `y`.
    pub(crate) fn push(&mut self, step: (S, S), y: &O) {
        if self.mesh.len().is_multiple_of(self.every) {
            if self.grows && self.kept.len() >= self.few.max(2 * self.every) {
                // An even number of them, so that every second one is at a multiple of the double.
                let mut nth = 0;
                self.kept.retain(|_| {
                    nth += 1;
                    nth % 2 == 1
                });
                self.every *= 2;
            }
            if self.mesh.len().is_multiple_of(self.every) {
                self.kept.push(y.clone());
            }
        }
        self.mesh.push(step);
    }

    pub(crate) fn steps(&self) -> usize {
        self.mesh.len()
    }

    /// Start and size of a step.
    pub(crate) fn step(&self, i: usize) -> (S, S) {
        self.mesh[i]
    }

    /// The states before the steps of a segment.
    fn replay<T: Tableau, Y: State<S, Owned = O> + ?Sized>(
        &self,
        field: &impl Field<S, Y>,
        segment: usize,
    ) -> Vec<O> {
        let from = segment * self.every;
        let to = self.mesh.len().min(from + self.every);
        let mut states = Vec::with_capacity(to - from);
        states.push(self.kept[segment].clone());
        let mut rates = Vec::with_capacity(T::A.len());
        for &step in &self.mesh[from..to - 1] {
            let y = &states[states.len() - 1];
            let next = step::advanced::<T, S, Y>(field, step, y, &mut rates);
            states.push(next);
        }
        states
    }

    /// The cotangent of the first state.
    ///
    /// `end` is that of the last, `points` those of points of the interpolants, in the order of the steps.
    /// `arriving(i, ct)` adds that of the state after step `i`; `each(i, t̄, h̄)` is told the cotangents
    /// of start and, if `of_h`, of the size of step `i`.
    #[allow(clippy::too_many_arguments)] // what runs, and what is told of it
    pub(crate) fn reverse<T: Tableau, Y: State<S, Owned = O> + ?Sized, F: ReverseField<S, Y>>(
        &self,
        field: &F,
        end: O,
        mut points: &mut [Point<S, O>],
        gradient: &mut F::Gradient,
        mut arriving: impl FnMut(usize, &mut O),
        mut each: impl FnMut(usize, S, S),
        of_h: bool,
    ) -> O {
        let (mut ct, mut scratch) = (end, Scratch::new());
        for segment in (0..self.kept.len()).rev() {
            let states = self.replay::<T, Y>(field, segment);
            for (k, y) in states.iter().enumerate().rev() {
                let i = segment * self.every + k;
                let of_earlier = points.partition_point(|p| p.step < i);
                let (earlier, here) = points.split_at_mut(of_earlier);
                points = earlier;
                arriving(i, &mut ct);
                let step = self.mesh[i];
                let Before { t, h, y } = step::pulled::<T, S, Y, F>(
                    field,
                    step,
                    y,
                    ct,
                    here,
                    gradient,
                    &mut scratch,
                    of_h,
                );
                each(i, t, h);
                ct = y;
            }
        }
        ct
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(checkpoints: Checkpoints, steps: usize, bytes: usize) -> usize {
        let mut record = Record::new(checkpoints, bytes);
        (0..steps).for_each(|i| record.push((i as f64, 1.0), &(i as f64)));
        assert_eq!(record.steps(), steps);
        let places: Vec<_> = (0..record.kept.len()).map(|k| k * record.every).collect();
        let states: Vec<_> = record.kept.iter().map(|x| *x as usize).collect();
        assert_eq!(states, places, "after {steps} steps");
        assert!(record.kept.len() * record.every >= steps);
        record.kept.len() + record.every
    }

    #[test]
    fn states_kept_grow_as_the_root_of_the_steps() {
        for steps in (1..2000).chain([10_000, 99_999, 1_000_000]) {
            let most = 3.0 * (steps as f64).sqrt() + 2.0;
            let found = kept(Checkpoints::Auto, steps, FEW_BYTES);
            assert!(found as f64 <= most, "{found} states of {steps} steps");
        }
    }

    #[test]
    fn few_states_are_all_kept() {
        assert_eq!(kept(Checkpoints::Auto, 1000, 8), 1000 + 1);
        // Room for 1024 states.
        let bytes = FEW_BYTES / 1024;
        assert_eq!(kept(Checkpoints::Auto, 1024, bytes), 1024 + 1);
        assert_eq!(kept(Checkpoints::Auto, 1026, bytes), 513 + 2);
        assert_eq!(kept(Checkpoints::Auto, 3000, bytes), 750 + 4);
    }

    #[test]
    fn a_fixed_distance_is_kept_to() {
        assert_eq!(kept(Checkpoints::Every(7), 100, 8), 15 + 7);
        assert_eq!(kept(Checkpoints::Every(1), 100, 8), 100 + 1);
        assert_eq!(kept(Checkpoints::Every(1000), 100, 8), 1 + 1000);
        assert_eq!(kept(Checkpoints::Every(0), 3, 8), 3 + 1);
    }
}
