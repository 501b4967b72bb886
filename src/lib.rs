#![doc = include_str!("../README.md")]

pub use autodiff_core::*;

/// Guides for newcomers.
pub mod guide {
    #[doc = include_str!("doc/for_pytorch_users.md")]
    pub mod for_pytorch_users {}
    #[doc = include_str!("doc/language.md")]
    pub mod language {}
}
