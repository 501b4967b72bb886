//! Derivatives of constructors from scalars: `full`, `full_with`, `from_slice`, `from_vec`, [`tensor()`].
//!
//! A constructor copies. The pullback of `full` sums the cotangent; those of the others take it apart
//! into the entries, in row-major order.

use super::{Nested, Raw, Tensor};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::Float;
use crate::shape::{Shape, ShapeError, StaticShape};

/// The cotangent of every entry, unless all are zero.
fn entries<S: Shape, T: Float>(ct: &Ct<Tensor<S, T>>) -> Option<Vec<T>> {
    ct.raw().map(Raw::cotangents_of_numbers)
}

fn pull_full<S: Shape, T: Float, M: Mode>(ct: Ct<Tensor<S, T>>, d: &mut Adj<T, M>) {
    if let (true, Some(ct)) = (M::ON, ct.raw()) {
        d.acc(ct.cotangent_of_number());
    }
}

fn pull_all<S: Shape, T: Float, A: Acc<T>>(ct: &Ct<Tensor<S, T>>, d: &mut [A]) {
    if let (true, Some(ct)) = (A::ON, entries(ct)) {
        d.iter_mut().zip(ct).for_each(|(d, ct)| d.acc(ct));
    }
}

impl<S: StaticShape, T: Float> Tensor<S, T> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn __full_vjp<M: Mode>(_: (M,), value: T) -> (Self, fn(Ct<Self>, &mut Adj<T, M>)) {
        (Self::full(value), pull_full::<S, T, M>)
    }

    #[doc(hidden)]
    pub fn __full_jvp(value: T, t: T) -> (Self, Self) {
        (Self::full(value), Self::full(t))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn __from_slice_vjp<M: Mode>(
        _: (M,),
        data: &[T],
    ) -> (
        Result<Self, ShapeError>,
        fn(Ct<Result<Self, ShapeError>>, &[T], &mut [Adj<T, M>]),
    ) {
        (Self::from_slice(data), |ct, _, d| {
            if let Some(ct) = ct {
                pull_all(&ct, d);
            }
        })
    }

    #[doc(hidden)]
    pub fn __from_slice_jvp(data: &[T], t: &[T]) -> (Result<Self, ShapeError>, Option<Self>) {
        (Self::from_slice(data), Self::from_slice(t).ok())
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn __from_vec_vjp<M: Mode>(
        _: (M,),
        data: Vec<T>,
    ) -> (
        Result<Self, ShapeError>,
        fn(Ct<Result<Self, ShapeError>>, &mut Vec<Adj<T, M>>),
    ) {
        (Self::from_vec(data), |ct, d| {
            if let Some(ct) = ct {
                pull_all(&ct, d);
            }
        })
    }

    #[doc(hidden)]
    pub fn __from_vec_jvp(data: Vec<T>, t: Vec<T>) -> (Result<Self, ShapeError>, Option<Self>) {
        (Self::from_vec(data), Self::from_vec(t).ok())
    }
}

impl<S: Shape, T: Float> Tensor<S, T> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn __full_with_vjp<N: Mode, M: Mode>(
        _: (N, M),
        shape: S,
        value: T,
    ) -> (Self, fn(Ct<Self>, &mut Adj<S, N>, &mut Adj<T, M>))
    where
        S: Differentiable,
    {
        (Self::full_with(shape, value), |ct, _, d| {
            pull_full::<S, T, M>(ct, d)
        })
    }

    #[doc(hidden)]
    pub fn __full_with_jvp(shape: S, _: impl Sized, value: T, t: T) -> (Self, Self) {
        (Self::full_with(shape, value), Self::full_with(shape, t))
    }
}

/// Nested arrays whose entries carry derivatives.
pub trait NestedRule<T>: Nested<T> + Differentiable {
    /// Adds the next cotangents, in row-major order.
    fn pull<M: Mode>(ct: &mut impl Iterator<Item = T>, d: &mut Adj<Self, M>);
    /// [`Nested::flat`] of a tangent.
    fn flat_tangent(t: Self::Tangent, out: &mut Vec<T>);
}

impl<T: Float> NestedRule<T> for T {
    fn pull<M: Mode>(ct: &mut impl Iterator<Item = T>, d: &mut Adj<T, M>) {
        if let Some(ct) = ct.next() {
            d.acc(ct);
        }
    }
    fn flat_tangent(t: T, out: &mut Vec<T>) {
        out.push(t);
    }
}

impl<T, X: NestedRule<T>, const N: usize> NestedRule<T> for [X; N]
where
    [X; N]: Nested<T>,
{
    fn pull<M: Mode>(ct: &mut impl Iterator<Item = T>, d: &mut [Adj<X, M>; N]) {
        d.iter_mut().for_each(|d| X::pull::<M>(ct, d));
    }
    fn flat_tangent(t: [X::Tangent; N], out: &mut Vec<T>) {
        t.into_iter().for_each(|t| X::flat_tangent(t, out));
    }
}

/// Derivatives of the function `tensor`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum tensor {}

impl tensor {
    #[doc(hidden)]
    pub const __WEIGHT: usize = 1;

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn __vjp<M: Mode, T: Float, A: NestedRule<T>>(
        _: (M,),
        array: A,
    ) -> (
        Tensor<A::Shape, T>,
        fn(Ct<Tensor<A::Shape, T>>, &mut Adj<A, M>),
    ) {
        (super::tensor(array), |ct, d| {
            if let (true, Some(ct)) = (M::ON, entries(&ct)) {
                A::pull::<M>(&mut ct.into_iter(), d);
            }
        })
    }

    #[doc(hidden)]
    pub fn __jvp<T: Float, A: NestedRule<T>>(
        array: A,
        t: A::Tangent,
    ) -> (Tensor<A::Shape, T>, Tensor<A::Shape, T>) {
        let mut tangent = Vec::new();
        A::flat_tangent(t, &mut tangent);
        let value = super::tensor(array);
        let tangent = Raw::from_slice(value.device(), value.dims(), &tangent);
        let shape = value.shape();
        (value, Tensor::new(shape, tangent))
    }
}
