//! `#[checkpoint]` on loops and functions: bitwise the gradients that there are without it, whatever the
//! schedule, and those of central differences. Without it functions of one number are differentiated in forward mode: there
//! gradients agree up to rounding.
#![allow(missing_docs, dead_code)]
#![allow(clippy::while_let_loop, clippy::assign_op_pattern, clippy::useless_vec)]

/// Lengths around the numbers of the schedules below.
const LENGTHS: [usize; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 40];

/// Compares `f` of a program with one kind of `#[checkpoint]` with `plain::f`.
macro_rules! against {
    ($name:ident: $program:ident, $n:ident => ($($args:expr),*), $($how:tt)*) => {{
        mod $name { use super::*; $program!($($how)*); }
        for $n in crate::LENGTHS {
            crate::assert_same(
                $name::f::value_and_grad($($args),*),
                plain::f::value_and_grad($($args),*),
                &format!("{}, length {}", stringify!($name), $n),
            );
        }
    }};
}

/// Compares the program that a macro writes, around loops with the tokens it is given, with itself.
macro_rules! same {
    ($test:ident: $program:ident, $n:ident => $args:tt) => {
        #[test]
        fn $test() {
            mod plain { use super::*; $program!(); }
            against!(balanced: $program, $n => $args, #[checkpoint]);
            against!(every: $program, $n => $args, #[checkpoint(every = 1)]);
            against!(every_third: $program, $n => $args, #[checkpoint(every = 3)]);
            against!(only_the_first: $program, $n => $args, #[checkpoint(every = 99)]);
            against!(one: $program, $n => $args, #[checkpoint(snapshots = 1)]);
            against!(three: $program, $n => $args, #[checkpoint(snapshots = 3)]);
            against!(all: $program, $n => $args, #[checkpoint(snapshots = 99)]);
            against!(memory: $program, $n => $args, #[checkpoint(memory = 200)]);
        }
    };
}

/// Compares values and gradients with and without `#[checkpoint]`.
#[track_caller]
fn assert_same<V, G>(kept: (V, G), plain: (V, G), of: &str)
where
    V: PartialEq + std::fmt::Debug,
    G: PartialEq + std::fmt::Debug + 'static,
{
    let number = |g: &G| (g as &dyn std::any::Any).downcast_ref::<f64>().copied();
    if let (Some(a), Some(b)) = (number(&kept.1), number(&plain.1)) {
        let apart = (a - b).abs();
        assert!(apart <= 1e-13 * (1.0 + b.abs()), "{of}: {a}, {b}");
        assert_eq!(kept.0, plain.0, "{of}");
    } else {
        assert_eq!(kept, plain, "{of}");
    }
}

mod calls;
mod constants;
mod control;
mod functions;
mod orders;
mod ranges;
mod state;
mod tensors;
