//! A tensor as a batch along its first axis.

use super::sequence::same;
use crate::ad::{Adj, Ct, Mode};
use crate::device::{Backend, Elem, Float};
use crate::shape::Axis;
use crate::tensor::Tensor;

/// The dimension of the first axis.
type First<S> = <S as Axis<0>>::Dim;
/// The shape of an example.
type Rest<S> = <S as Axis<0>>::Without;

#[doc(hidden)]
#[allow(clippy::type_complexity)]
impl<S: Axis<0>, T: Elem, D: Backend> Tensor<S, T, D> {
    /// How many examples there are.
    pub fn batch_examples(&self) -> usize {
        self.dims()[0]
    }

    /// How many examples both batches have.
    #[track_caller]
    pub fn batch_same<R: Axis<0, Dim = First<S>>, U: Elem>(
        &self,
        other: &Tensor<R, U, D>,
    ) -> usize {
        same(self.batch_examples(), other.batch_examples())
    }

    /// An example.
    #[track_caller]
    pub fn batch_example(&self, i: usize) -> Tensor<Rest<S>, T, D> {
        self.index::<0>(i)
    }

    /// The dimension of the results.
    pub fn batch_dim(&self) -> First<S> {
        self.shape().axis()
    }
}

#[doc(hidden)]
#[allow(clippy::type_complexity)]
impl<S: Axis<0>, T: Float, D: Backend> Tensor<S, T, D> {
    #[track_caller]
    pub fn __batch_example_vjp<M0: Mode, M1: Mode>(
        &self,
        modes: (M0, M1),
        i: usize,
    ) -> (
        Tensor<Rest<S>, T, D>,
        impl FnOnce(Ct<Tensor<Rest<S>, T, D>>, &Self, &mut Adj<Self, M0>, &mut Adj<usize, M1>)
        + Clone
        + use<S, T, D, M0, M1>,
    ) {
        self.__index_vjp::<M0, M1, 0>(modes, i)
    }

    #[track_caller]
    pub fn __batch_example_jvp(
        &self,
        t: &Self,
        i: usize,
        (): (),
    ) -> (Tensor<Rest<S>, T, D>, Tensor<Rest<S>, T, D>) {
        self.__index_jvp::<0>(t, i, ())
    }
}
