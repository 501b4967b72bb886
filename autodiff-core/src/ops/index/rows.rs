//! Taking entries by number: `embedding`, `gather`.

use super::{accepted, check_rest};
use crate::device::{Backend, Dims, Elem, Float, Index};
use crate::ops::OrPanic;
use crate::shape::{Axis, Dim, IndexRest, Insert, Shape};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[rule]
impl<V: Dim, E: Dim, T: Elem, D: Backend> Tensor<(V, E), T, D> {
    /// The rows with the given numbers: `table.embedding(&ids)`.
    ///
    /// # Panics
    /// If a number is not one of a row.
    #[derivative(
        where T: Float;
        pull self => scatter(ct, ids.raw(), self.dims());
        push t.embedding(ids);
    )]
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

/// The sum of the rows of `ct` into the rows that `index` names.
#[track_caller]
fn scatter<T: Float, X: Index, D: Backend>(
    ct: &Raw<T, D>,
    index: &Raw<X, D>,
    dims: Dims,
) -> Raw<T, D> {
    let mut sum = Raw::zeros(ct.device(), dims);
    accepted(sum.scatter_add(index, ct));
    sum
}

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Along axis `I`, the entries that `index` names; all other axes agree:
    /// `x.gather::<1, _, _>(&index)[[i, j]] == x[[i, index[[i, j]]]]`.
    ///
    /// # Panics
    /// If an index is outside the axis, or run-time dimensions differ.
    #[derivative(
        where T: Float;
        pull self => {
            let mut sum = Raw::zeros(ct.device(), self.dims());
            accepted(sum.add_along(<S as Axis<I>>::INDEX, index.raw(), ct));
            sum
        };
        push t.gather::<I, X, R>(index);
    )]
    #[doc(alias = "take_along_axis")]
    #[track_caller]
    pub fn gather<const I: isize, X: Index, R>(&self, index: &Tensor<R, X, D>) -> Tensor<R, T, D>
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): IndexRest<I, S, R>,
    {
        let axis = <S as Axis<I>>::INDEX;
        check_rest("gather", axis, &self.dims(), &index.dims());
        let picked = self.raw().take_along(axis, index.raw());
        Tensor::new(index.shape(), picked.or_panic("gather"))
    }
}
