//! Tensor operations: the API and the differentiation rule of each, under its name.
//!
//! | module | operations |
//! |---|---|
//! | `arithmetic` | `+ - * / %` of tensors and scalars, `maximum minimum pow atan2 hypot lerp` |
//! | `unary` | the functions of one number of the table in the crate `autodiff-vocabulary` |
//! | `activation` | `elu celu leaky_relu`: activation functions with a parameter |
//! | `power` | `powi powf clamp clamp_min clamp_max` |
//! | `affine` | a product and a bias, as in a layer |
//! | `mask_ops` | `& \| ^ !` of masks |
//! | `integer` | `+ - * / % maximum minimum sum max min` of integers |
//! | `half` | `+ - * / matmul sum mean max min` of `bf16` and `f16`, in `f32` |
//! | `mask_axes` | `any all count` along several axes, which may stay |
//! | `mask` | `gt ge lt le eq ne is_nan is_finite is_infinite select masked_fill logical_and logical_or logical_not any all count` |
//! | `cast` | `cast` |
//! | `dropout` | `dropout` |
//! | `matmul` | matrix products |
//! | `products` | `dot outer` |
//! | `tensordot` | `tensordot` |
//! | `einsum` | [`einsum!`](crate::einsum): products and sums by letters |
//! | `reduce` | `sum mean max min argmax argmin`, along an axis or several, which may stay |
//! | `fold` | `prod var std norm norm_l1 norm_p logsumexp` |
//! | `scan` | `cumsum cumprod` |
//! | `sort` | `sort sort_descending argsort argsort_descending topk` |
//! | `quantile` | `quantile_axis median_axis`, and with the axis kept |
//! | `softmax` | `softmax log_softmax` |
//! | `loss` | `cross_entropy mse_loss` |
//! | `losses` | `l1_loss huber_loss smooth_l1_loss bce_with_logits kl_div` |
//! | `view` | `transpose t permute reshape flatten squeeze unsqueeze slice split_last merge_last` |
//! | `extent` | `expand expand_as narrow` |
//! | `entry` | `index` |
//! | `join` | `concat split_at chunk stack` |
//! | `parts` | `split concat_all` |
//! | `rearrange` | `flip roll slice_step repeat repeat_interleave tril triu diag diagonal` |
//! | `stated` | `repeat_to repeat_interleave_to pad_to pad_reflect_to pad_replicate_to`: the result has a stated size |
//! | `stacked` | `stack_to` |
//! | `rolling` | `unfold` |
//! | `padding` | `pad pad_reflect pad_replicate` |
//! | `grid` | `meshgrid meshgrid3 one_hot` |
//! | `index` | `embedding gather` |
//! | `conv` | `conv1d conv2d conv3d` and grouped, `conv_transpose1d conv_transpose2d conv_transpose3d` and grouped, pooling, `unfold2d fold2d` |
//! | `resample` | `interpolate_nearest interpolate_bilinear interpolate_linear` and aligned, `upsample_nearest upsample_bilinear` |
//! | `attention` | `attention attention_masked attention_biased attention_padded attention_masked_biased attention_grouped`, and grouped with a mask, a bias or both |
//! | `recurrent` | `rnn gru lstm` |
//! | `norm` | `layer_norm rms_norm group_norm instance_norm batch_norm` |
//! | `running` | `batch_norm_inference` |
//! | `scatter` | `index_select scatter_add scatter` |
//! | `linalg` | `solve solve_vec solve_triangular inv det slogdet logdet cholesky cholesky_solve qr eigh eigvalsh svd svdvals pinv lstsq matrix_exp matrix_power trace cross` (feature `linalg`) |
//! | `fourier` | `fft ifft fft2 ifft2 fft_ortho ifft_ortho rfft irfft rfft2 irfft2` (feature `fft`) |
//! | `fused` | several elementwise operations in one pass: what `#[differentiable]` makes of them |
//! | `place` | `to zeros_like ones_like` |
//! | `access` | `item to_vec get at` |
//!
//! Every operation `foo` comes with two methods that generated code calls: `__foo_vjp` returns the
//! value and the pullback, `__foo_jvp` the value and the tangent. The operators and functions that
//! scalars share with tensors implement the rule traits of [`ad`](crate::ad) instead.
//!
//! Rules keep alive only what the pullback needs; the pullback of a view is a view.

mod access;
mod activation;
mod affine;
mod arithmetic;
mod attention;
mod cast;
mod conv;
mod dropout;
mod einsum;
mod entry;
mod extent;
mod fold;
#[cfg(feature = "fft")]
mod fourier;
#[doc(hidden)]
pub mod fused;
mod grid;
mod half;
mod index;
mod integer;
mod join;
#[cfg(feature = "linalg")]
mod linalg;
mod loss;
mod losses;
mod mask;
mod mask_axes;
mod mask_ops;
mod matmul;
mod norm;
mod padding;
mod parts;
mod place;
mod power;
mod products;
mod quantile;
mod rearrange;
mod recurrent;
mod reduce;
mod resample;
mod rolling;
mod rule;
mod running;
mod scan;
mod scatter;
mod softmax;
mod sort;

mod stacked;
mod stated;
mod tensordot;
mod unary;
mod view;

pub use self::half::{Bf16Ops, F16Ops};
#[doc(hidden)]
pub use arithmetic::{AnyLeft, Left, RightOf};
pub use attention::Attention;
pub use integer::IntegerOps;
#[cfg(feature = "linalg")]
pub use linalg::LinalgError;

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
