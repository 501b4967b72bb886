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
///     fn loss(&self, batch: &(Tensor![Batch, 1], Tensor![Batch, 1]), _ctx: &mut Ctx) -> Tensor![] {
///         self.fit.forward(&batch.0).mse_loss(&batch.1)
///     }
/// }
///
/// let mut line = Line::new(&mut Seeds::new(1));
/// let x = Tensor::from_fn_with((Batch(8), Sz), |i| i as f32 / 8.0);
/// let batch = (x.clone(), x * 2.0);
/// for _ in 0..200 {
///     let (_, gradient) = line.loss_value_and_grad(&batch, &mut Ctx::eval());
///     line.add_scaled(-0.3, &gradient);
/// }
/// assert!(line.loss(&batch, &mut Ctx::eval()).item() < 1e-2);
/// ```
#[differentiable]
pub trait Objective<B: Differentiable>: Module {
    /// The loss of a batch, averaged over its rows. It is differentiated by the module alone.
    fn loss(&self, batch: &B, ctx: &mut Ctx) -> Tensor![];
}
