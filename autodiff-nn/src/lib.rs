//! Layers and networks of the [`differentiable`](https://docs.rs/differentiable) crate.
//!
//! Users depend on the facade `differentiable`, whose `nn` is what this crate calls [`nn`].

// Code written by `#[differentiable]` names the facade; inside this crate the facade is this crate.
extern crate self as differentiable;

pub use autodiff_core::*;

mod context;
mod layers;

/// Layers, modules, their context and their state.
///
/// A layer is a `#[module]` with a `forward` method that is `#[differentiable]`; a network is a module of layers.
pub mod nn {
    pub mod torch;

    pub use crate::context::{Ctx, RecordError};
    pub use crate::layers::*;
    pub use autodiff_core::nn::*;
}

/// What a program imports: `use differentiable::prelude::*;`.
pub mod prelude {
    pub use crate::context::Ctx;
    pub use autodiff_core::prelude::*;
}
