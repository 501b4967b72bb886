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
/// ```
#[derive(Clone, Debug)]
pub struct Accumulate<G> {
    of: usize,
    count: usize,
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
            sum: None,
        }
    }

    /// Adds a gradient. Returns the mean once there are enough, and begins anew.
    pub fn add(&mut self, grad: G) -> Option<G> {
        self.sum = Some(match self.sum.take() {
            Some(sum) => sum.add(grad),
            None => grad,
        });
        self.count += 1;
        if self.count == self.of {
            self.finish()
        } else {
            None
        }
    }

    /// The mean of the gradients since the last one, if there are some; begins anew.
    pub fn finish(&mut self) -> Option<G> {
        let count = std::mem::take(&mut self.count);
        let sum = self.sum.take()?;
        Some(match count {
            1 => sum,
            n => sum.scale(1.0 / n as f64),
        })
    }

    /// The number of gradients since the last mean.
    pub fn pending(&self) -> usize {
        self.count
    }
}
