//! [`Differentiable`](super::Differentiable) for the types of the language and of `std`.

mod containers;
mod discrete;
mod floats;
mod sequences;
mod tuples;

pub(super) use sequences::acc_entries;
