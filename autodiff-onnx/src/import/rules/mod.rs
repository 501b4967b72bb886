//! Operations on arrays, each with the library's derivatives: what the operators of ONNX are put together from.
//!
//! | file | operations |
//! |---|---|
//! | `elementwise` | functions of one and two numbers, comparisons, choices |
//! | `view` | the same elements in another order: reshape, permute, expand, narrow, pick, pad, triangle, concat |
//! | `reduce` | sums, extremes, products and norms along axes, softmax, running sums |
//! | `product` | products of matrices |
//! | `index` | entries that integers name |
//! | `image` | convolutions, pooling, interpolation |
//! | `norm` | normalisation |
//! | `sequence` | recurrent layers |

pub mod elementwise;
pub mod image;
pub mod index;
pub mod norm;
pub mod product;
pub mod reduce;
pub mod sequence;
pub mod view;
