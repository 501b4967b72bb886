//! Operations that take a size as an argument: `expand`, `narrow`; or from another tensor: `expand_as`.

use crate::ad::{Adj, Mode};
use crate::device::{Backend, Elem, Float};
use crate::ops::{OrPanic, pad};
use crate::shape::{Axis, Broadcast, Dim, Paired, Shape, UnitAxis, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// Adds a cotangent to the entries from `start` on along `axis`: nothing is done to the others, unless they
/// are zeros that are not there yet.
#[track_caller]
pub(in crate::ops) fn add_part<M: Mode, S: Shape, T: Float, D: Backend>(
    d: &mut Adj<Tensor<S, T, D>, M>,
    x: &Tensor<S, T, D>,
    ct: &Raw<T, D>,
    axis: usize,
    start: usize,
) {
    let Some(acc) = M::leaf_mut::<Tensor<S, T, D>>(d) else {
        return;
    };
    match acc.raw_mut() {
        Some(sum) => sum.add_slice(axis, start, ct),
        None => *acc = Tensor::new(x.shape(), pad(ct, x.dims(), axis, start)).into(),
    }
}

/// That `len` entries from `start` on are within an axis of a size.
#[track_caller]
pub(in crate::ops) fn within<N: Dim>(op: &str, axis: usize, size: usize, start: usize, len: usize) {
    let fits = start.checked_add(len).is_some_and(|end| end <= size);
    assert!(
        fits,
        "{op}: {len} entries from {start} on were asked for along axis {axis}, but dimension `{}` is {size}",
        N::NAME
    );
}

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Repeats axis `I`, which must have size 1, `n` times, without copying.
    #[derivative(
        where T: Float;
        pull self => ct.clone().sum_to(&self.dims());
        push t.expand::<I, N>(n);
    )]
    pub fn expand<const I: isize, N: Dim>(&self, n: N) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: UnitAxis<I, S>,
    {
        let shape = Axis::<I>::with(self.shape(), n);
        Tensor::new(shape, self.raw().expand(shape.dims()))
    }

    /// Repeated along the leading axes of `other` that `self` lacks, without copying: a bias of shape `[N]` as `[B, N]`.
    /// Of `other` only the shape is read.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        where T: Float;
        unread other;
        pull self => ct.clone().sum_to(&self.dims());
        push t.expand_as(other);
    )]
    #[track_caller]
    pub fn expand_as<R: Shape, U: Elem>(&self, other: &Tensor<R, U, D>) -> Tensor<R, T, D>
    where
        S: Broadcast<R, Joint = R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>,
    {
        check_same(self.shape(), other.shape()).or_panic("expand_as");
        Tensor::new(other.shape(), self.raw().expand(other.dims()))
    }

    /// `len` entries from `start` on along axis `I`: as [`slice`](Tensor::slice), with positions
    /// known at run time only.
    ///
    /// # Panics
    /// If the entries are not within the axis.
    #[derivative(
        where T: Float;
        pull |ct, x, d, _, _| {
            if M0::ON
            && let Some(ct) = ct.raw()
            {
                add_part::<M0, _, _, _>(d, x, ct, <S as Axis<I>>::INDEX, start);
            }
        };
        push t.narrow::<I, N>(start, len);
    )]
    #[track_caller]
    pub fn narrow<const I: isize, N: Dim>(
        &self,
        start: usize,
        len: N,
    ) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
    {
        let (shape, axis) = (Axis::<I>::with(self.shape(), len), <S as Axis<I>>::INDEX);
        within::<<S as Axis<I>>::Dim>("narrow", axis, self.dims()[axis], start, len.size());
        Tensor::new(shape, self.raw().slice(axis, start, len.size()))
    }
}
