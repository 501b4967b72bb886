//! The form of a result: one state, or a list of them.

use super::state::State;
use crate::ad::{Ct, Differentiable, Scalar};

/// What a solver returns.
pub(super) trait Form<S: Scalar, Y: State<S> + ?Sized> {
    /// The type of the result.
    type Value: Differentiable<Tangent = Self::Value>;
    /// Whether there is more in it than the last of the states.
    const ALL: bool;
    /// The result that has these states.
    fn value(states: Vec<Y::Owned>) -> Self::Value;
    /// The cotangents of its states.
    fn cts(ct: Ct<Self::Value>) -> Vec<Y::Owned>;
}

/// The last state.
#[derive(Clone)]
pub(super) struct One;

/// A list of states.
#[derive(Clone)]
pub(super) struct Many;

impl<S: Scalar, Y: State<S> + ?Sized> Form<S, Y> for One {
    type Value = Y::Owned;
    const ALL: bool = false;
    fn value(states: Vec<Y::Owned>) -> Y::Owned {
        states.into_iter().last().expect("there is a last state")
    }
    fn cts(ct: Ct<Y::Owned>) -> Vec<Y::Owned> {
        vec![Y::from_ct(ct)]
    }
}

impl<S: Scalar, Y: State<S> + ?Sized> Form<S, Y> for Many {
    type Value = Vec<Y::Owned>;
    const ALL: bool = true;
    fn value(states: Vec<Y::Owned>) -> Vec<Y::Owned> {
        states
    }
    fn cts(ct: Vec<Ct<Y::Owned>>) -> Vec<Y::Owned> {
        ct.into_iter().map(Y::from_ct).collect()
    }
}
