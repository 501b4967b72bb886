//! What the emitted `f::sparsity`, `f::sparse_jacobian` and their kin call.
//!
//! `lift` writes the arguments over the scalar that is needed: the emitted code knows which of them have a gradient.

use super::compressed::{Compressed, Sweep};
use super::pattern::Rows;
use super::{Csr, HessianPlan, JacobianPlan, Pattern, SparsityError};
use crate::ad::{Differentiable, DifferentiableFn, Dual, Inputs, Lift, Scalar, Traced, Tracing};

/// How many directions one run carries.
pub(super) const LANES: usize = 8;

/// Gives the scalars of the arguments, in order, their tangents.
pub struct Directions<'a, S> {
    along: &'a dyn Fn(usize) -> [S; LANES],
    count: usize,
}

impl<S> core::fmt::Debug for Directions<'_, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Directions")
            .field("count", &self.count)
            .finish()
    }
}

impl<'a, S: Scalar> Directions<'a, S> {
    pub(super) fn new(along: &'a dyn Fn(usize) -> [S; LANES]) -> Self {
        Directions { along, count: 0 }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The next scalar with its tangents.
    #[inline]
    pub fn seed(&mut self, value: S) -> Dual<S, LANES> {
        let tangents = (self.along)(self.count);
        self.count += 1;
        Dual::new(value, tangents)
    }
}

/// The inputs of each output.
pub fn sparsity<F, L, O, S: Scalar>(lift: impl Fn(&mut Inputs) -> L) -> Pattern
where
    L: Differentiable,
    F: DifferentiableFn<L, Output = O::Lifted>,
    O: Lift<S, Traced<S>>,
{
    let (tracing, mut inputs) = (Tracing::start(), Inputs::default());
    let args = lift(&mut inputs);
    let output = F::call(&args);
    let mut rows = Rows::new(inputs.count);
    O::visit(&output, &mut |scalar| {
        rows.push(|to| tracing.read(scalar, to))
    });
    rows.into_pattern()
}

/// The inputs of each entry of the gradient, made symmetric: `read` takes the entries out.
pub fn hessian_sparsity<F, L, S: Scalar>(
    lift: impl Fn(&mut Inputs) -> L,
    read: impl Fn(&L::Tangent, &mut dyn FnMut(Traced<S>)),
) -> Pattern
where
    L: Differentiable,
    F: DifferentiableFn<L, Output = Traced<S>>,
{
    let (tracing, mut inputs) = (Tracing::start(), Inputs::default());
    let args = lift(&mut inputs);
    let gradient = F::vjp(&args, Traced::ONE);
    let mut rows = Rows::new(inputs.count);
    read(&gradient, &mut |scalar| {
        rows.push(|to| tracing.read(scalar, to))
    });
    let pattern = rows.into_pattern();
    assert_eq!(
        pattern.rows(),
        inputs.count,
        "the gradient has as many scalars as the arguments"
    );
    pattern.symmetrized()
}

/// A plan with the pattern that [`sparsity`] finds.
pub fn jacobian_plan(pattern: Pattern) -> JacobianPlan {
    JacobianPlan::from_pattern(pattern)
}

/// A plan with the pattern that [`hessian_sparsity`] finds.
pub fn hessian_plan(pattern: Pattern) -> HessianPlan {
    HessianPlan(Compressed::symmetric(pattern))
}

impl<S: Scalar, R: Fn(&mut Directions<'_, S>, &mut dyn FnMut(Dual<S, LANES>))> Sweep<S> for R {
    fn run(&self, directions: &mut Directions<'_, S>, row: &mut dyn FnMut(Dual<S, LANES>)) {
        self(directions, row)
    }
}

/// The Jacobian into the memory of `to`; `recycle` keeps the memory of the arguments.
pub fn sparse_jacobian<F, L, O, S: Scalar>(
    plan: &JacobianPlan,
    to: &mut Csr<S>,
    lift: impl Fn(&mut Directions<'_, S>) -> L,
    recycle: impl Fn(L),
) -> Result<(), SparsityError>
where
    L: Differentiable,
    F: DifferentiableFn<L, Output = O::Lifted>,
    O: Lift<S, Dual<S, LANES>>,
{
    let sweep = |directions: &mut Directions<'_, S>, row: &mut dyn FnMut(Dual<S, LANES>)| {
        let args = lift(directions);
        let output = F::call(&args);
        recycle(args);
        O::visit(&output, &mut |scalar| row(scalar));
    };
    plan.0.evaluate(&sweep, to)
}

/// The Hessian into the memory of `to`: `read` takes the entries out of a gradient, and `recycle` keeps the memory
/// of the arguments.
pub fn sparse_hessian<F, L, S: Scalar>(
    plan: &HessianPlan,
    to: &mut Csr<S>,
    lift: impl Fn(&mut Directions<'_, S>) -> L,
    read: impl Fn(&L::Tangent, &mut dyn FnMut(Dual<S, LANES>)),
    recycle: impl Fn(L),
) -> Result<(), SparsityError>
where
    L: Differentiable,
    F: DifferentiableFn<L, Output = Dual<S, LANES>>,
{
    let sweep = |directions: &mut Directions<'_, S>, row: &mut dyn FnMut(Dual<S, LANES>)| {
        let args = lift(directions);
        let gradient = F::vjp(&args, Dual::ONE);
        recycle(args);
        read(&gradient, row);
    };
    plan.0.evaluate(&sweep, to)
}
