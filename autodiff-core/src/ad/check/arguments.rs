//! The arguments of a function as a tuple, so that a message can say which one is meant.

use super::entries;
use crate::ad::Differentiable;

/// A tuple of arguments.
pub trait Arguments: Differentiable {
    /// How many entries the tangent of each argument has.
    fn sizes(tangent: &Self::Tangent) -> Vec<usize>;
    /// Makes the tangents of arguments without a gradient zero.
    fn hold(tangent: &mut Self::Tangent, zero: &Self::Tangent, active: &[bool]);
}

macro_rules! arguments {
    ($($T:ident $i:tt),+) => {
        impl<$($T: Differentiable),+> Arguments for ($($T,)+) {
            fn sizes(tangent: &Self::Tangent) -> Vec<usize> {
                vec![$(entries(&tangent.$i)),+]
            }
            fn hold(tangent: &mut Self::Tangent, zero: &Self::Tangent, active: &[bool]) {
                $(if active.get($i) == Some(&false) {
                    tangent.$i = zero.$i.clone();
                })+
            }
        }
    };
}

arguments!(T0 0);
arguments!(T0 0, T1 1);
arguments!(T0 0, T1 1, T2 2);
arguments!(T0 0, T1 1, T2 2, T3 3);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7, T8 8);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7, T8 8, T9 9);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7, T8 8, T9 9, T10 10);
arguments!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7, T8 8, T9 9, T10 10, T11 11);
