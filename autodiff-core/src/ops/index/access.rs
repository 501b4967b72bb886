//! Taking the elements out: `item`, `to_vec`, `get`, `at`. In a differentiable function `x[[i, j]]`
//! is `x.at([i, j])`.
//!
//! What comes out is made of scalars, so these rules lead from the cotangents of scalars to that of
//! a tensor.

use crate::ad::{Acc, Adj, Ct, Mode, NoGrad};
use crate::device::{Backend, Batch, Elem, Float};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// The element at a position, one index for each axis: `x[[i, j]]` on every device.
    ///
    /// # Panics
    /// Outside the tensor.
    #[track_caller]
    pub fn at<const R: usize>(&self, index: [usize; R]) -> T {
        match self.get(index) {
            Some(x) => x,
            None => panic!(
                "index {index:?} is outside a tensor of shape {:?}",
                self.dims()
            ),
        }
    }
}

impl<T: Float, D: Backend> Tensor<(), T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __item_vjp<M: Mode>(
        &self,
        _: (M,),
    ) -> (
        T,
        impl FnOnce(T, &Self, &mut Adj<Self, M>) + Clone + use<M, T, D>,
    ) {
        not_of_all::<M>();
        (self.item(), |ct, x, d| {
            if M::ON {
                d.acc(Tensor::full_with_on(x.device(), (), ct).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __item_jvp(&self, t: &Self) -> (T, T) {
        (self.item(), t.item())
    }
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __to_vec_vjp<M: Mode>(
        &self,
        _: (M,),
    ) -> (
        Vec<T>,
        impl FnOnce(Vec<T>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D>,
    ) {
        not_of_all::<M>();
        (self.to_vec(), |ct, x, d| {
            // A `Vec` that was not read has an empty cotangent.
            if M::ON && ct.len() == x.len() {
                let ct = Raw::from_slice(x.device(), x.dims(), &ct);
                d.acc(Tensor::new(x.shape(), ct).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __to_vec_jvp(&self, t: &Self) -> (Vec<T>, Vec<T>) {
        (self.to_vec(), t.to_vec())
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __get_vjp<M0: Mode, M1: Mode, const R: usize>(
        &self,
        _: (M0, M1),
        index: [usize; R],
    ) -> (
        Option<T>,
        impl FnOnce(Ct<Option<T>>, &Self, &mut Adj<Self, M0>, &mut Adj<[usize; R], M1>)
        + Clone
        + use<M0, M1, S, T, D, R>,
    ) {
        not_of_all::<M0>();
        (self.get(index), move |ct, x, d, _| {
            if let (Some(d), Some(_), Some(ct)) = (M0::leaf_mut::<Self>(d), x.get(index), ct) {
                d.add_at(x, &index, ct);
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __get_jvp<const R: usize>(
        &self,
        t: &Self,
        index: [usize; R],
        _: impl Sized,
    ) -> (Option<T>, Option<T>) {
        (self.get(index), t.get(index))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __at_vjp<M0: Mode, M1: Mode, const R: usize>(
        &self,
        _: (M0, M1),
        index: [usize; R],
    ) -> (
        T,
        impl FnOnce(T, &Self, &mut Adj<Self, M0>, &mut Adj<[usize; R], M1>)
        + Clone
        + use<M0, M1, S, T, D, R>,
    ) {
        not_of_all::<M0>();
        (self.at(index), move |ct, x, d, _| {
            if let Some(d) = M0::leaf_mut::<Self>(d) {
                d.add_at(x, &index, ct);
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __at_jvp<const R: usize>(&self, t: &Self, index: [usize; R], _: impl Sized) -> (T, T) {
        (self.at(index), t.at(index))
    }
}

/// Stops where `vmap!(#[batched] ..)` takes the derivative of a number of a tensor that its examples share: the cotangent of the
/// number is the sum over the examples, and that of the tensor has a part for each.
#[track_caller]
fn not_of_all<M: Mode>() {
    assert!(
        !(M::ON && Batch::is_recorded()),
        "`vmap!(#[batched] ..)` computes all examples at once, so it does not follow the derivative of a number that `item()`, `x[[i]]` or \
         `to_vec()` reads from a tensor that they share: keep the number a tensor (`Tensor![f64;]`), read it before the call, or leave \
         out `#[batched]`"
    );
}

/// Integers and masks have no derivative, but the macro may not see that a tensor holds them.
macro_rules! discrete_access {
    ($($t:ident),*) => { $(
        impl<D: Backend> Tensor<(), $t, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn __item_vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> ($t, impl FnOnce(NoGrad, &Self, &mut NoGrad) + Clone + use<M, D>) {
                (self.item(), |_, _, _| {})
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __item_jvp(&self, _: &()) -> ($t, ()) {
                (self.item(), ())
            }
        }

        impl<S: Shape, D: Backend> Tensor<S, $t, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn __to_vec_vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> (Vec<$t>, impl FnOnce(Vec<NoGrad>, &Self, &mut NoGrad) + Clone + use<M, S, D>) {
                (self.to_vec(), |_, _, _| {})
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __to_vec_jvp(&self, _: &()) -> (Vec<$t>, Vec<()>) {
                let values = self.to_vec();
                let tangent = vec![(); values.len()];
                (values, tangent)
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn __at_vjp<M0: Mode, M1: Mode, const R: usize>(
                &self,
                _: (M0, M1),
                index: [usize; R],
            ) -> (
                $t,
                impl FnOnce(NoGrad, &Self, &mut NoGrad, &mut Adj<[usize; R], M1>) + Clone + use<M0, M1, S, D, R>,
            ) {
                (self.at(index), |_, _, _, _| {})
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __at_jvp<const R: usize>(&self, _: &(), index: [usize; R], _: impl Sized) -> ($t, ()) {
                (self.at(index), ())
            }
        }
    )* };
}
discrete_access!(i64, u32, u8, bool);
