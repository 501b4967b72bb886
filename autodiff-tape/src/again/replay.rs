//! Compositions: their cotangents are those of the operations that they are composed of.

use super::linear::LinearMap;
use super::{Cotangents, Vector, pass};
use crate::node::Place;
use crate::{Tape, TapeError, Var};
use std::rc::Rc;

/// The same value once more, behind which the composition begins.
fn begin<V: Vector>(x: &Var<V>) -> Result<Var<V>, TapeError> {
    LinearMap::<V, V>::new("same", Clone::clone, Clone::clone).of(x)
}

/// The cotangent of `x`, where the operation is what `compose` makes of it.
pub(crate) fn of_one<X: Vector, Y: 'static>(
    tape: &Tape,
    (x,): &(Var<X>,),
    ct: Cotangents,
    compose: impl FnOnce(&Var<X>) -> Var<Y>,
) -> Result<Vec<Cotangents>, TapeError> {
    // Also under `no_grad`: what is composed is differentiated at once.
    tape.recording(true, || {
        let first = tape.len();
        let x = begin(x)?;
        let y = compose(&x);
        gather(tape, y, first, &[x.place().clone()], ct)
    })
}

/// The cotangents of two arguments.
pub(crate) fn of_two<X: Vector, Z: Vector, Y: 'static>(
    tape: &Tape,
    (x, z): &(Var<X>, Var<Z>),
    ct: Cotangents,
    compose: impl FnOnce(&Var<X>, &Var<Z>) -> Var<Y>,
) -> Result<Vec<Cotangents>, TapeError> {
    tape.recording(true, || {
        let first = tape.len();
        let (x, z) = (begin(x)?, begin(z)?);
        let y = compose(&x, &z);
        gather(tape, y, first, &[x.place().clone(), z.place().clone()], ct)
    })
}

/// The cotangents at `wrt`, added up over those of the value.
fn gather<Y: 'static>(
    tape: &Tape,
    y: Var<Y>,
    first: usize,
    wrt: &[Place],
    cts: Cotangents,
) -> Result<Vec<Cotangents>, TapeError> {
    let mut all: Vec<Cotangents> = wrt.iter().map(|_| Vec::new()).collect();
    for ct in cts {
        let found = pass(tape, y.place(), Rc::clone(&ct), first, wrt)?;
        for (all, found) in all.iter_mut().zip(found) {
            all.extend(found);
        }
    }
    Ok(all)
}
