//! Taking entries by number: `embedding`, `gather`.

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Backend, Dims, Elem, Float, Index};
use crate::ops::OrPanic;
use crate::shape::{Axis, Dim, IndexRest, Insert, Shape};
use crate::tensor::{Raw, Tensor};

impl<V: Dim, E: Dim, T: Elem, D: Backend> Tensor<(V, E), T, D> {
    /// The rows with the given numbers: `table.embedding(&ids)`.
    ///
    /// # Panics
    /// If a number is not one of a row.
    #[track_caller]
    pub fn embedding<S: Insert<-1>, X: Index>(
        &self,
        ids: &Tensor<S, X, D>,
    ) -> Tensor<<S as Insert<-1>>::Out<E>, T, D> {
        let shape = ids.shape().insert(self.shape().1);
        let rows = self.raw().gather(ids.raw()).or_panic("embedding");
        Tensor::new(shape, rows)
    }
}

impl<V: Dim, E: Dim, T: Float, D: Backend> Tensor<(V, E), T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __embedding_vjp<M0: Mode, M1: Mode, S: Insert<-1>, X: Index>(
        &self,
        _: (M0, M1),
        ids: &Tensor<S, X, D>,
    ) -> (
        Tensor<<S as Insert<-1>>::Out<E>, T, D>,
        impl FnOnce(
            Ct<Tensor<<S as Insert<-1>>::Out<E>, T, D>>,
            &Self,
            &Tensor<S, X, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<S, X, D>, M1>,
        ) + Clone
        + use<M0, M1, S, X, V, E, T, D>,
    )
    where
        Tensor<S, X, D>: Differentiable,
    {
        (self.embedding(ids), move |ct, table, ids, d, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                d.acc(Tensor::new(table.shape(), scatter(ct, ids.raw(), table.dims())).into());
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __embedding_jvp<S: Insert<-1>, X: Index>(
        &self,
        t: &Self,
        ids: &Tensor<S, X, D>,
        _: impl Sized,
    ) -> (
        Tensor<<S as Insert<-1>>::Out<E>, T, D>,
        Tensor<<S as Insert<-1>>::Out<E>, T, D>,
    ) {
        (self.embedding(ids), t.embedding(ids))
    }
}

/// The sum of the rows of `ct` into the rows that `index` names.
#[track_caller]
fn scatter<T: Float, X: Index, D: Backend>(
    ct: &Raw<T, D>,
    index: &Raw<X, D>,
    dims: Dims,
) -> Raw<T, D> {
    let mut sum = Raw::zeros(ct.device(), dims);
    sum.scatter_add(index, ct)
        .unwrap_or_else(|e| panic!("the forward pass accepted these indices: {e}"));
    sum
}

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Along axis `I`, the entries that `index` names; all other axes agree:
    /// `x.gather::<1, _, _>(&index)[[i, j]] == x[[i, index[[i, j]]]]`.
    ///
    /// # Panics
    /// If an index is outside the axis, or run-time dimensions differ.
    #[doc(alias = "take_along_axis")]
    #[track_caller]
    pub fn gather<const I: isize, X: Index, R>(&self, index: &Tensor<R, X, D>) -> Tensor<R, T, D>
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): IndexRest<I, S, R>,
    {
        let (axis, dims) = (<S as Axis<I>>::INDEX, self.dims());
        for (i, (n, m)) in dims.iter().zip(index.dims().iter()).enumerate() {
            assert!(
                i == axis || n == m,
                "gather: axis {i} has {n} entries, the index has {m}"
            );
        }
        let picked = self.raw().take_along(axis, index.raw());
        Tensor::new(index.shape(), picked.or_panic("gather"))
    }
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __gather_vjp<M0: Mode, M1: Mode, const I: isize, X: Index, R>(
        &self,
        _: (M0, M1),
        index: &Tensor<R, X, D>,
    ) -> (
        Tensor<R, T, D>,
        impl FnOnce(
            Ct<Tensor<R, T, D>>,
            &Self,
            &Tensor<R, X, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<R, X, D>, M1>,
        ) + Clone
        + use<M0, M1, I, X, R, S, T, D>,
    )
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): IndexRest<I, S, R>,
        Tensor<R, X, D>: Differentiable,
    {
        (self.gather::<I, X, R>(index), move |ct, x, index, d, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                let mut sum = Raw::zeros(ct.device(), x.dims());
                sum.add_along(<S as Axis<I>>::INDEX, index.raw(), ct)
                    .unwrap_or_else(|e| panic!("the forward pass accepted these indices: {e}"));
                d.acc(Tensor::new(x.shape(), sum).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __gather_jvp<const I: isize, X: Index, R>(
        &self,
        t: &Self,
        index: &Tensor<R, X, D>,
        _: impl Sized,
    ) -> (Tensor<R, T, D>, Tensor<R, T, D>)
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): IndexRest<I, S, R>,
    {
        (self.gather::<I, X, R>(index), t.gather::<I, X, R>(index))
    }
}
