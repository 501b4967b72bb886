//! Typed tensors through the public interface: shapes, values, and the rule of every operation.

#![allow(clippy::unit_arg, clippy::type_complexity)] // shapes are types, `()` is one

mod batched;
mod batches;
mod check;
mod coverage;
mod coverage_attention;
mod coverage_conv;
#[cfg(feature = "fft")]
mod coverage_fourier;
#[cfg(feature = "linalg")]
mod coverage_linalg;
mod coverage_losses;
mod coverage_more;
mod coverage_norm;
mod coverage_recurrent;
mod create;
mod examples;
mod layers;
mod operators;
mod rules_activation;
mod rules_arithmetic;
mod rules_attention;
mod rules_attention_groups;
mod rules_conv;
mod rules_einsum;
mod rules_fold;
#[cfg(feature = "fft")]
mod rules_fourier;
mod rules_half;
mod rules_index;
mod rules_integer;
mod rules_join;
#[cfg(feature = "linalg")]
mod rules_linalg;
#[cfg(feature = "linalg")]
mod rules_linalg_extremes;
mod rules_losses;
mod rules_mask;
mod rules_matmul;
mod rules_more;
mod rules_norm;
mod rules_precision;
mod rules_quantile;
mod rules_rearrange;
mod rules_recurrent;
mod rules_reduce;
mod rules_resample;
mod rules_scatter;
mod rules_sort;
mod rules_transposed;
mod rules_unary;
mod rules_view;
mod scalars;
mod shapes;
mod show;
mod state;
