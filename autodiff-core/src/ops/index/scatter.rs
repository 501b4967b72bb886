//! Entries picked along an axis, and entries put there: `index_select index_add scatter_add scatter`.
//!
//! With an index `i` along the axis: `index_select` is `y[.., j, ..] = x[.., i[j], ..]`, its pullback adds
//! the cotangent of entry `j` to entry `i[j]`. `scatter_add` is `y = x` and then `y[.., i[.., j, ..], ..]
//! += s[.., j, ..]`: the cotangent of `x` is that of `y`, the cotangent of `s` is gathered from it.
//! `scatter` replaces instead of adding; where several entries of `s` meet, the last one in row-major
//! order stays, and only that one has a cotangent. What was replaced in `x` has none.

use super::{accepted, check_rest};
use crate::ad::Acc;
use crate::device::{Backend, CompareOp, Elem, Float, Index};
use crate::ops::OrPanic;
use crate::shape::{Axis, Dim, IndexRest, Shape};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

type Rest<S, R, const I: isize> = (<S as Axis<I>>::Without, <R as Axis<I>>::Without);

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// The entries `index` along axis `I`: `x.index_select::<1, _, _>(&tensor([2i64, 0, 2]))`.
    ///
    /// # Panics
    /// If an index is outside the axis.
    #[derivative(
        where T: Float;
        pull self => {
            let mut sum = Raw::zeros(ct.device(), self.dims());
            accepted(sum.add_axis(<S as Axis<I>>::INDEX, index.raw(), ct));
            sum
        };
        both {
            let pick = |x: &Self| x.index_select::<I, N, X>(index);
            (pick(self), pick(t))
        };
    )]
    #[track_caller]
    pub fn index_select<const I: isize, N: Dim, X: Index>(
        &self,
        index: &Tensor<(N,), X, D>,
    ) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
    {
        let picked = self.raw().select_axis(<S as Axis<I>>::INDEX, index.raw());
        Tensor::new(
            Axis::<I>::with(self.shape(), index.shape().0),
            picked.or_panic("index_select"),
        )
    }

    /// A copy in which the entries of `src` replace those that `index` names along axis `I`; all other
    /// axes agree: `y[[i, index[[i, j]]]] == src[[i, j]]` for axis 1. Where an entry is named more than
    /// once, the last one in row-major order stays.
    ///
    /// # Panics
    /// If an index is outside the axis, or run-time dimensions differ.
    #[derivative(
        where T: Float;
        active src;
        pull |ct, x, index, src, d, _, d_src| {
            let Some(ct) = ct.raw() else { return };
            let (axis, index) = (<S as Axis<I>>::INDEX, index.raw());
            if M2::ON {
                let picked = accepted(ct.take_along(axis, index));
                let stays = last_of_each(axis, index, ct);
                let picked = picked.keep_where(&stays, T::ZERO);
                d_src.acc(Tensor::new(src.shape(), picked).into());
            }
            if M0::ON {
                let mut kept = ct.clone();
                let zero = Raw::zeros(ct.device(), *index.dims());
                accepted(kept.put_along(axis, index, &zero));
                d.acc(Tensor::new(x.shape(), kept).into());
            }
        };
        push t.scatter::<I, X, R>(index, t_src);
    )]
    #[track_caller]
    pub fn scatter<const I: isize, X: Index, R>(
        &self,
        index: &Tensor<R, X, D>,
        src: &Tensor<R, T, D>,
    ) -> Self
    where
        S: Axis<I>,
        R: Axis<I>,
        Rest<S, R, I>: IndexRest<I, S, R>,
    {
        let axis = <S as Axis<I>>::INDEX;
        check_rest("scatter", axis, &self.dims(), &index.dims());
        check_rest("scatter", usize::MAX, &src.dims(), &index.dims());
        let mut out = self.raw().clone();
        out.put_along(axis, index.raw(), src.raw())
            .or_panic("scatter");
        Tensor::new(self.shape(), out)
    }
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// A copy in which the entries of `src` are added to those that `index` names along axis `I`; all
    /// other axes agree: the reverse of [`gather`](Tensor::gather).
    ///
    /// # Panics
    /// If an index is outside the axis, or run-time dimensions differ.
    #[derivative(
        active src;
        pull |ct, x, index, src, d, _, d_src| {
            let Some(ct) = ct.raw() else { return };
            if M2::ON {
                let picked = accepted(ct.take_along(<S as Axis<I>>::INDEX, index.raw()));
                d_src.acc(Tensor::new(src.shape(), picked).into());
            }
            if M0::ON {
                d.acc(Tensor::new(x.shape(), ct.clone()).into());
            }
        };
        push t.scatter_add::<I, X, R>(index, t_src);
    )]
    #[track_caller]
    pub fn scatter_add<const I: isize, X: Index, R>(
        &self,
        index: &Tensor<R, X, D>,
        src: &Tensor<R, T, D>,
    ) -> Self
    where
        S: Axis<I>,
        R: Axis<I>,
        Rest<S, R, I>: IndexRest<I, S, R>,
    {
        let axis = <S as Axis<I>>::INDEX;
        check_rest("scatter_add", axis, &self.dims(), &index.dims());
        check_rest("scatter_add", usize::MAX, &src.dims(), &index.dims());
        let mut out = self.raw().clone();
        out.add_along(axis, index.raw(), src.raw())
            .or_panic("scatter_add");
        Tensor::new(self.shape(), out)
    }
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// A copy in which entry `j` of `src` along axis `I` is added to entry `index[j]`: the reverse of
    /// [`index_select`](Tensor::index_select), and with zeros the sum of each segment.
    ///
    /// # Panics
    /// If an index is outside the axis, or run-time dimensions differ.
    #[derivative(
        active src;
        pull |ct, x, index, src, d, _, d_src| {
            let Some(ct) = ct.raw() else { return };
            if M2::ON {
                let picked = accepted(ct.select_axis(<S as Axis<I>>::INDEX, index.raw()));
                d_src.acc(Tensor::new(src.shape(), picked).into());
            }
            if M0::ON {
                d.acc(Tensor::new(x.shape(), ct.clone()).into());
            }
        };
        push t.index_add::<I, N, X>(index, t_src);
    )]
    #[track_caller]
    pub fn index_add<const I: isize, N: Dim, X: Index>(
        &self,
        index: &Tensor<(N,), X, D>,
        src: &Tensor<<S as Axis<I>>::With<N>, T, D>,
    ) -> Self
    where
        S: Axis<I>,
    {
        let axis = <S as Axis<I>>::INDEX;
        let entries = self.dims().with(axis, index.len());
        assert!(
            src.dims() == entries,
            "index_add: {} entries for an index of {}, in tensors of the sizes {:?} and {:?}",
            src.dims()[axis],
            index.len(),
            src.dims(),
            self.dims(),
        );
        let mut out = self.raw().clone();
        out.add_axis(axis, index.raw(), src.raw())
            .or_panic("index_add");
        Tensor::new(self.shape(), out)
    }
}

/// Which entries of an index are the last that name their place in a tensor with the sizes of `like`.
#[track_caller]
fn last_of_each<X: Index, T: Elem, D: Backend>(
    axis: usize,
    index: &Raw<X, D>,
    like: &Raw<T, D>,
) -> Raw<bool, D> {
    // Each entry writes its number; whoever finds its own there came last.
    let numbers: Vec<i64> = (0..index.numel() as i64).collect();
    let numbers = Raw::from_slice(index.device(), *index.dims(), &numbers);
    let mut written = Raw::zeros(index.device(), *like.dims());
    accepted(written.put_along(axis, index, &numbers));
    let found = accepted(written.take_along(axis, index));
    Raw::compare(CompareOp::Eq, &found, &numbers)
}
