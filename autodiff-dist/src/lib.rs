//! Many ranks for the [`differentiable`](https://docs.rs/differentiable) crate.
//!
//! Users depend on the facade `differentiable`, whose [`dist`] is that of this crate.

// Types of tensors are long: they hold the shapes.
#![allow(clippy::type_complexity)]

// Code written by `#[differentiable]` names the facade; inside this crate the facade is this crate.
extern crate self as differentiable;

pub use autodiff_nn::*;

pub mod dist;
