//! Tensor operations: the API and the differentiation rule of each, under its name.
//!
//! | folder | operations |
//! |---|---|
//! | `elementwise/arithmetic` | `+ - * / %` of tensors and scalars, `maximum minimum pow atan2 hypot lerp` |
//! | `elementwise/unary` | the functions of one number of the table in the crate `autodiff-vocabulary` |
//! | `elementwise/activation` | `elu celu leaky_relu`: activation functions with a parameter |
//! | `elementwise/power` | `powi powf clamp clamp_min clamp_max` |
//! | `elementwise/mask` | `gt ge lt le eq ne is_nan is_finite is_infinite select masked_fill logical_and logical_or logical_not any all count` |
//! | `elementwise/mask_ops` | `& \| ^ !` of masks |
//! | `elementwise/cast` | `cast` |
//! | `elementwise/integer` | `+ - * / % maximum minimum sum max min` of integers |
//! | `elementwise/half` | `+ - * / matmul sum mean max min` of `bf16` and `f16`, in `f32` |
//! | `elementwise/dropout` | `dropout` |
//! | `fourier` | `fft ifft fft2 ifft2 fft_ortho ifft_ortho rfft irfft rfft2 irfft2` (feature `fft`) |
//! | `fused` | several elementwise operations in one pass: what `#[differentiable]` makes of them |
//! | `image/conv` | `conv1d conv2d conv3d` and grouped, `conv_transpose1d conv_transpose2d conv_transpose3d` and grouped, pooling, `unfold2d fold2d` |
//! | `image/resample` | `interpolate_nearest interpolate_bilinear interpolate_linear` and aligned, `upsample_nearest upsample_bilinear` |
//! | `index/rows` | `embedding gather` |
//! | `index/scatter` | `index_select scatter_add scatter` |
//! | `index/access` | `item to_vec get at` |
//! | `linalg` | `solve solve_vec solve_triangular inv det slogdet logdet cholesky cholesky_solve qr eigh eigvalsh svd svdvals pinv lstsq matrix_exp matrix_power trace cross` (feature `linalg`) |
//! | `loss/entropy` | `cross_entropy mse_loss` |
//! | `loss/classes` | `cross_entropy_with nll_loss nll_loss_with` |
//! | `loss/ctc` | `ctc_loss` |
//! | `loss/losses` | `l1_loss huber_loss smooth_l1_loss bce_with_logits bce_loss kl_div` |
//! | `norm/rows` | `layer_norm rms_norm group_norm instance_norm batch_norm` |
//! | `norm/running` | `batch_norm_inference` |
//! | `place` | `to zeros_like ones_like full_like` |
//! | `product/matmul` | matrix products |
//! | `product/affine` | a product and a bias, as in a layer |
//! | `product/products` | `dot outer` |
//! | `product/tensordot` | `tensordot` |
//! | `product/einsum` | [`einsum!`](crate::einsum): products and sums by letters |
//! | `reduce/sums` | `sum mean max min argmax argmin`, along an axis or several, which may stay |
//! | `reduce/fold` | `prod var std norm norm_l1 norm_p logsumexp` |
//! | `reduce/scan` | `cumsum cumprod` |
//! | `reduce/sort` | `sort sort_descending argsort argsort_descending topk` |
//! | `reduce/quantile` | `quantile_axis median_axis`, and with the axis kept |
//! | `reduce/softmax` | `softmax log_softmax` |
//! | `reduce/mask_axes` | `any all count` along several axes, which may stay |
//! | `sequence/attention` | `attention attention_masked attention_biased attention_padded attention_masked_biased attention_grouped`, and grouped with a mask, a bias or both |
//! | `sequence/recurrent` | `rnn gru lstm` |
//! | `view/shape` | `transpose t permute reshape flatten squeeze unsqueeze slice split_last merge_last` |
//! | `view/extent` | `expand expand_as narrow` |
//! | `view/entry` | `index` |
//! | `view/join` | `concat split_at chunk stack` |
//! | `view/parts` | `split concat_all` |
//! | `view/rearrange` | `flip roll slice_step repeat repeat_interleave tril triu diag diagonal` |
//! | `view/stated` | `repeat_to repeat_interleave_to pad_to pad_reflect_to pad_replicate_to`: the result has a stated size |
//! | `view/stacked` | `stack_to` |
//! | `view/rolling` | `unfold` |
//! | `view/padding` | `pad pad_reflect pad_replicate` |
//! | `view/grid` | `meshgrid meshgrid3 one_hot` |
//!
//! Every operation `foo` comes with two methods that generated code calls: `__foo_vjp` returns the
//! value and the pullback, `__foo_jvp` the value and the tangent. The operators and functions that
//! scalars share with tensors implement the rule traits of [`ad`](crate::ad) instead.
//!
//! Rules keep alive only what the pullback needs; the pullback of a view is a view.

mod elementwise;
#[cfg(feature = "fft")]
mod fourier;
#[doc(hidden)]
pub mod fused;
mod image;
mod index;
#[cfg(feature = "linalg")]
mod linalg;
mod loss;
mod norm;
mod place;
mod product;
mod reduce;
mod rule;
mod sequence;
mod view;

#[doc(hidden)]
pub use elementwise::arithmetic::{AnyLeft, Left, RightOf};
pub use elementwise::half::{Bf16Ops, F16Ops};
pub use elementwise::integer::IntegerOps;
#[cfg(feature = "linalg")]
pub use linalg::LinalgError;
pub use loss::ctc::Ctc;
pub use loss::options::{Loss, LossOptions};
pub use sequence::attention::Attention;

use crate::device::{Backend, BinaryOp, Dims, Elem, Float};
use crate::tensor::Raw;

/// The panic of an operation names the line of its caller. A closure cannot do that.
trait OrPanic<T> {
    /// The value, or a panic with the name of the operation.
    #[track_caller]
    fn or_panic(self, operation: &str) -> T;
}

impl<T, E: core::fmt::Display> OrPanic<T> for Result<T, E> {
    #[inline]
    #[track_caller]
    fn or_panic(self, operation: &str) -> T {
        match self {
            Ok(value) => value,
            Err(e) => panic!("{operation}: {e}"),
        }
    }
}

/// `x · by`, in place where the buffer has no other owner.
#[track_caller]
fn scaled<T: Float, D: Backend>(x: Raw<T, D>, by: f64) -> Raw<T, D> {
    match by {
        1.0 => x,
        _ => x.binary_scalar(BinaryOp::Mul, T::lit(by)),
    }
}

/// `part` at `start..` along `axis`, zero elsewhere: the pullback of a slice.
#[track_caller]
fn pad<T: Elem, D: Backend>(part: &Raw<T, D>, dims: Dims, axis: usize, start: usize) -> Raw<T, D> {
    let mut out = Raw::zeros(part.device(), dims);
    out.assign_slice(axis, start, part);
    out
}
