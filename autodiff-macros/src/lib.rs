//! The `#[differentiable]` attribute and the derives of the `differentiable` crate.

use proc_macro::TokenStream;

mod derive;
mod derive_module;

/// Implements `Differentiable` for a struct.
#[proc_macro_derive(Differentiable, attributes(constant, differentiable))]
pub fn derive_differentiable(input: TokenStream) -> TokenStream {
    derive::expand(input.into()).into()
}

/// Implements `Module` (named parameters) for a struct of layers and tensors.
#[proc_macro_derive(Module, attributes(constant, module))]
pub fn derive_module(input: TokenStream) -> TokenStream {
    derive_module::expand(input.into()).into()
}
