//! Runtime of the [`differentiable`](https://docs.rs/differentiable) crate.
//!
//! Users depend on the facade `differentiable`; this crate holds what generated code refers to
//! ([`ad`]) and what it computes with (typed tensors, kernels, layers, optimisers).

// Code written by `#[differentiable]` names the facade; inside this crate the facade is this crate.
extern crate self as differentiable;

pub mod ad;
pub mod data;
pub mod device;
pub mod io;
pub mod kernel;
pub mod nn;
pub mod ops;
pub mod optim;
pub mod prelude;
pub mod shape;
pub mod tensor;

/// What generated code refers to. Not part of the public interface.
#[doc(hidden)]
pub mod __rt {
    pub use crate::ad::*;
}
