use autodiff_nn::nn::{Ctx, Module};
use autodiff_nn::prelude::*;

/// A module with a loss for batches of type `B`: what [`fit`](super::fit) minimises.
///
/// ```
/// use differentiable::nn::*;
/// use differentiable::prelude::*;
/// use differentiable::train::Objective;
///
/// dim!(Batch);
///
/// #[module]
/// struct Line { fit: Linear<1, 1> }
///
/// #[differentiable]
/// impl Objective<(Tensor![Batch, 1], Tensor![Batch, 1])> for Line {
///     fn loss(&self, batch: &(Tensor![Batch, 1], Tensor![Batch, 1]), ctx: &mut Ctx) -> Tensor![] {
///         self.fit.forward(&batch.0).mse_loss(&batch.1)
///     }
/// }
/// ```
#[differentiable]
pub trait Objective<B: Differentiable>: Module {
    /// The loss of a batch, averaged over its rows. It is differentiated by the module alone.
    fn loss(&self, #[constant] batch: &B, ctx: &mut Ctx) -> Tensor![];
}
