//! Layers and the module trait.
//!
//! A layer is a struct of tensors with a `forward` method that is `#[differentiable]`; a network is
//! a struct of layers. [`Module`] gives their parameters names, so that optimisers and checkpoints
//! can walk over them.

mod cast;
#[doc(hidden)]
pub mod constant;
mod form;
mod host;
mod impls;
mod init;
mod initialize;
mod linear;
mod module;
mod names;
mod path;
mod state;
mod summary;
mod tensor;
mod tuples;

pub use cast::Cast;
pub use form::{TorchForm, TorchLayout, TorchNames};
pub use host::{HostData, HostTensor, Kind, Storable};
pub use init::{Init, Seeds};
pub use initialize::{Initialize, New};
pub use linear::Linear;
pub use module::{Module, Visitor, VisitorMut, VisitorWithGrad};
#[doc(hidden)]
pub use names::edit_distance;
pub use path::Path;
pub use state::{State, StateError, load_state, state};
pub(crate) use state::{check, kinds, tag, tagged};
pub use summary::{Summary, SummaryRow};
