//! What a program imports: `use differentiable::prelude::*;`.

pub use crate::ad::{
    Differentiable, DifferentiableFn, Mixed, TangentMethods as Tangent, stop_gradient,
};
#[cfg(feature = "linalg")]
pub use crate::device::Triangle;
pub use crate::device::{Backend, Cpu, Device, Elem, Float, Index, ToDevice};
pub use crate::nn::{Linear, Module, New, Seeds};
pub use crate::ops::{Attention, Bf16Ops, Ctc, F16Ops, IntegerOps, Loss, LossOptions};
pub use crate::optim::Optimizer;
pub use crate::shape::{
    Axes2, Axes3, Axes4, Axes5, Axes6, Dim, Groups, Prod, Shape, ShapeError, StaticShape, Sz, Win,
};
pub use crate::tensor::{Tensor, tensor};
pub use crate::{Tensor, dim, no_grad, shape};
pub use autodiff_macros::{
    Differentiable, Module, batch, derivative, differentiable, einsum, module, vmap,
};
pub use half::{bf16, f16};
