//! Losses: values and gradients of PyTorch, central differences, special values, messages.

#[path = "../golden/cases.rs"]
mod cases;
#[path = "../golden/values.rs"]
mod values;

mod edges;
mod torch;
