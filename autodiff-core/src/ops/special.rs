//! Special functions of every element: `erf erfc lgamma digamma`.
//!
//! | function | derivative |
//! |---|---|
//! | `erf erfc` | `±2/√π · e^(−x²)` |
//! | `lgamma` | `digamma` |
//! | `digamma` | the trigamma function |
//!
//! What is computed how, and how accurately, is told in [`kernel::special`](crate::kernel::special).

use super::unary::{others, pull, push};
use crate::ad::{Adj, Ct, Mode};
use crate::device::{Device, Float, UnaryOp};
use crate::shape::Shape;
use crate::tensor::Tensor;

others! {
    /// The error function, `2/√π ∫₀ˣ e^(−t²) dt`.
    erf __erf_vjp __erf_jvp Erf;
    /// `1 − erf(x)`, accurate where that is small.
    erfc __erfc_vjp __erfc_jvp Erfc;
    /// `ln |Γ(x)|`; ∞ at 0 and the negative integers, where the derivative is NaN.
    lgamma __lgamma_vjp __lgamma_jvp Lgamma;
    /// The derivative of `ln |Γ(x)|`; NaN at 0 and the negative integers.
    digamma __digamma_vjp __digamma_jvp Digamma;
}
