//! Losses of yes and no.

use autodiff_core::prelude::*;

/// `bce_with_logits` of `C` questions, in which the part of the positive targets counts `weights` times: the mean of
/// `w·t·softplus(−x) + (1 − t)·softplus(x)`, as PyTorch's `pos_weight`.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::bce_with_logits_weighted;
/// let logits: Tensor![f64; 2, 3] = Tensor::randn(0);
/// let targets = tensor([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
/// let loss = bce_with_logits_weighted(&logits, &targets, &tensor([1.0, 1.0, 9.0]));
/// assert!(loss.item() > 0.0);
/// ```
#[differentiable]
pub fn bce_with_logits_weighted<B: Dim, C: Dim, T: Float>(
    logits: &Tensor<(B, C), T>,
    targets: &Tensor<(B, C), T>,
    #[constant] weights: &Tensor<(C,), T>,
) -> Tensor<(), T> {
    let positive = targets * (-logits).softplus() * weights;
    let one: T = no_grad!(T::lit(1.0));
    let negative = (-targets + one) * logits.softplus();
    (positive + negative).mean()
}
