//! Runtime of the [`differentiable`](https://docs.rs/differentiable) crate.
//!
//! Users depend on the facade `differentiable`; this crate holds what generated code refers to
//! ([`ad`]) and what it computes with (typed tensors, kernels, layers, optimisers).

// Code written by `#[differentiable]` names the facade; inside this crate the facade is this crate.
extern crate self as differentiable;

pub mod ad;
mod cpu;
pub mod device;
pub mod implicit;
#[cfg(any(
    feature = "glam",
    feature = "nalgebra",
    feature = "ndarray",
    feature = "argmin"
))]
pub mod interop;
pub mod io;
pub mod kernel;
pub mod nn;
pub mod ode;
pub mod ops;
pub mod optim;
pub mod prelude;
#[doc(hidden)]
pub mod rt;
pub mod shape;
pub mod sparse;
pub mod tensor;

pub use ad::stop_gradient;
pub use autodiff_macros::{
    Differentiable, Module, batch, derivative, differentiable, einsum, module, vmap,
};
pub use device::Float;

/// Computes the value of an expression without a derivative: its result counts as a constant.
///
/// ```
/// use differentiable::prelude::*;
///
/// #[differentiable]
/// fn f(x: f64) -> f64 {
///     let scale = no_grad!(x * 2.0);
///     x * scale
/// }
/// assert_eq!(f::grad(3.0), 6.0);
/// ```
#[macro_export]
macro_rules! no_grad {
    ($($body:tt)*) => {{ $($body)* }};
}

/// What emitted code refers to. Not part of the public interface.
#[doc(hidden)]
pub use rt as __rt;
