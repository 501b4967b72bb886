//! Data, training and logs of the [`differentiable`](https://docs.rs/differentiable) crate.
//!
//! Users depend on the facade `differentiable`, whose [`data`] and [`train`] are those of this crate.

// Types of tensors are long: they hold the shapes.
#![allow(clippy::type_complexity)]

// Code written by `#[differentiable]` names the facade; inside this crate the facade is this crate.
extern crate self as differentiable;

pub use autodiff_dist::*;

pub mod data;
pub mod train;
