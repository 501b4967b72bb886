//! How layers begin, what is random in them, their context, and what every module has.

#[path = "layers/begin.rs"]
mod begin;
#[path = "layers/context.rs"]
mod context;
#[path = "layers/modules.rs"]
mod modules;
#[path = "layers/random.rs"]
mod random;
