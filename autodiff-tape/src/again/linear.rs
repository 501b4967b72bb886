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

/// The cotangents of the arguments, by the pullback of the operation at `args`.
pub(crate) fn pulled<O: Operation<A>, A: Arguments>(
    operation: &O,
    args: &A,
    k: usize,
    ct: Ct<O::Output>,
) -> Ct<A> {
    let mut sums = args.zero_adj(On);
    operation.run(args, Active::only(k)).1(args, ct, &mut sums);
    sums
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
    let (there, back) = ((operation.clone(), args.clone()), (operation.clone(), args));
    let map = LinearMap::<O::Output, X>::new(
        operation.name(),
        move |ct| {
            let (operation, args) = &there;
            let sums = pulled(operation, args, 0, O::Output::start(ct.clone()));
            X::finish(&args.0.proto(), sums.0)
        },
        move |t| back.0.push(&back.1, t),
    );
    Ok(vec![one(map.of(&ct)?)])
}

/// The cotangents of a linear operation of two.
pub(crate) fn of_two<O: Push2<X, Z>, X: Vector, Z: Vector>(
    operation: &O,
    (x, z): &(Var<X>, Var<Z>),
    ct: Cotangents,
) -> Result<Vec<Cotangents>, TapeError> {
    let Some(ct) = sum::<O::Output>(ct)? else {
        return Ok(vec![Vec::new(), Vec::new()]);
    };
    let args = Rc::new((x.value().clone(), z.value().clone()));
    let mut all = vec![Vec::new(), Vec::new()];
    if x.requires_grad() {
        let (there, back) = (
            (operation.clone(), args.clone()),
            (operation.clone(), args.clone()),
        );
        let map = LinearMap::<O::Output, X>::new(
            operation.name(),
            move |ct| {
                let (operation, args) = &there;
                let sums = pulled(operation, args, 0, O::Output::start(ct.clone()));
                X::finish(&args.0.proto(), sums.0)
            },
            move |t| back.0.push_l(&back.1, t),
        );
        all[0] = one(map.of(&ct)?);
    }
    if z.requires_grad() {
        let (there, back) = ((operation.clone(), args.clone()), (operation.clone(), args));
        let map = LinearMap::<O::Output, Z>::new(
            operation.name(),
            move |ct| {
                let (operation, args) = &there;
                let sums = pulled(operation, args, 1, O::Output::start(ct.clone()));
                Z::finish(&args.1.proto(), sums.1)
            },
            move |t| back.0.push_r(&back.1, t),
        );
        all[1] = one(map.of(&ct)?);
    }
    Ok(all)
}
