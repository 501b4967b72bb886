//! Taking entries by number: `embedding`, `gather`.

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Device, Dims, Elem, Float, Index};
use crate::shape::{Axis, Dim, Insert, SameRest, Shape};
use crate::tensor::{Raw, Tensor};

impl<V: Dim, E: Dim, T: Elem, D: Device> Tensor<(V, E), T, D> {
    /// The rows with the given numbers: `table.embedding(&ids)`.
    ///
    /// # Panics
    /// If a number is not one of a row.
    pub fn embedding<S: Insert<-1>, X: Index>(
        &self,
        ids: &Tensor<S, X, D>,
    ) -> Tensor<<S as Insert<-1>>::Out<E>, T, D> {
        let shape = ids.shape().insert(self.shape().1);
        let rows = self
            .raw()
            .gather(ids.raw())
            .unwrap_or_else(|e| panic!("embedding: {e}"));
        Tensor::new(shape, rows)
    }
}

impl<V: Dim, E: Dim, T: Float, D: Device> Tensor<(V, E), T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
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
fn scatter<T: Float, X: Index, D: Device>(
    ct: &Raw<T, D>,
    index: &Raw<X, D>,
    dims: Dims,
) -> Raw<T, D> {
    let mut sum = Raw::zeros(ct.device(), dims);
    sum.scatter_add(index, ct)
        .unwrap_or_else(|e| panic!("the forward pass accepted these indices: {e}"));
    sum
}

/// The positions in a flat row-major buffer of `dims` that `index` names along `axis`.
fn flat_positions<X: Index, D: Device>(
    index: &Raw<X, D>,
    dims: &[usize],
    axis: usize,
) -> Raw<i64, D> {
    let n = dims[axis];
    let inner: usize = dims[axis + 1..].iter().product();
    let count = index.dims()[axis];
    let flat = index.to_vec().into_iter().enumerate().map(|(at, i)| {
        let found = i.position().filter(|&i| i < n);
        let i = found.unwrap_or_else(|| {
            panic!(
                "gather: index {} is out of range: the axis has {n} entries",
                i.to_i64()
            )
        });
        let (row, column) = (at / (count * inner), at % inner);
        ((row * n + i) * inner + column) as i64
    });
    let flat: Vec<i64> = flat.collect();
    Raw::from_slice(index.device(), [flat.len()], &flat)
}

impl<S: Shape, T: Elem, D: Device> Tensor<S, T, D> {
    /// Along axis `I`, the entries that `index` names; all other axes agree:
    /// `x.gather::<1, _, _>(&index)[[i, j]] == x[[i, index[[i, j]]]]`.
    ///
    /// # Panics
    /// If an index is outside the axis, or run-time dimensions differ.
    pub fn gather<const I: isize, X: Index, R>(&self, index: &Tensor<R, X, D>) -> Tensor<R, T, D>
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): SameRest<I, S, R>,
    {
        let (axis, dims) = (<S as Axis<I>>::INDEX, self.dims());
        for (i, (n, m)) in dims.iter().zip(index.dims().iter()).enumerate() {
            assert!(
                i == axis || n == m,
                "gather: axis {i} has {n} entries, the index has {m}"
            );
        }
        let at = flat_positions(index.raw(), &dims, axis);
        let column = self.raw().reshape([dims.numel(), 1]);
        let rows = column.gather(&at).unwrap_or_else(|e| panic!("gather: {e}"));
        Tensor::new(index.shape(), rows.into_reshaped(index.dims()))
    }
}

impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
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
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): SameRest<I, S, R>,
        Tensor<R, X, D>: Differentiable,
    {
        (self.gather::<I, X, R>(index), move |ct, x, index, d, _| {
            if M0::ON
                && let Some(ct) = ct.raw()
            {
                let dims = x.dims();
                let at = flat_positions(index.raw(), &dims, <S as Axis<I>>::INDEX);
                let sum = scatter(ct, &at, [dims.numel(), 1].into());
                d.acc(Tensor::new(x.shape(), sum.into_reshaped(dims)).into());
            }
        })
    }

    #[doc(hidden)]
    pub fn __gather_jvp<const I: isize, X: Index, R>(
        &self,
        t: &Self,
        index: &Tensor<R, X, D>,
        _: impl Sized,
    ) -> (Tensor<R, T, D>, Tensor<R, T, D>)
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): SameRest<I, S, R>,
    {
        (self.gather::<I, X, R>(index), t.gather::<I, X, R>(index))
    }
}
