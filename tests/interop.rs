//! Values of other crates: against central differences, in both modes.
// Operators on references are under test.
#![allow(clippy::op_ref)]

#[path = "interop/argmin.rs"]
mod argmin;
#[path = "interop/checkpoints.rs"]
mod checkpoints;
#[path = "interop/glam.rs"]
mod glam;
#[path = "interop/glam_matrices.rs"]
mod glam_matrices;
#[path = "interop/nalgebra.rs"]
mod nalgebra;
#[path = "interop/ndarray.rs"]
mod ndarray;
#[path = "interop/ndarray_parts.rs"]
mod ndarray_parts;

use differentiable::ad::{Arguments, DifferentiableFn, check_grads};

fn check<F, Args>(args: &Args)
where
    F: DifferentiableFn<Args>,
    Args: Arguments + Clone,
{
    check_grads::<F, Args>(args).unwrap();
}
