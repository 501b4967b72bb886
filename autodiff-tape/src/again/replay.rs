//! Compositions: their cotangents are those of the operations that they are composed of.

use super::linear::LinearMap;
use super::sum::sum;
use super::{Cotangents, Vector, cotangents};
use crate::{Tape, TapeError, Var};
use std::rc::Rc;

/// The same value once more, behind which the composition begins.
fn begin<V: Vector>(x: &Var<V>) -> Result<Var<V>, TapeError> {
    LinearMap::<V, V>::new("same", Clone::clone, Clone::clone).of(x)
}

/// The cotangent of `x`, where the operation is what `compose` makes of it.
pub(crate) fn of_one<X: Vector, Y: Vector>(
    tape: &Tape,
    (x,): &(Var<X>,),
    ct: Cotangents,
    compose: impl FnOnce(&Var<X>) -> Var<Y>,
) -> Result<Vec<Cotangents>, TapeError> {
    let Some(ct) = sum::<Y>(ct)? else {
        return Ok(vec![Vec::new()]);
    };
    // Also under `no_grad`: what is composed is differentiated at once.
    tape.recording(true, || {
        let first = tape.len();
        let x = begin(x)?;
        let y = compose(&x);
        cotangents(tape, y.place(), Rc::new(ct), first, &[x.place().clone()])
    })
}

/// The cotangents of two arguments.
pub(crate) fn of_two<X: Vector, Z: Vector, Y: Vector>(
    tape: &Tape,
    (x, z): &(Var<X>, Var<Z>),
    ct: Cotangents,
    compose: impl FnOnce(&Var<X>, &Var<Z>) -> Var<Y>,
) -> Result<Vec<Cotangents>, TapeError> {
    let Some(ct) = sum::<Y>(ct)? else {
        return Ok(vec![Vec::new(), Vec::new()]);
    };
    tape.recording(true, || {
        let first = tape.len();
        let (x, z) = (begin(x)?, begin(z)?);
        let y = compose(&x, &z);
        let wrt = [x.place().clone(), z.place().clone()];
        cotangents(tape, y.place(), Rc::new(ct), first, &wrt)
    })
}
