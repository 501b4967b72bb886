//! Products: operations that are linear in each of two arguments.
//!
//! With the cotangent `c`, `⟨a · b, c⟩` is linear in each of three values. Its derivative by one of them is a product of the
//! other two, and so are the derivatives of that: the three products turn into one another.

use super::linear::{left, pulled, right};
use super::sum::{one, sum};
use super::{Cotangents, Vector};
use crate::operation::{Active, Operation};
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{Acc, Ct};
use std::rc::Rc;

type Product<A, B, C> = Rc<dyn Fn(&A, &B) -> C>;

/// The three products of a form that is linear in each of three values.
pub(crate) struct Trilinear<A, B, C> {
    name: &'static str,
    to_c: Product<A, B, C>,
    to_a: Product<B, C, A>,
    to_b: Product<C, A, B>,
}

impl<A, B, C> Clone for Trilinear<A, B, C> {
    fn clone(&self) -> Self {
        Trilinear {
            name: self.name,
            to_c: self.to_c.clone(),
            to_a: self.to_a.clone(),
            to_b: self.to_b.clone(),
        }
    }
}

impl<A: Vector, B: Vector, C: Vector> Trilinear<A, B, C> {
    pub fn new(
        name: &'static str,
        to_c: impl Fn(&A, &B) -> C + 'static,
        to_a: impl Fn(&B, &C) -> A + 'static,
        to_b: impl Fn(&C, &A) -> B + 'static,
    ) -> Self {
        Trilinear {
            name,
            to_c: Rc::new(to_c),
            to_a: Rc::new(to_a),
            to_b: Rc::new(to_b),
        }
    }

    fn turned(&self) -> Trilinear<B, C, A> {
        Trilinear {
            name: self.name,
            to_c: self.to_a.clone(),
            to_a: self.to_b.clone(),
            to_b: self.to_c.clone(),
        }
    }

    pub fn of(&self, a: &Var<A>, b: &Var<B>) -> Result<Var<C>, TapeError> {
        a.tape().apply(self.clone(), (a, b))
    }

    /// The cotangents of `a · b`.
    fn cotangents(
        &self,
        (a, b): &(Var<A>, Var<B>),
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        let mut all = vec![Vec::new(), Vec::new()];
        let Some(ct) = sum::<C>(ct)? else {
            return Ok(all);
        };
        if a.requires_grad() {
            all[0] = one(self.turned().of(b, &ct)?);
        }
        if b.requires_grad() {
            all[1] = one(self.turned().turned().of(&ct, a)?);
        }
        Ok(all)
    }
}

impl<A: Vector, B: Vector, C: Vector> Operation<(A, B)> for Trilinear<A, B, C> {
    type Output = C;
    fn name(&self) -> &'static str {
        self.name
    }
    fn value(&self, (a, b): &(A, B)) -> C {
        (self.to_c)(a, b)
    }
    fn run(
        &self,
        (a, b): &(A, B),
        active: Active,
    ) -> (
        C,
        impl FnOnce(&(A, B), Ct<C>, &mut Ct<(A, B)>) + use<A, B, C>,
    ) {
        let c = (self.to_c)(a, b);
        let (proto, to_a, to_b) = (c.proto(), self.to_a.clone(), self.to_b.clone());
        let pull = move |(a, b): &(A, B), ct: Ct<C>, sums: &mut Ct<(A, B)>| {
            let ct = C::finish(&proto, ct);
            if active.has(0) {
                sums.0.acc(A::start(to_a(b, &ct)));
            }
            if active.has(1) {
                sums.1.acc(B::start(to_b(&ct, a)));
            }
        };
        (c, pull)
    }
    fn again(
        &self,
        _: &Tape,
        args: &(Var<A>, Var<B>),
        _: &Var<C>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        self.cotangents(args, ct)
    }
}

/// The cotangents of an operation that is bilinear.
pub(crate) fn bilinear<O, A: Vector, B: Vector>(
    operation: &O,
    args: &(Var<A>, Var<B>),
    ct: Cotangents,
) -> Result<Vec<Cotangents>, TapeError>
where
    O: Operation<(A, B), Output: Vector>,
{
    // Of the argument that a cotangent is taken by, the rule reads the sizes alone.
    let (a, b) = (args.0.value().clone(), args.1.value().clone());
    let (value, to_a, to_b) = (operation.clone(), operation.clone(), operation.clone());
    let products = Trilinear::<A, B, O::Output>::new(
        operation.name(),
        move |a, b| value.value(&(a.clone(), b.clone())),
        move |b, c| pulled(&to_a, &(a.clone(), b.clone()), 0, c, left),
        move |c, a| pulled(&to_b, &(a.clone(), b.clone()), 1, c, right),
    );
    products.cotangents(args, ct)
}
