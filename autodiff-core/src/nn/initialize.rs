//! How modules begin.

use super::tuples::each_tuple;
use super::{Linear, Seeds};
use crate::device::Float;
use core::marker::PhantomData;

/// A module that begins from random numbers alone.
///
/// `#[module]` implements it where `new(seeds)` has no further parameters. It is the bound for a layer that is a type
/// parameter: `struct Residual<L> { inner: L }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `new(seeds)`",
    note = "`#[module]` writes it where every tensor, number and option has `#[init(..)]` and nothing else is needed"
)]
pub trait Initialize: Sized {
    /// The module as it begins.
    fn initialize(seeds: &mut Seeds) -> Self;
}

/// `new(seeds)` by the trait: what the name finds where a type has no constructor of its own.
pub trait New: Initialize {
    /// The module as it begins.
    fn new(seeds: &mut Seeds) -> Self {
        Self::initialize(seeds)
    }
}
impl<M: Initialize> New for M {}

impl<const I: usize, const O: usize, T: Float> Initialize for Linear<I, O, T> {
    fn initialize(seeds: &mut Seeds) -> Self {
        Linear::new(seeds)
    }
}

impl<M: Initialize> Initialize for Box<M> {
    fn initialize(seeds: &mut Seeds) -> Self {
        Box::new(M::initialize(seeds))
    }
}

impl<M: Initialize, const N: usize> Initialize for [M; N] {
    fn initialize(seeds: &mut Seeds) -> Self {
        core::array::from_fn(|_| M::initialize(seeds))
    }
}

impl<T> Initialize for PhantomData<T> {
    fn initialize(_: &mut Seeds) -> Self {
        PhantomData
    }
}

macro_rules! tuple {
    ($(($($i:tt $A:ident),+))*) => { $(
        impl<$($A: Initialize),+> Initialize for ($($A,)+) {
            fn initialize(seeds: &mut Seeds) -> Self {
                ($($A::initialize(seeds),)+)
            }
        }
    )* };
}
each_tuple!(tuple);
