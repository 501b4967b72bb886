//! The language that `#[differentiable]` understands, by theme. Each program is checked in value
//! (bitwise), against central differences, and forward against reverse.
#![allow(missing_docs)]
// The language under test is that of assignments and indices written out.
#![allow(
    clippy::assign_op_pattern,
    clippy::ptr_arg,
    clippy::mut_range_bound,
    clippy::needless_late_init,
    clippy::get_first,
    clippy::manual_swap,
    clippy::manual_memcpy,
    clippy::manual_unwrap_or,
    clippy::manual_unwrap_or_default,
    clippy::vec_init_then_push,
    clippy::while_let_loop,
    clippy::collapsible_match,
    clippy::single_match,
    clippy::suspicious_arithmetic_impl,
    clippy::useless_vec,
    clippy::blocks_in_conditions,
    clippy::borrowed_box,
    clippy::box_collection,
    clippy::boxed_local,
    clippy::double_ended_iterator_last,
    clippy::iter_count,
    clippy::iter_nth,
    clippy::iter_skip_zero,
    clippy::manual_next_back,
    clippy::misrefactored_assign_op,
    clippy::needless_borrow,
    clippy::needless_borrows_for_generic_args,
    clippy::never_loop,
    clippy::redundant_guards,
    clippy::non_minimal_cfg,
    clippy::redundant_closure,
    clippy::filter_map_bool_then,
    clippy::field_reassign_with_default,
    clippy::match_single_binding,
    clippy::single_char_add_str,
    clippy::needless_lifetimes,
    clippy::unnecessary_to_owned,
    clippy::replace_box,
    clippy::unnecessary_lazy_evaluations,
    clippy::useless_format
)]

/// Checks the derivatives of functions of the tensor `x()` of the file.
macro_rules! checked {
    ($($f:ident),*) => { $(
        check_grads::<$f, _>(&(x(),)).unwrap_or_else(|e| panic!("{}: {e}", stringify!($f)));
    )* };
}

/// Checks the functions `f` of modules of a file, each as a test of the module's name.
macro_rules! each {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            check::<$name::f, _>(&(vec![0.31, 0.42, -0.55, 0.83],));
        }
    )* };
}

mod abstraction;
mod adaptors;
mod aliases;
mod any_constants;
mod assignment_order;
mod attributes;
mod auxiliary;
mod awkward_names;
mod becomes_active;
mod borrowed;
mod boxes;
mod buffers;
mod by_type;
mod choices;
mod chosen;
mod classics;
mod closures;
mod constant_fields;
mod constants;
mod control;
mod copied_arrays;
mod copies;
mod cut;
mod dying;
mod effects;
mod evaluation_order;
mod extrema;
mod filled_arrays;
mod flat_tables;
mod functions;
mod generic_traits;
mod gradients;
mod groups;
mod halves;
mod hygiene;
mod indices;
mod iterators;
mod jacobian;
mod jumps;
mod kept_borrows;
mod lends;
mod lengths;
mod lent_tuples;
mod local_items;
mod looked_up;
mod macros;
mod many_sides;
mod mapped_arrays;
mod mixed;
mod moved;
mod mutation;
mod names;
mod natural;
mod neighbours;
mod numbers;
mod operators;
mod option_methods;
mod options;
mod overwritten;
mod own_methods;
mod owned_pullbacks;
mod passed_on;
mod paths;
mod patterns;
mod plain_fields;
mod random;
mod ranges;
mod rearranged;
mod recursion;
mod rings;
mod room;
mod rows;
mod sequences;
mod shared_state;
mod slopes;
mod speed;
mod state;
mod std_made;
mod stored_later;
mod swapped;
mod tensor_arrays;
mod tensor_constructors;
mod tensor_generic;
mod tensor_integers;
mod tensor_options;
mod tensor_scalars;
mod text;
mod told_constants;
mod told_methods;
mod told_types;
mod told_variants;
mod traits;
mod traps;
mod vectors;
mod written_once;

use differentiable::ad::{DifferentiableFn, Tangent};
use differentiable::prelude::*;

/// Checks value, reverse and forward mode of `F` at `args`.
#[track_caller]
pub fn check<F, A>(args: &A)
where
    A: Differentiable + Clone,
    F: DifferentiableFn<A, Output = f64>,
{
    let value = F::call(args);
    let gradient = F::vjp(args, 1.0);
    let mut seed = 1u64;
    for _ in 0..4 {
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
        };
        let direction = args.zero_tangent().fill_with(&mut next);
        let (forward, tangent) = F::jvp(args, &direction);
        assert_eq!(forward.to_bits(), value.to_bits(), "forward mode's value");
        let slope = gradient.dot(&direction);
        assert!(
            (tangent - slope).abs() <= 1e-11 * (1.0 + slope.abs()),
            "forward {tangent}, reverse {slope}"
        );
        let at = |h: f64| {
            let mut moved = args.clone();
            moved.add_scaled(h, &direction);
            F::call(&moved)
        };
        let h = 1e-5;
        let difference = (at(h) - at(-h)) / (2.0 * h);
        assert!(
            (difference - slope).abs() <= 2e-7 * (1.0 + slope.abs()),
            "difference {difference}, reverse {slope}"
        );
    }
}

/// Checks reverse and forward mode of a function with any output.
#[track_caller]
pub fn check_outputs<F, A>(args: &A)
where
    A: Differentiable + Clone + differentiable::ad::Arguments,
    F: DifferentiableFn<A>,
    F::Output: Clone,
{
    if let Err(e) = differentiable::ad::check_grads::<F, A>(args) {
        panic!("{e}");
    }
}
