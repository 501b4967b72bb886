//! Sums of many terms in steps, so that errors grow with their logarithm and not with their number.

use super::piece::add;
use crate::device::Float;

/// Terms of each entry on a step before they go to the next.
const TERMS: usize = 64;

/// Sums on their way to a result: of the last terms, and of the last such sums.
pub(super) struct Ladder<T> {
    steps: [Vec<T>; 2],
    /// How many entries were added to the first, and how often the first to the second.
    given: [usize; 2],
}

impl<T: Float> Ladder<T> {
    /// For sums of `count` terms in all; `None` where there are too few of each to need it.
    pub(super) fn of(to: &[T], count: usize) -> Option<Self> {
        let many = count > TERMS * to.len();
        many.then(|| Ladder {
            steps: [vec![T::ZERO; to.len()], vec![T::ZERO; to.len()]],
            given: [0; 2],
        })
    }

    /// Where the next terms go, so many; what was full went on.
    pub(super) fn step(&mut self, to: &mut [T], terms: usize) -> &mut [T] {
        let [low, high] = &mut self.steps;
        if self.given[0] >= TERMS * low.len() {
            add(high, low);
            low.fill(T::ZERO);
            self.given = [0, self.given[1] + 1];
            if self.given[1] == TERMS {
                add(to, high);
                high.fill(T::ZERO);
                self.given[1] = 0;
            }
        }
        self.given[0] += terms;
        low
    }

    /// Adds what is on the way.
    pub(super) fn end(self, to: &mut [T]) {
        let [low, mut high] = self.steps;
        add(&mut high, &low);
        add(to, &high);
    }
}
