//! Derivatives of higher order: Hessians, products with them, nested gradients, Jacobians by columns.
#![allow(missing_docs)]
// Arguments are written as users write them.
#![allow(clippy::borrow_deref_ref, clippy::borrowed_box, clippy::ptr_arg)]
// The language under test is that of vectors written out.
#![allow(clippy::useless_vec)]

/// First derivatives and products with the Hessian against differences, for each of the arguments.
macro_rules! check {
    ($($f:ident($($x:expr),*)),* $(,)?) => { $(
        let args = ($($x,)*);
        differentiable::ad::check_grads::<$f, _>(&args).unwrap();
        differentiable::ad::check_hvp::<$f, _, _>(&args).unwrap();
    )* };
}

mod aliases;
mod any_constants;
mod any_constants_forms;
mod any_constants_lent;
mod any_constants_made;
mod any_constants_within;
mod assembly;
mod auxiliary;
mod constants;
mod fixed;
mod fixed_methods;
mod fixed_modules;
mod fixed_values;
mod functions;
mod hessians;
mod indices;
mod jacobians;
mod large_products;
mod matrix;
mod native_calls;
mod native_types;
mod nested;
mod nested_hvp;
mod nested_jvp;
mod options;
mod passed;
mod solvers;
mod sparse;
mod state;
mod structs;
mod tables;
mod tensor_edges;
mod tensor_forms;
mod tensors;
mod within;

/// Panics unless two numbers agree.
#[track_caller]
pub fn near(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * (1.0 + expected.abs()),
        "found {found}, expected {expected}"
    );
}
