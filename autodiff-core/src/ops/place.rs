//! Rules of what depends on a device: `to`, and new tensors like another.

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Backend, Float, ReduceOp};
use crate::shape::Shape;
use crate::tensor::Tensor;

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The cotangent goes back to where the tensor is.
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __to_vjp<M0: Mode, M1: Mode, E: Backend + Differentiable>(
        &self,
        _: (M0, M1),
        device: &E,
    ) -> (
        Tensor<S, T, E>,
        impl FnOnce(Ct<Tensor<S, T, E>>, &Self, &E, &mut Adj<Self, M0>, &mut Adj<E, M1>)
        + Clone
        + use<M0, M1, S, T, D, E>,
    ) {
        (self.to(device), |ct, x, _, d, _| {
            if let (true, Some(ct)) = (M0::ON, ct.into_inner()) {
                d.acc(ct.to(x.device()).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __to_jvp<E: Backend>(
        &self,
        t: &Self,
        device: &E,
        _: impl Sized,
    ) -> (Tensor<S, T, E>, Tensor<S, T, E>) {
        (self.to(device), t.to(device))
    }
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __full_like_vjp<M0: Mode, M1: Mode>(
        &self,
        _: (M0, M1),
        value: T,
    ) -> (
        Self,
        impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M0>, &mut Adj<T, M1>) + Clone + use<M0, M1, S, T, D>,
    ) {
        (self.full_like(value), |ct, _, _, d| {
            if let (true, Some(ct)) = (M1::ON, ct.raw()) {
                d.acc(ct.reduce_all(ReduceOp::Sum).item());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __full_like_jvp(&self, _: &Self, value: T, t_value: T) -> (Self, Self) {
        (self.full_like(value), self.full_like(t_value))
    }
}

/// New tensors like another one, of which only shape and device matter: constants.
macro_rules! like {
    ($($name:ident $vjp:ident $jvp:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> (Self, impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D>) {
                (self.$name(), |_, _, _| {})
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp(&self, _: &Self) -> (Self, Self) {
                (self.$name(), self.zeros_like())
            }
        }
    )* };
}
like! {
    zeros_like __zeros_like_vjp __zeros_like_jvp;
    ones_like __ones_like_vjp __ones_like_jvp;
}
