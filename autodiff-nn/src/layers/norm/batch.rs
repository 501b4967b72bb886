//! Normalisation over a batch, with running statistics for inference.

use crate::context::Ctx;
use crate::layers::Layer;
use autodiff_core::prelude::*;
use autodiff_core::shape::Axis;
use autodiff_core::tensor::raw::Raw;

/// Each of the `C` channels (axis 1) normalised over all other axes, then scaled and shifted:
/// `y = weight·(x − m)/√(v + eps) + bias` (Ioffe & Szegedy 2015), for inputs `[B, C]`, `[B, C, L]`, `[B, C, H, W]` and
/// so on.
///
/// In training `m` and `v` are those of the batch, and the running statistics move towards them, with the variance
/// divided by the count less one, when the step is [committed](Ctx::commit). In inference they are the running
/// statistics.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{BatchNorm, Ctx};
///
/// let mut norm = BatchNorm::<2>::new(&mut Seeds::new(0));
/// let x = differentiable::prelude::tensor([[1.0_f32, 10.0], [3.0, 30.0]]);
/// let mut ctx = Ctx::train(&norm, 0);
/// let y = norm.forward(&x, &mut ctx);
/// assert!((y[[0, 0]] + 1.0).abs() < 1e-4);
/// ctx.commit(&mut norm);
/// assert!((norm.running_mean[[0]] - 0.2).abs() < 1e-6);
/// ```
#[module]
pub struct BatchNorm<const C: usize, T: Float = f32> {
    /// The scale of each channel, 1 at first.
    #[init(Tensor::ones())]
    pub weight: Tensor![T; { C }],
    /// The shift of each channel, 0 at first.
    #[init(Tensor::zeros())]
    pub bias: Tensor![T; { C }],
    /// The mean of each channel for inference, 0 at first.
    #[buffer]
    #[init(Tensor::zeros())]
    #[torch(beside("num_batches_tracked"))]
    pub running_mean: Tensor![T; { C }],
    /// The variance of each channel for inference, 1 at first.
    #[buffer]
    #[init(Tensor::ones())]
    pub running_var: Tensor![T; { C }],
    /// The part of the way that the running statistics move in a step.
    #[config]
    #[init(0.1)]
    pub momentum: f64,
    /// Added to the variance.
    #[config]
    #[init(1e-5)]
    pub eps: f64,
}

/// [`BatchNorm`] of vectors `[B, C]` or sequences `[B, C, L]`.
pub type BatchNorm1d<const C: usize, T = f32> = BatchNorm<C, T>;
/// [`BatchNorm`] of images `[B, C, H, W]`.
pub type BatchNorm2d<const C: usize, T = f32> = BatchNorm<C, T>;
/// [`BatchNorm`] of volumes `[B, C, D, H, W]`.
pub type BatchNorm3d<const C: usize, T = f32> = BatchNorm<C, T>;

/// The mean and the variance (divided by the count less one) of each channel.
#[track_caller]
fn statistics<S: Shape + Axis<1>, T: Float>(x: &Tensor<S, T>) -> [Raw<T, Device>; 2] {
    let raw = x.raw();
    let channels = x.dims()[1];
    let count = x.len().checked_div(channels).unwrap_or(0);
    assert!(
        count > 1,
        "batch normalisation in training needs more than one value for each channel, not {count}: \
         an input of shape {:?}",
        x.dims()
    );
    let vector = |value: f64| Raw::full(x.device(), [channels], T::lit(value));
    let scaled = |sums: Raw<T, Device>, by: f64| {
        sums.reshape([channels])
            .binary_scalar(autodiff_core::device::BinaryOp::Mul, T::lit(by))
    };
    let mean = scaled(raw.channel_sums(), 1.0 / count as f64);
    let centred = raw.channel_affine(&mean, &vector(1.0), &vector(0.0));
    let squares = raw.channel_moments(&mean, &centred);
    [mean, scaled(squares, 1.0 / (count - 1) as f64)]
}

impl<const C: usize, T: Float> BatchNorm<C, T> {
    /// Moves the running statistics towards those of a batch.
    #[track_caller]
    fn learn<S: Shape + Axis<1>>(&self, x: &Tensor<S, T>, ctx: &mut Ctx) {
        let [mean, var] = statistics(x);
        for (buffer, new) in [(&self.running_mean, mean), (&self.running_var, var)] {
            let mut value = ctx.current(buffer) * T::lit(1.0 - self.momentum);
            let step =
                new.binary_scalar(autodiff_core::device::BinaryOp::Mul, T::lit(self.momentum));
            value.raw_mut().add_assign(&step);
            ctx.update(buffer, value);
        }
    }
}

#[differentiable]
impl<const C: usize, T: Float> BatchNorm<C, T> {
    /// The normalised batch.
    ///
    /// # Panics
    /// In training, if a channel has fewer than two values.
    pub fn forward<S: Shape + Axis<1, Dim = Sz<C>>>(
        &self,
        x: &Tensor<S, T>,
        ctx: &mut Ctx,
    ) -> Tensor<S, T> {
        if ctx.is_train() {
            no_grad!(self.learn(x, ctx));
            x.batch_norm(&self.weight, &self.bias, self.eps)
        } else {
            x.batch_norm_inference(
                &self.running_mean,
                &self.running_var,
                &self.weight,
                &self.bias,
                self.eps,
            )
        }
    }
}

#[differentiable]
impl<const C: usize, S: Shape + Axis<1, Dim = Sz<C>>, T: Float> Layer<Tensor<S, T>>
    for BatchNorm<C, T>
{
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, ctx: &mut Ctx) -> Tensor<S, T> {
        self.forward(x, ctx)
    }
}
