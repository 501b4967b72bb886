//! Gradients of large batches, from small ones.

use crate::ad::Tangent;

/// Adds up the gradients of several small batches, for a step with their mean: the gradient of a batch that does not fit into
/// memory.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::{Accumulate, Optimizer, Sgd};
///
/// let (mut x, mut sgd) = (1.0_f64, Sgd::new(0.5));
/// let mut batches = Accumulate::new(2);
/// for grad in [1.0, 3.0, 5.0] {
///     if let Some(mean) = batches.add(grad) {
///         sgd.step(&mut x, &mean);
///     }
/// }
/// assert_eq!(x, 1.0 - 0.5 * 2.0);
/// assert_eq!(batches.finish(), Some(5.0)); // of the rest
///
/// // Batches of different sizes count by their rows.
/// assert_eq!(batches.add_rows(1.0, 3), None);
/// assert_eq!(batches.add_rows(5.0, 1), Some(2.0));
/// ```
#[derive(Clone, Debug)]
pub struct Accumulate<G> {
    of: usize,
    count: usize,
    rows: usize,
    sum: Option<G>,
}

impl<G: Tangent> Accumulate<G> {
    /// Means of so many gradients.
    ///
    /// # Panics
    /// When it is 0.
    pub fn new(of: usize) -> Self {
        assert!(of > 0, "the mean of 0 gradients, expected at least 1");
        Accumulate {
            of,
            count: 0,
            rows: 0,
            sum: None,
        }
    }

    /// Adds a gradient. Returns the mean once there are enough, and begins anew.
    pub fn add(&mut self, grad: G) -> Option<G> {
        self.add_rows(grad, 1)
    }

    /// The same, for the mean gradient of so many rows: the mean is then the gradient of the mean loss over all rows.
    pub fn add_rows(&mut self, grad: G, rows: usize) -> Option<G> {
        // A single batch needs no weight, and keeps its bits.
        if self.of == 1 {
            return Some(grad);
        }
        let grad = match rows {
            1 => grad,
            rows => grad.scale(rows as f64),
        };
        self.sum = Some(match self.sum.take() {
            Some(sum) => sum.add(grad),
            None => grad,
        });
        self.count += 1;
        self.rows += rows;
        if self.count == self.of {
            self.finish()
        } else {
            None
        }
    }

    /// The mean of the gradients since the last one, if there are some; begins anew.
    pub fn finish(&mut self) -> Option<G> {
        self.count = 0;
        let rows = std::mem::take(&mut self.rows);
        let sum = self.sum.take()?;
        Some(match rows {
            0 | 1 => sum,
            n => sum.scale(1.0 / n as f64),
        })
    }

    /// The number of gradients since the last mean.
    pub fn pending(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_weighted_by_rows() {
        let mut sum = Accumulate::new(3);
        assert_eq!(sum.add_rows((1.0_f64, 2.0_f64), 1), None);
        assert_eq!(sum.add_rows((3.0, 0.0), 2), None);
        assert_eq!(sum.pending(), 2);
        let mean = sum.add_rows((0.0, 8.0), 5).unwrap();
        assert_eq!(mean, (7.0 / 8.0, 42.0 / 8.0));
        assert_eq!(sum.finish(), None);
    }

    #[test]
    fn one_batch_stays_as_it_is() {
        let mut sum = Accumulate::new(1);
        assert_eq!(sum.add_rows(0.1_f64, 3), Some(0.1));
        assert_eq!(sum.finish(), None);
    }
}
