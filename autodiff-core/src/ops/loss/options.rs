//! What the losses of classes can be told besides scores and targets.

use crate::ad::Scalar;
use crate::device::{Backend, Float};
use crate::tensor::Raw;

/// Begins the options of a loss of classes: `Loss::ignore(0).smoothing(0.1)`.
///
/// ```
/// use differentiable::prelude::*;
/// let logits: Tensor![f64; 2, 3, 4] = Tensor::randn(0);
/// let targets = tensor([[1_i64, 3, 0], [2, 0, 0]]);
/// // Class 0 is padding: the mean is over the other three positions.
/// let loss = logits.cross_entropy_with(&targets, Loss::ignore(0).smoothing(0.1));
/// assert!(loss.item() > 0.0);
/// ```
// Uninhabited: it is a place for functions, which `LossOptions` has as methods of the same names.
#[derive(Clone, Copy, Debug)]
pub enum Loss {}

impl Loss {
    /// The mean over all rows: no class ignored, no weights, no smoothing.
    #[allow(
        clippy::new_ret_no_self,
        reason = "the options have a type of their own"
    )]
    pub const fn new() -> LossOptions {
        LossOptions {
            ignored: None,
            smoothing: 0.0,
            weights: None,
            sum: false,
        }
    }

    /// As [`LossOptions::ignore`].
    pub const fn ignore(target: i64) -> LossOptions {
        Self::new().ignore(target)
    }

    /// As [`LossOptions::smoothing`].
    ///
    /// # Panics
    /// If `share` is not in `[0, 1]`.
    #[track_caller]
    pub fn smoothing<N: Scalar>(share: N) -> LossOptions {
        Self::new().smoothing(share)
    }

    /// As [`LossOptions::weights`].
    pub fn weights<N: Scalar>(weights: &[N]) -> LossOptions {
        Self::new().weights(weights)
    }

    /// As [`LossOptions::sum`].
    pub const fn sum() -> LossOptions {
        Self::new().sum()
    }
}

/// Options of [`cross_entropy_with`](crate::tensor::Tensor::cross_entropy_with) and
/// [`nll_loss_with`](crate::tensor::Tensor::nll_loss_with), which [`Loss`] begins. All have the meaning of PyTorch's
/// `ignore_index`, `label_smoothing`, `weight` and `reduction`. They have no derivative. Numbers may be of any scalar, as a
/// function has them whose derivatives are of higher order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LossOptions {
    pub(super) ignored: Option<i64>,
    pub(super) smoothing: f64,
    weights: Option<Vec<f64>>,
    pub(super) sum: bool,
}

impl LossOptions {
    /// Rows with this target have no loss, no derivative, and do not count in the mean. It need not be a class: `-100`
    /// is PyTorch's default. The mean of no rows is NaN, as PyTorch has it, with derivatives of 0.
    pub const fn ignore(mut self, target: i64) -> Self {
        self.ignored = Some(target);
        self
    }

    /// A target stands for the distribution `1 − share` on its class plus `share/C` on each of the `C` classes
    /// (Szegedy et al. 2016).
    ///
    /// # Panics
    /// If `share` is not in `[0, 1]`.
    #[track_caller]
    pub fn smoothing<N: Scalar>(mut self, share: N) -> Self {
        let share = share.to_f64();
        assert!(
            (0.0..=1.0).contains(&share),
            "the share of smoothed labels is not in [0, 1]"
        );
        self.smoothing = share;
        self
    }

    /// One weight for each class, by which its part of the loss is multiplied; the mean divides by the sum of the weights
    /// of the targets. The loss panics if there are more or fewer weights than classes.
    pub fn weights<N: Scalar>(mut self, weights: &[N]) -> Self {
        self.weights = Some(weights.iter().map(|w| w.to_f64()).collect());
        self
    }

    /// The sum over the rows in place of the mean.
    pub const fn sum(mut self) -> Self {
        self.sum = true;
        self
    }

    /// The weights as a vector beside the scores.
    #[track_caller]
    pub(super) fn weights_of<T: Float, D: Backend>(
        &self,
        name: &str,
        scores: &Raw<T, D>,
        classes: usize,
    ) -> Option<Raw<T, D>> {
        let weights = self.weights.as_ref()?;
        let given = weights.len();
        assert!(
            given == classes,
            "{name}: {given} weights for {classes} classes"
        );
        let weights: Vec<T> = weights.iter().map(|&w| T::lit(w)).collect();
        Some(Raw::from_slice(scores.device(), [classes], &weights))
    }
}

crate::__setting!(LossOptions);
