//! Losses that are scaled so that their gradients fit into numbers of half precision.

use super::clip_grad_norm;
use crate::ad::Tangent;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Dynamic loss scaling (Micikevicius et al. 2018), for gradients that pass through numbers of half precision, as those of a
/// network of [`Mixed<f16>`](crate::ad::Mixed): the loss is multiplied by a large factor, so that small gradients do not
/// become zero, and the gradient is divided by it.
///
/// A gradient that is infinite or NaN says that the factor is too large: it is halved, and the step is to be skipped.
/// After a number of gradients without such a one it is doubled.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::{LossScale, Optimizer, Sgd};
///
/// let (mut x, mut sgd) = (1.0_f64, Sgd::new(0.5));
/// let mut scale = LossScale::new().initial(1024.0);
/// // The gradient of `scale.factor() * x²`, and one that is too large.
/// for grad in [scale.factor() * 2.0 * x, f64::INFINITY] {
///     if let Some(grad) = scale.unscale(grad) {
///         sgd.step(&mut x, &grad);
///     }
/// }
/// assert_eq!((x, scale.factor(), scale.skipped()), (0.0, 512.0, 1));
///
/// // As an entry of a checkpoint: `checkpoint.with("loss_scale", &scale)` and `checkpoint.get("loss_scale")`.
/// let again: LossScale = scale.to_string().parse()?;
/// assert_eq!(again, scale);
/// # Ok::<(), differentiable::optim::LossScaleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LossScale {
    factor: f64,
    interval: u64,
    /// The gradients since the factor was changed.
    good: u64,
    skipped: u64,
}

/// Why a text is not that of a [`LossScale`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{found}` is no loss scale, expected a factor above 0 and three counts, such as `65536 2000 0 0`"
)]
pub struct LossScaleError {
    /// The text.
    pub found: String,
}

impl Default for LossScale {
    fn default() -> Self {
        LossScale::new()
    }
}

impl LossScale {
    /// A factor of 65536 at first, doubled after 2000 gradients.
    pub fn new() -> Self {
        LossScale {
            factor: 65536.0,
            interval: 2000,
            good: 0,
            skipped: 0,
        }
    }

    /// The first factor.
    ///
    /// # Panics
    /// When it is not a finite number above 0.
    pub fn initial(mut self, factor: f64) -> Self {
        super::check_positive("the factor of the loss", factor);
        self.factor = factor;
        self
    }

    /// The number of finite gradients after which the factor is doubled.
    ///
    /// # Panics
    /// When it is 0.
    pub fn interval(mut self, gradients: u64) -> Self {
        assert!(
            gradients > 0,
            "an interval of 0 gradients, expected at least 1"
        );
        self.interval = gradients;
        self
    }

    /// What the loss is to be multiplied by.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// The number of gradients that were infinite or NaN.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The gradient of the loss, from that of the loss times [`factor`](LossScale::factor); `None` if it is infinite or NaN.
    /// Changes the factor of the next step. The host waits for the gradient.
    pub fn unscale<G: Tangent>(&mut self, grad: G) -> Option<G> {
        let (grad, norm) = clip_grad_norm(grad, f64::INFINITY);
        if !norm.value().is_finite() {
            self.skipped += 1;
            (self.factor, self.good) = (self.factor / 2.0, 0);
            return None;
        }
        let grad = grad.scale(1.0 / self.factor);
        self.good += 1;
        if self.good >= self.interval {
            let doubled = 2.0 * self.factor;
            self.factor = if doubled.is_finite() {
                doubled
            } else {
                self.factor
            };
            self.good = 0;
        }
        Some(grad)
    }
}

/// The factor, the interval, the gradients since the last change, and those that were skipped.
impl fmt::Display for LossScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LossScale {
            factor,
            interval,
            good,
            skipped,
        } = self;
        write!(f, "{factor} {interval} {good} {skipped}")
    }
}

impl FromStr for LossScale {
    type Err = LossScaleError;
    fn from_str(text: &str) -> Result<Self, LossScaleError> {
        let error = || LossScaleError {
            found: text.to_string(),
        };
        let words: Vec<&str> = text.split(' ').collect();
        let [factor, interval, good, skipped] = words[..] else {
            return Err(error());
        };
        let factor: f64 = factor.parse().map_err(|_| error())?;
        let count = |word: &str| word.parse::<u64>().map_err(|_| error());
        let interval = count(interval)?;
        if !(factor.is_finite() && factor > 0.0 && interval > 0) {
            return Err(error());
        }
        Ok(LossScale {
            factor,
            interval,
            good: count(good)?,
            skipped: count(skipped)?,
        })
    }
}
