//! What a program imports: `use differentiable::prelude::*;`.

pub use crate::ad::{Differentiable, DifferentiableFn, stop_gradient};
pub use crate::ad::{Differentiable, Tangent, stop_gradient};
pub use crate::device::{Cpu, Device, Elem, Float, Index};
pub use crate::no_grad;
pub use crate::shape::{Dim, Shape, ShapeError, StaticShape, Sz};
pub use crate::tensor::{Tensor, tensor};
pub use crate::{Tensor, dim, shape};
pub use autodiff_macros::{Differentiable, Module, differentiable};
