//! Tensor operations: the API and the differentiation rule of each, under its name.
//!
//! | module | operations |
//! |---|---|
//! | `arithmetic` | `+ - * /` of tensors and scalars, `maximum`, `minimum` |
//! | `unary` | `exp ln sqrt sin … relu sigmoid gelu silu softplus` |
//! | `power` | `powi powf clamp` |
//! | `affine` | a product and a bias, as in a layer |
//! | `matmul` | matrix products |
//! | `products` | `dot outer` |
//! | `einsum` | [`einsum!`](crate::einsum): products and sums by letters |
//! | `reduce` | `sum mean max min argmax argmin` |
//! | `softmax` | `softmax log_softmax` |
//! | `loss` | `cross_entropy mse_loss` |
//! | `view` | `transpose permute reshape flatten squeeze unsqueeze slice split_last merge_last` |
//! | `extent` | `expand narrow` |
//! | `join` | `concat split_at chunk stack` |
//! | `parts` | `split concat_all` |
//! | `rearrange` | `flip roll slice_step repeat repeat_interleave tril triu diag diagonal` |
//! | `padding` | `pad pad_reflect pad_replicate` |
//! | `grid` | `meshgrid meshgrid3 one_hot` |
//! | `index` | `embedding gather` |
//! | `scatter` | `index_select scatter_add scatter` |
//! | `access` | `item to_vec get at` |
//!
//! Every operation `foo` comes with two methods that generated code calls: `__foo_vjp` returns the
//! value and the pullback, `__foo_jvp` the value and the tangent. The operators and functions that
//! scalars share with tensors implement the rule traits of [`ad`](crate::ad) instead.
//!
//! Rules keep alive only what the pullback needs; the pullback of a view is a view.

mod access;
mod affine;
mod arithmetic;
mod einsum;
mod extent;
mod grid;
mod index;
mod join;
mod loss;
mod matmul;
mod padding;
mod parts;
mod power;
mod products;
mod rearrange;
mod reduce;
mod rule;
mod scatter;
mod softmax;
mod unary;
mod view;

use crate::device::{Device, Dims, Elem};
use crate::tensor::Raw;

/// `part` at `start..` along `axis`, zero elsewhere: the pullback of a slice.
fn pad<T: Elem, D: Device>(part: &Raw<T, D>, dims: Dims, axis: usize, start: usize) -> Raw<T, D> {
    let mut out = Raw::zeros(part.device(), dims);
    out.assign_slice(axis, start, part);
    out
}
