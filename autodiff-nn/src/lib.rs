//! Layers and networks of the [`differentiable`](https://docs.rs/differentiable) crate.
//!
//! Users depend on the facade `differentiable`, whose `nn` is what this crate calls [`nn`].

// Types of tensors are long: they hold the shapes.
#![allow(clippy::type_complexity)]

// Code written by `#[differentiable]` names the facade; inside this crate the facade is this crate.
extern crate self as differentiable;

pub use autodiff_core::*;

mod context;
mod layers;
mod losses;

/// Layers, losses, modules, their context and their state.
///
/// A layer is a `#[module]` with a `forward` method that is `#[differentiable]`; a network is a module of layers.
///
/// Losses with a rule of their own are methods of tensors: `cross_entropy`, `cross_entropy_with`, `nll_loss`, `mse_loss`,
/// `l1_loss`, `huber_loss`, `bce_with_logits`, `bce_loss`, `kl_div`, `ctc_loss`. The others are functions here, such as
/// `kl_normal` and `triplet_loss`.
pub mod nn {
    pub mod torch;

    pub use crate::context::{Ctx, RecordError};
    pub use crate::layers::*;
    pub use crate::losses::*;
    pub use autodiff_core::nn::*;
}

/// What a program imports: `use differentiable::prelude::*;`.
pub mod prelude {
    pub use crate::context::Ctx;
    pub use autodiff_core::prelude::*;
}
