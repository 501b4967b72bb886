//! Results of `vmap!`, joined.

use super::Sequence;
use crate::ad::{Ct, Differentiable, NoGrad};
use crate::device::{Backend, Elem, Float};
use crate::shape::{Dim, Insert};
use crate::tensor::{Tensor, TensorAcc};

/// A result of `vmap!`, joined along a dimension of type `N`.
#[diagnostic::on_unimplemented(
    message = "`vmap!` cannot join results of the type `{Self}` to a tensor",
    label = "not joined along the batch",
    note = "numbers, tensors, and tuples of them are joined; where the batches are slices the results are a `Vec`, whatever they are"
)]
pub trait Stack<N>: Sized {
    /// All results.
    type Out;
    /// Joins them.
    fn stack(parts: Vec<Self>, dim: N) -> Self::Out;
}

/// A result with a derivative.
#[diagnostic::on_unimplemented(
    message = "results of the type `{Self}` have no derivative where `vmap!` joins them",
    label = "no derivative"
)]
pub trait StackRule<N>: Stack<N, Out: Differentiable> + Differentiable {
    /// The cotangent of one result.
    fn part(ct: &Ct<Self::Out>, k: usize, proto: &Self::Proto) -> Ct<Self>;
    /// The tangents, joined.
    fn stack_tangents(parts: Vec<Self::Tangent>, dim: N) -> <Self::Out as Differentiable>::Tangent;
}

impl<T> Stack<Sequence> for T {
    type Out = Vec<T>;
    #[inline]
    fn stack(parts: Vec<T>, _: Sequence) -> Vec<T> {
        parts
    }
}

impl<T: Differentiable> StackRule<Sequence> for T {
    #[inline]
    fn part(ct: &Vec<Ct<T>>, k: usize, _: &T::Proto) -> Ct<T> {
        ct[k].clone()
    }
    #[inline]
    fn stack_tangents(parts: Vec<T::Tangent>, _: Sequence) -> Vec<T::Tangent> {
        parts
    }
}

macro_rules! scalars {
    ($($t:ident)*) => { $(
        impl<N: Dim> Stack<N> for $t {
            type Out = Tensor<(N,), $t>;
            fn stack(parts: Vec<$t>, dim: N) -> Self::Out {
                Tensor::from_slice_with((dim,), &parts).expect("a result for each example")
            }
        }
    )* };
}
scalars!(f32 f64 i64 bool);

macro_rules! floats {
    ($($t:ident)*) => { $(
        impl<N: Dim> StackRule<N> for $t {
            fn part(ct: &TensorAcc<(N,), $t>, k: usize, (): &()) -> $t {
                ct.raw().map_or(-0.0, |ct| ct.index(0, k).cotangent_of_number())
            }
            fn stack_tangents(parts: Vec<$t>, dim: N) -> Tensor<(N,), $t> {
                Stack::stack(parts, dim)
            }
        }
    )* };
}
floats!(f32 f64);

macro_rules! discrete {
    ($($t:ident)*) => { $(
        impl<N: Dim> StackRule<N> for $t {
            fn part(_: &Ct<Tensor<(N,), $t>>, _: usize, (): &()) -> NoGrad {
                NoGrad
            }
            fn stack_tangents(_: Vec<()>, _: N) {}
        }
    )* };
}
discrete!(i64 bool);

impl<N: Dim, S: Insert<0>, T: Elem, D: Backend> Stack<N> for Tensor<S, T, D> {
    type Out = Tensor<S::Out<N>, T, D>;
    #[track_caller]
    fn stack(parts: Vec<Self>, dim: N) -> Self::Out {
        assert!(
            !parts.is_empty(),
            "vmap!: no examples, so the sizes of the results are not known"
        );
        Tensor::stack_to::<0, N>(&parts, dim)
    }
}

impl<N: Dim, S: Insert<0>, T: Float, D: Backend> StackRule<N> for Tensor<S, T, D> {
    fn part(ct: &Ct<Self::Out>, k: usize, (shape, _): &Self::Proto) -> Ct<Self> {
        match ct.raw() {
            Some(ct) => Tensor::new(*shape, ct.index(0, k)).into(),
            None => TensorAcc::ZERO,
        }
    }
    fn stack_tangents(parts: Vec<Self>, dim: N) -> Self::Out {
        Stack::stack(parts, dim)
    }
}

/// Pairs as a pair, and so on.
macro_rules! tuples {
    ($($T:ident $v:ident $i:tt),*) => {
        impl<N: Dim, $($T: Stack<N>),*> Stack<N> for ($($T,)*) {
            type Out = ($($T::Out,)*);
            fn stack(parts: Vec<Self>, dim: N) -> Self::Out {
                $(let mut $v = Vec::with_capacity(parts.len());)*
                for part in parts {
                    $($v.push(part.$i);)*
                }
                ($($T::stack($v, dim),)*)
            }
        }

        impl<N: Dim, $($T: StackRule<N>),*> StackRule<N> for ($($T,)*) {
            fn part(ct: &Ct<Self::Out>, k: usize, proto: &Self::Proto) -> Ct<Self> {
                ($($T::part(&ct.$i, k, &proto.$i),)*)
            }
            fn stack_tangents(
                parts: Vec<Self::Tangent>,
                dim: N,
            ) -> <Self::Out as Differentiable>::Tangent {
                $(let mut $v = Vec::with_capacity(parts.len());)*
                for part in parts {
                    $($v.push(part.$i);)*
                }
                ($($T::stack_tangents($v, dim),)*)
            }
        }
    };
}
tuples!(A a 0);
tuples!(A a 0, B b 1);
tuples!(A a 0, B b 1, C c 2);
tuples!(A a 0, B b 1, C c 2, E e 3);
tuples!(A a 0, B b 1, C c 2, E e 3, F f 4);
tuples!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5);
