//! Gradients that are values of the tape themselves, so that they can be differentiated again.
//!
//! Such a pass runs no pullbacks. Each operation says what its cotangents are in terms of operations of the tape:
//!
//! | file | operations | their cotangents |
//! |---|---|---|
//! | `linear` | sums, views, what is linear near a point | the transposed map, whose cotangents are the map |
//! | `bilinear` | products | products of the same kind |
//! | `formula` | functions of each element | the formula of the library's rule, recorded on symbols and run on values of the tape |
//! | `replay` | compositions, such as `softmax` | those of the operations that they are composed of |
//! | `twice` | annotated functions with `higher_order` | a product with the second derivative, by dual numbers |

pub(crate) mod bilinear;
pub(crate) mod formula;
pub(crate) mod linear;
pub(crate) mod replay;
mod sum;
pub(crate) mod twice;

mod wrt;

pub(crate) use sum::{plus, sum};
pub use wrt::WrtVars;

use crate::error::OrPanic;
use crate::node::{Node, Place};
use crate::pass::{self, Places, Unconnected, dependent, end};
use crate::{Loss, Tape, TapeError, Var};
use autodiff_core::ad::{Differentiable, Tangent};
use core::any::Any;
use std::rc::Rc;

/// What adds up to the cotangent of one value: each is a [`Var`] of its tangents.
pub type Cotangents = Vec<Rc<dyn Any>>;

/// A value whose gradient is a value of the same type: a number, a tensor, and sequences of them.
pub trait Vector: Differentiable<Tangent = Self> + Tangent + Clone + 'static {}
impl<V: Differentiable<Tangent = V> + Tangent + Clone + 'static> Vector for V {}

/// The cotangents of the values at `wrt` for the cotangent `seed` of the one at `from`, by the operations from the `first`
/// one on.
pub(crate) fn cotangents(
    tape: &Tape,
    from: &Place,
    seed: Rc<dyn Any>,
    first: usize,
    wrt: &[Place],
) -> Result<Vec<Cotangents>, TapeError> {
    let last = end(from).max(first);
    // The pass adds operations to the tape.
    let nodes: Vec<Rc<dyn Node>> = tape.nodes()[first..last].to_vec();
    let on_the_way = dependent(&nodes, first, &Places::new(wrt));
    let mut found: Vec<Cotangents> = wrt.iter().map(|_| Vec::new()).collect();
    // Of each operation, what is to be taken back.
    let mut open: Vec<Cotangents> = vec![Vec::new(); nodes.len()];
    let mut give = |at: &Place, cts: Cotangents, open: &mut [Cotangents]| {
        for (k, _) in wrt.iter().enumerate().filter(|(_, w)| w.is(at)) {
            found[k].extend(cts.iter().cloned());
        }
        if let Place::Operation { index, .. } = at
            && *index >= first
            && on_the_way[*index - first]
        {
            open[*index - first].extend(cts);
        }
    };
    give(from, vec![seed], &mut open);
    for index in (first..last).rev() {
        let cts = core::mem::take(&mut open[index - first]);
        if cts.is_empty() {
            continue;
        }
        let node = &nodes[index - first];
        let at = Place::Operation {
            index,
            generation: tape.generation(),
        };
        for (input, cts) in node.inputs().iter().zip(node.again(tape, at, cts)?) {
            give(input, cts, &mut open);
        }
    }
    Ok(found)
}

impl Tape {
    /// The gradient of `y`, as values of the tape: operations on them, and their own gradients, are like those of any other
    /// values. Order by order, all operations of [`Var`] have derivatives of their derivatives but those that say so.
    ///
    /// ```
    /// use differentiable::tape::Tape;
    ///
    /// let tape = Tape::new();
    /// let x = tape.var(0.5_f64);
    /// let first = tape.grad(&x.tanh(), &x);
    /// let second = tape.grad(&first, &x);
    /// let t = 0.5_f64.tanh();
    /// assert!((second.value() + 2.0 * t * (1.0 - t * t)).abs() < 1e-15);
    /// ```
    ///
    /// # Panics
    /// If `y` does not depend on one of them; if a value is of another tape, or was computed before the tape was cleared; if
    /// the gradient of an operation on the way has no derivative on a tape.
    #[track_caller]
    pub fn grad<V: Loss + Vector, W: WrtVars>(&self, y: &Var<V>, wrt: W) -> W::Vars {
        self.try_grad(y, wrt).or_panic()
    }

    /// As [`grad`](Self::grad), with an error in place of the panic.
    ///
    /// # Errors
    /// Any [`TapeError`].
    pub fn try_grad<V: Loss + Vector, W: WrtVars>(
        &self,
        y: &Var<V>,
        wrt: W,
    ) -> Result<W::Vars, TapeError> {
        let one = self.constant(y.value().one());
        self.grad_of("grad", y, one, wrt, Unconnected::IsAnError)
    }

    /// [`grad`](Self::grad) of a value that is no scalar, with its cotangent, which may depend on variables too.
    ///
    /// # Panics
    /// As [`grad`](Self::grad).
    #[track_caller]
    pub fn grad_with<V: Vector, W: WrtVars>(
        &self,
        y: &Var<V>,
        cotangent: &Var<V>,
        wrt: W,
    ) -> W::Vars {
        let place = cotangent.place_on(self, "grad_with").map(|_| ());
        let gradient = place.and_then(|()| {
            let cotangent = cotangent.clone();
            self.grad_of("grad_with", y, cotangent, wrt, Unconnected::IsAnError)
        });
        gradient.or_panic()
    }

    /// As [`grad`](Self::grad), with a zero where `y` does not depend on what the gradient is taken by, such as the third
    /// derivative of a square.
    ///
    /// # Panics
    /// If a value is of another tape, or was computed before the tape was cleared; if the gradient of an operation on the way
    /// has no derivative on a tape.
    #[track_caller]
    pub fn grad_or_zero<V: Loss + Vector, W: WrtVars>(&self, y: &Var<V>, wrt: W) -> W::Vars {
        let one = self.constant(y.value().one());
        self.grad_of("grad_or_zero", y, one, wrt, Unconnected::IsZero)
            .or_panic()
    }

    fn grad_of<V: Vector, W: WrtVars>(
        &self,
        operation: &'static str,
        y: &Var<V>,
        cotangent: Var<V>,
        wrt: W,
        unconnected: Unconnected,
    ) -> Result<W::Vars, TapeError> {
        let places = wrt.places(self, operation)?;
        let from = y.place_on(self, operation)?;
        if unconnected == Unconnected::IsAnError {
            let nodes = self.nodes();
            let reached = pass::reached(&nodes, from)?;
            pass::check_connected(operation, &nodes, &reached, from, &places)?;
        }
        self.forgetting(|| {
            let found = cotangents(self, from, Rc::new(cotangent), 0, &places)?;
            Ok(wrt.vars(self, &mut found.into_iter()))
        })
    }
}
