//! The result of all examples at once, joined.

use super::{Stack, StackRule};
use crate::ad::{Ct, Differentiable, NoGrad};
use crate::device::{Backend, Batch, Elem, Float};
use crate::shape::{Dim, Insert};
use crate::tensor::{Tensor, TensorAcc};

/// A result of `vmap!(#[batched] ..)` that all examples have together.
#[diagnostic::on_unimplemented(
    message = "`vmap!(#[batched] ..)` cannot join results of the type `{Self}` to a tensor",
    label = "not joined along the batch",
    note = "tensors and tuples of them are joined: return a tensor, or leave out `#[batched]`"
)]
pub trait Joined<N>: Stack<N> {
    /// That of each example along the first axis.
    fn joined(self, batch: Batch, dim: N) -> Self::Out;
}

/// The forward pass took all examples at once, and the reverse pass has other examples.
pub(super) const NESTED: &str = "the pullback of a function with `vmap!(#[batched] ..)` is called inside another such call: leave out \
                                 `#[batched]` in one of the two";

/// A result with a derivative.
pub trait JoinedRule<N>: Joined<N> + StackRule<N> {
    /// The cotangents of all examples.
    fn parts(ct: &Ct<Self::Out>, batch: Batch, proto: &Self::Proto) -> Ct<Self>;
    /// The tangents of all examples along the first axis.
    fn joined_tangent(
        t: Self::Tangent,
        batch: Batch,
        dim: N,
    ) -> <Self::Out as Differentiable>::Tangent;
}

impl<N: Dim, S: Insert<0>, T: Elem, D: Backend> Joined<N> for Tensor<S, T, D> {
    #[track_caller]
    fn joined(self, batch: Batch, dim: N) -> Self::Out {
        Tensor::new(self.shape().insert(dim), self.raw().of_examples(batch))
    }
}

impl<N: Dim, S: Insert<0>, T: Float, D: Backend> JoinedRule<N> for Tensor<S, T, D> {
    #[track_caller]
    fn parts(ct: &Ct<Self::Out>, batch: Batch, (shape, _): &Self::Proto) -> Ct<Self> {
        match ct.raw() {
            Some(ct) => {
                let parts = ct.as_examples(batch).expect(NESTED);
                Tensor::new(*shape, parts).into()
            }
            None => TensorAcc::ZERO,
        }
    }
    #[track_caller]
    fn joined_tangent(t: Self, batch: Batch, dim: N) -> Self::Out {
        t.joined(batch, dim)
    }
}

macro_rules! discrete {
    ($($t:ident)*) => { $(
        impl<N: Dim, S: Insert<0>, D: Backend> StackRule<N> for Tensor<S, $t, D> {
            fn part(_: &Ct<Self::Out>, _: usize, (): &()) -> NoGrad {
                NoGrad
            }
            fn stack_tangents(_: Vec<()>, _: N) {}
        }
        impl<N: Dim, S: Insert<0>, D: Backend> JoinedRule<N> for Tensor<S, $t, D> {
            fn parts(_: &Ct<Self::Out>, _: Batch, (): &()) -> NoGrad {
                NoGrad
            }
            fn joined_tangent((): (), _: Batch, _: N) {}
        }
    )* };
}
discrete!(i64 bool);

/// Pairs as a pair, and so on.
macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<N: Dim, $($T: Joined<N>),*> Joined<N> for ($($T,)*) {
            #[track_caller]
            fn joined(self, batch: Batch, dim: N) -> Self::Out {
                ($(self.$i.joined(batch, dim),)*)
            }
        }

        impl<N: Dim, $($T: JoinedRule<N>),*> JoinedRule<N> for ($($T,)*) {
            #[track_caller]
            fn parts(ct: &Ct<Self::Out>, batch: Batch, proto: &Self::Proto) -> Ct<Self> {
                ($($T::parts(&ct.$i, batch, &proto.$i),)*)
            }
            #[track_caller]
            fn joined_tangent(
                t: Self::Tangent,
                batch: Batch,
                dim: N,
            ) -> <Self::Out as Differentiable>::Tangent {
                ($($T::joined_tangent(t.$i, batch, dim),)*)
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, E 3);
tuples!(A 0, B 1, C 2, E 3, F 4);
tuples!(A 0, B 1, C 2, E 3, F 4, G 5);
