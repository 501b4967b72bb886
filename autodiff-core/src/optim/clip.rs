use crate::ad::Tangent;

/// Shortens a gradient to the norm `max_norm` if it is longer. Returns it with the norm it had.
///
/// The norm is that of all entries taken together, summed in `f64`. A norm that is not finite
/// leaves the gradient as it is, so that the caller can see it and skip the step.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::clip_grad_norm;
///
/// let (gradient, norm) = clip_grad_norm((3.0, [4.0_f64]), 1.0);
/// assert_eq!(norm, 5.0);
/// assert!((gradient.0 - 0.6_f64).abs() < 1e-12 && (gradient.1[0] - 0.8).abs() < 1e-12);
/// ```
pub fn clip_grad_norm<G: Tangent>(grad: G, max_norm: f64) -> (G, f64) {
    let norm = grad.dot(&grad).sqrt();
    if norm.is_finite() && norm > max_norm {
        (grad.scale(max_norm / norm), norm)
    } else {
        (grad, norm)
    }
}
