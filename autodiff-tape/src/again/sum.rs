//! Sums of cotangents.

use super::{Cotangents, Vector};
use crate::operation::{Active, Operation};
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{Acc, Ct, Tangent};
use std::rc::Rc;

/// The sum of two values of one type.
#[derive(Clone)]
struct Sum;

impl<V: Vector> Operation<(V, V)> for Sum {
    type Output = V;
    fn name(&self) -> &'static str {
        "sum of cotangents"
    }
    fn run(
        &self,
        (a, b): &(V, V),
        active: Active,
    ) -> (V, impl FnOnce(&(V, V), Ct<V>, &mut Ct<(V, V)>) + use<V>) {
        let pull = move |_: &(V, V), ct: Ct<V>, sums: &mut Ct<(V, V)>| {
            if active.has(0) {
                sums.0.acc(ct.clone());
            }
            if active.has(1) {
                sums.1.acc(ct);
            }
        };
        (Tangent::add(a.clone(), b.clone()), pull)
    }
    fn again(
        &self,
        _: &Tape,
        _: &(Var<V>, Var<V>),
        _: &Var<V>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        Ok(vec![ct.clone(), ct])
    }
}

/// `a + b` of one type.
pub(crate) fn plus<V: Vector>(a: &Var<V>, b: &Var<V>) -> Result<Var<V>, TapeError> {
    a.tape().apply(Sum, (a, b))
}

/// The sum of what is there; `None` of nothing.
pub(crate) fn sum<V: Vector>(parts: Cotangents) -> Result<Option<Var<V>>, TapeError> {
    let mut sum: Option<Var<V>> = None;
    for part in parts {
        let part = part.downcast_ref::<Var<V>>();
        let part = part.expect("cotangents have the type of the value");
        sum = Some(match &sum {
            None => part.clone(),
            Some(sum) => plus(sum, part)?,
        });
    }
    Ok(sum)
}

/// A cotangent as a list of one.
pub(crate) fn one<V: 'static>(ct: Var<V>) -> Cotangents {
    vec![Rc::new(ct)]
}
