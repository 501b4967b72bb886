//! Training in mixed precision: `Mixed<bf16>` and `Mixed<f16>`.
#![allow(missing_docs)]
#![allow(clippy::type_complexity)] // shapes are types

mod digits;
mod exact;
mod masters;
mod torch;

use differentiable::prelude::*;

dim!(Batch);
