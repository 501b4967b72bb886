//! Losses between distributions.

use autodiff_core::prelude::*;
use autodiff_core::shape::Axis;

/// The Kullback–Leibler divergence of normal distributions with these means and logarithms of variances from the standard
/// normal distribution: `½ Σ (mean² + e^v − v − 1)` over the features of an example, and the mean over the examples, axis 0
/// (Kingma & Welling 2014, appendix B). It is the second part of the loss of a variational autoencoder.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::kl_normal;
/// let zeros: Tensor![f64; 5, 3] = Tensor::zeros();
/// assert_eq!(kl_normal(&zeros, &zeros).item(), 0.0);
/// assert_eq!(kl_normal(&(&zeros + 2.0), &zeros).item(), 6.0); // ½·2² for each of 3 features
/// ```
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn kl_normal<S: Shape + Axis<0>, T: Float>(
    mean: &Tensor<S, T>,
    log_var: &Tensor<S, T>,
) -> Tensor<(), T> {
    // `e^v − 1` in one keeps its digits where `v` is small.
    let terms = mean.square() + log_var.exp_m1() - log_var;
    let share: T = no_grad!(T::lit(0.5 / mean.dims()[0] as f64));
    terms.sum() * share
}

/// The mean over the rows of `−Σ p·log_softmax(logits)` for targets that are probabilities `p` along the last axis: soft
/// labels, mixtures of examples, the outputs of a teacher.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::soft_cross_entropy;
/// let logits: Tensor![f64; 2, 3] = Tensor::randn(0);
/// let sure = tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
/// let (soft, hard) = (soft_cross_entropy(&logits, &sure), logits.cross_entropy(&tensor([1_i64, 0])));
/// assert!((soft.item() - hard.item()).abs() < 1e-15);
/// ```
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn soft_cross_entropy<S: Shape + Axis<-1>, T: Float>(
    logits: &Tensor<S, T>,
    probabilities: &Tensor<S, T>,
) -> Tensor<(), T> {
    let products = probabilities * logits.log_softmax::<-1>();
    -products.sum_axis::<-1>().mean()
}
