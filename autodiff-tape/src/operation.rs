//! What a node of a tape runs.

use crate::again::Cotangents;
use crate::arguments::Arguments;
use crate::node::Place;
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{Ct, Differentiable, DifferentiableFn};
use core::any::type_name;
use core::marker::PhantomData;

/// Which arguments of an operation have a gradient.
#[derive(Clone, Copy)]
pub struct Active(u16);

impl Active {
    pub const NONE: Active = Active(0);

    pub fn of(places: &[Place]) -> Active {
        let bits = places.iter().enumerate();
        Active(bits.fold(0, |all, (k, p)| all | u16::from(!p.is_constant()) << k))
    }

    /// The `k`-th alone.
    pub fn only(k: usize) -> Active {
        Active(1 << k)
    }

    pub fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the `k`-th argument has one.
    pub fn has(self, k: usize) -> bool {
        self.0 >> k & 1 == 1
    }
}

/// An operation on the arguments `A`: what it computes, and the rule of its derivative.
pub trait Operation<A: Arguments>: Clone + 'static {
    type Output: Differentiable + Clone + 'static;

    fn name(&self) -> &'static str;

    /// Which arguments an edge of the graph may lead to.
    fn follows(&self, _k: usize) -> bool {
        true
    }

    /// Whether it has a derivative.
    fn check(&self) -> Result<(), TapeError> {
        Ok(())
    }

    /// The value, where nobody asks for a gradient.
    fn value(&self, args: &A) -> Self::Output {
        self.run(args, Active::NONE).0
    }

    /// The value, and the pullback for the arguments that are active: it may leave out the others.
    #[allow(clippy::type_complexity)] // the type of a pullback
    fn run(
        &self,
        args: &A,
        active: Active,
    ) -> (
        Self::Output,
        impl FnOnce(&A, Ct<Self::Output>, &mut Ct<A>) + use<Self, A>,
    );

    /// The cotangents of the arguments, as values of the tape, for those of the value `y`.
    fn again(
        &self,
        tape: &Tape,
        args: &A::Vars,
        y: &Var<Self::Output>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError>;
}

/// The last part of the path of a function.
fn short(path: &'static str) -> &'static str {
    path.rsplit("::").next().unwrap_or(path)
}

/// An annotated function as one operation.
pub struct Called<F>(PhantomData<fn() -> F>);

impl<F> Called<F> {
    pub const NEW: Self = Called(PhantomData);
}

impl<F> Clone for Called<F> {
    fn clone(&self) -> Self {
        Self::NEW
    }
}

impl<F, A> Operation<A> for Called<F>
where
    A: Arguments,
    F: DifferentiableFn<A, Output: Clone + 'static> + 'static,
{
    type Output = F::Output;
    fn name(&self) -> &'static str {
        short(type_name::<F>())
    }
    fn follows(&self, k: usize) -> bool {
        F::ACTIVE.get(k).copied().unwrap_or(true)
    }
    fn value(&self, args: &A) -> F::Output {
        F::call(args)
    }
    fn run(
        &self,
        args: &A,
        _: Active,
    ) -> (
        F::Output,
        impl FnOnce(&A, Ct<F::Output>, &mut Ct<A>) + use<F, A>,
    ) {
        F::pullback(args)
    }
    fn again(
        &self,
        _: &Tape,
        _: &A::Vars,
        _: &Var<F::Output>,
        _: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        Err(TapeError::NoSecondDerivative {
            operation: Operation::<A>::name(self),
            instead: "write it with operations of `Var`, or call it by `tape.call_twice`, which takes functions with `#[differentiable(higher_order)]`",
        })
    }
}
