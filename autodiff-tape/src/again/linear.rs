//! Operations that are linear: the cotangent is the image under the transposed map, and its cotangent in turn the image under
//! the map.
//!
//! Operations that are linear near each point but a few, such as the largest element, count as linear at the point where they
//! were run: their second derivative is zero there.

use super::sum::{one, sum};
use super::{Cotangents, Vector};
use crate::operation::{Active, Operation};
use crate::{Arguments, Tape, TapeError, Var};
use autodiff_core::ad::{Acc, Ct, Differentiable, On};
use std::rc::Rc;

/// A linear map and its transpose.
pub(crate) struct LinearMap<X, Y> {
    name: &'static str,
    there: Rc<dyn Fn(&X) -> Y>,
    back: Rc<dyn Fn(&Y) -> X>,
}

impl<X, Y> Clone for LinearMap<X, Y> {
    fn clone(&self) -> Self {
        LinearMap {
            name: self.name,
            there: self.there.clone(),
            back: self.back.clone(),
        }
    }
}

impl<X: Vector, Y: Vector> LinearMap<X, Y> {
    pub fn new(
        name: &'static str,
        there: impl Fn(&X) -> Y + 'static,
        back: impl Fn(&Y) -> X + 'static,
    ) -> Self {
        LinearMap {
            name,
            there: Rc::new(there),
            back: Rc::new(back),
        }
    }

    fn transposed(&self) -> LinearMap<Y, X> {
        LinearMap {
            name: self.name,
            there: self.back.clone(),
            back: self.there.clone(),
        }
    }

    pub fn of(&self, x: &Var<X>) -> Result<Var<Y>, TapeError> {
        x.tape().apply(self.clone(), (x,))
    }
}

impl<X: Vector, Y: Vector> Operation<(X,)> for LinearMap<X, Y> {
    type Output = Y;
    fn name(&self) -> &'static str {
        self.name
    }
    fn value(&self, (x,): &(X,)) -> Y {
        (self.there)(x)
    }
    fn run(
        &self,
        (x,): &(X,),
        _: Active,
    ) -> (Y, impl FnOnce(&(X,), Ct<Y>, &mut Ct<(X,)>) + use<X, Y>) {
        let y = (self.there)(x);
        let (proto, back) = (y.proto(), self.back.clone());
        let pull = move |_: &(X,), ct: Ct<Y>, sums: &mut Ct<(X,)>| {
            sums.0.acc(X::start(back(&Y::finish(&proto, ct))));
        };
        (y, pull)
    }
    fn again(
        &self,
        _: &Tape,
        _: &(Var<X>,),
        _: &Var<Y>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        let Some(ct) = sum::<Y>(ct)? else {
            return Ok(vec![Vec::new()]);
        };
        Ok(vec![one(self.transposed().of(&ct)?)])
    }
}

/// The cotangent of the `k`-th argument, which `part` takes out of those of all, by the pullback of the operation at `args`.
pub(crate) fn pulled<O: Operation<A, Output: Vector>, A: Arguments, X>(
    operation: &O,
    args: &A,
    k: usize,
    ct: &O::Output,
    part: impl FnOnce(&A, Ct<A>) -> X,
) -> X {
    let mut sums = args.zero_adj(On);
    let pullback = operation.run(args, Active::only(k)).1;
    pullback(args, O::Output::start(ct.clone()), &mut sums);
    part(args, sums)
}

/// The first one of two.
pub(crate) fn left<A: Vector, B: Vector>((a, _): &(A, B), sums: Ct<(A, B)>) -> A {
    A::finish(&a.proto(), sums.0)
}

/// The second one.
pub(crate) fn right<A: Vector, B: Vector>((_, b): &(A, B), sums: Ct<(A, B)>) -> B {
    B::finish(&b.proto(), sums.1)
}

/// An operation of one argument, with its tangents.
pub(crate) trait Push1<X: Differentiable + Clone + 'static>:
    Operation<(X,), Output: Vector>
{
    fn push(&self, args: &(X,), t: &X) -> Self::Output;
}

/// An operation of two arguments, with its tangents for those of each.
pub(crate) trait Push2<X, Z>: Operation<(X, Z), Output: Vector>
where
    X: Differentiable + Clone + 'static,
    Z: Differentiable + Clone + 'static,
{
    fn push_l(&self, args: &(X, Z), t: &X) -> Self::Output;
    fn push_r(&self, args: &(X, Z), t: &Z) -> Self::Output;
}

/// The cotangent of the `k`-th argument of a linear operation: see [`pulled`].
fn of_argument<O: Operation<A, Output: Vector>, A: Arguments, X: Vector>(
    operation: &O,
    args: &Rc<A>,
    k: usize,
    ct: &Var<O::Output>,
    part: fn(&A, Ct<A>) -> X,
    push: fn(&O, &A, &X) -> O::Output,
) -> Result<Cotangents, TapeError> {
    let (there, back) = (
        (operation.clone(), args.clone()),
        (operation.clone(), args.clone()),
    );
    let map = LinearMap::<O::Output, X>::new(
        operation.name(),
        move |ct| pulled(&there.0, &there.1, k, ct, part),
        move |t| push(&back.0, &back.1, t),
    );
    Ok(one(map.of(ct)?))
}

/// The cotangents of a linear operation of one argument.
pub(crate) fn of_one<O: Push1<X>, X: Vector>(
    operation: &O,
    (x,): &(Var<X>,),
    ct: Cotangents,
) -> Result<Vec<Cotangents>, TapeError> {
    let Some(ct) = sum::<O::Output>(ct)? else {
        return Ok(vec![Vec::new()]);
    };
    let args = Rc::new((x.value().clone(),));
    let part = |(x,): &(X,), sums: Ct<(X,)>| X::finish(&x.proto(), sums.0);
    Ok(vec![of_argument(operation, &args, 0, &ct, part, O::push)?])
}

/// The cotangents of a linear operation of two.
pub(crate) fn of_two<O: Push2<X, Z>, X: Vector, Z: Vector>(
    operation: &O,
    (x, z): &(Var<X>, Var<Z>),
    ct: Cotangents,
) -> Result<Vec<Cotangents>, TapeError> {
    let mut all = vec![Vec::new(), Vec::new()];
    let Some(ct) = sum::<O::Output>(ct)? else {
        return Ok(all);
    };
    let args = Rc::new((x.value().clone(), z.value().clone()));
    if x.requires_grad() {
        all[0] = of_argument(operation, &args, 0, &ct, left::<X, Z>, O::push_l)?;
    }
    if z.requires_grad() {
        all[1] = of_argument(operation, &args, 1, &ct, right::<X, Z>, O::push_r)?;
    }
    Ok(all)
}
