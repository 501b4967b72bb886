//! Joining the results along the dimension of the batches.

use super::{Sequence, Stack, StackRule};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::shape::Dim;

/// A dimension that results are joined along.
#[allow(clippy::type_complexity)]
pub trait Join: Copy + Differentiable<Tangent = ()> {
    /// The results, joined.
    #[track_caller]
    fn batch_stacked<R: Stack<Self>>(&self, results: Vec<R>) -> R::Out {
        R::stack(results, *self)
    }

    #[doc(hidden)]
    #[track_caller]
    fn __batch_stacked_vjp<M0: Mode, M1: Mode, R: StackRule<Self>>(
        &self,
        _: (M0, M1),
        results: Vec<R>,
    ) -> (
        R::Out,
        impl FnOnce(Ct<R::Out>, &Self, &mut Adj<Self, M0>, &mut Vec<Adj<R, M1>>)
        + Clone
        + use<Self, M0, M1, R>,
    ) {
        let protos: Vec<_> = results.iter().map(R::proto).collect();
        let pullback =
            move |ct: Ct<R::Out>, _: &Self, _: &mut Adj<Self, M0>, d: &mut Vec<Adj<R, M1>>| {
                if M1::ON {
                    for (k, (proto, d)) in protos.iter().zip(d).enumerate() {
                        d.acc(R::part(&ct, k, proto));
                    }
                }
            };
        (self.batch_stacked(results), pullback)
    }

    #[doc(hidden)]
    #[track_caller]
    fn __batch_stacked_jvp<R: StackRule<Self>>(
        &self,
        _: &(),
        results: Vec<R>,
        tangents: Vec<R::Tangent>,
    ) -> (R::Out, <R::Out as Differentiable>::Tangent) {
        let tangents = R::stack_tangents(tangents, *self);
        (self.batch_stacked(results), tangents)
    }
}

impl<N: Dim> Join for N {}
impl Join for Sequence {}
