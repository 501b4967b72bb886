//! Putting tensors together and taking them apart along an axis: `concat split_at chunk stack`.

use super::give_parts;
use crate::ad::Acc;
use crate::device::{Backend, Elem, Float};
use crate::ops::OrPanic;
use crate::ops::pad;
use crate::ops::view::extent::add_part;
use crate::shape::arith::{DivExact, Minus};
use crate::shape::{Axis, Concat, Dim, Insert, SameRest, Shape, ShapeError, Sz};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// The axes other than `axis` agree at run time.
#[track_caller]
fn check_rest<S: Shape, R: Shape>(axis: usize, a: S, b: R) -> Result<(), ShapeError> {
    let (l, r) = (a.dims(), b.dims());
    match (0..l.rank()).find(|&i| i != axis && l[i] != r[i]) {
        None => Ok(()),
        Some(i) => Err(ShapeError::Dimension {
            left: S::NAMES[i],
            left_size: l[i],
            right: R::NAMES[i],
            right_size: r[i],
        }),
    }
}

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Joins two tensors along axis `I`: `a.concat::<1, _>(&b)`.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        where T: Float;
        active other;
        pull |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            let axis = <S as Concat<I, R>>::INDEX;
            let n = a.dims()[axis];
            if M0::ON {
                d_a.acc(Tensor::new(a.shape(), ct.slice(axis, 0, n)).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), ct.slice(axis, n, b.dims()[axis])).into());
            }
        };
        push t.concat::<I, R>(t_other);
    )]
    #[track_caller]
    pub fn concat<const I: isize, R: Shape>(
        &self,
        other: &Tensor<R, T, D>,
    ) -> Tensor<<S as Concat<I, R>>::Out, T, D>
    where
        S: Concat<I, R>,
        <S as Concat<I, R>>::Rest: SameRest<I, S, R>,
    {
        let axis = <S as Concat<I, R>>::INDEX;
        check_rest(axis, self.shape(), other.shape()).or_panic("concat");
        Tensor::new(
            Concat::<I, R>::concat(self.shape()),
            Raw::concat(axis, &[self.raw(), other.raw()]),
        )
    }

    /// Joins two tensors along axis `I` to a stated size, which may be a run-time one:
    /// `a.concat_to::<0, _, _>(&b, Length(7))`.
    ///
    /// # Panics
    /// If `n` is not the sum of the two sizes, or other run-time dimensions differ.
    #[derivative(
        where T: Float;
        active other;
        pull |ct, a, b, d_a, d_b, _| {
            let Some(ct) = ct.raw() else { return };
            let axis = <S as Axis<I>>::INDEX;
            let n = a.dims()[axis];
            if M0::ON {
                d_a.acc(Tensor::new(a.shape(), ct.slice(axis, 0, n)).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), ct.slice(axis, n, b.dims()[axis])).into());
            }
        };
        push t.concat_to::<I, N, R>(t_other, n);
    )]
    #[track_caller]
    pub fn concat_to<const I: isize, N: Dim, R>(
        &self,
        other: &Tensor<R, T, D>,
        n: N,
    ) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
        R: Axis<I>,
        (<S as Axis<I>>::Without, <R as Axis<I>>::Without): SameRest<I, S, R>,
    {
        let axis = <S as Axis<I>>::INDEX;
        check_rest(axis, self.shape(), other.shape()).or_panic("concat_to");
        let (a, b) = (self.dims()[axis], other.dims()[axis]);
        assert!(
            a + b == n.size(),
            "concat_to: dimension `{}` of axis {axis} is {}, expected {a} + {b} = {}",
            N::NAME,
            n.size(),
            a + b
        );
        Tensor::new(
            Axis::<I>::with(self.shape(), n),
            Raw::concat(axis, &[self.raw(), other.raw()]),
        )
    }

    /// The first `N` entries along axis `I`, and the rest: `x.split_at::<1, 2>()`.
    #[derivative(
        where T: Float;
        pull |(left, right), x, d| {
            if !M0::ON {
                return;
            }
            let axis = <S as Axis<I>>::INDEX;
            let dims = x.dims();
            let ct = match (left.raw(), right.raw()) {
                (None, None) => return,
                (Some(l), None) => pad(l, dims, axis, 0),
                (None, Some(r)) => pad(r, dims, axis, N),
                (Some(l), Some(r)) => Raw::concat(axis, &[l, r]),
            };
            d.acc(Tensor::new(x.shape(), ct).into());
        };
        push t.split_at::<I, N>();
    )]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn split_at<const I: isize, const N: usize>(
        &self,
    ) -> (
        Tensor<<S as Axis<I>>::With<Sz<N>>, T, D>,
        Tensor<<S as Axis<I>>::With<<<S as Axis<I>>::Dim as Minus<Sz<N>>>::Out>, T, D>,
    )
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: Minus<Sz<N>>,
    {
        let rest = <<S as Axis<I>>::Dim as Minus<Sz<N>>>::Out::default();
        (
            self.narrow::<I, _>(0, Sz::<N>),
            self.narrow::<I, _>(N, rest),
        )
    }

    /// `K` equal parts along axis `I`: `x.chunk::<1, 3>()`.
    #[derivative(
        where T: Float;
        pull |cts, x, d| {
            if !M0::ON {
                return;
            }
            let axis = <S as Axis<I>>::INDEX;
            let dims = x.dims();
            let len = dims[axis] / K;
            for (k, ct) in cts.iter().enumerate() {
                if let Some(ct) = ct.raw() {
                    add_part::<M0, _, _, _>(d, x, ct, axis, k * len);
                }
            }
        };
        push t.chunk::<I, K>();
    )]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn chunk<const I: isize, const K: usize>(
        &self,
    ) -> [Tensor<<S as Axis<I>>::With<<<S as Axis<I>>::Dim as DivExact<Sz<K>>>::Out>, T, D>; K]
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: DivExact<Sz<K>>,
    {
        let part = <<S as Axis<I>>::Dim as DivExact<Sz<K>>>::Out::default();
        core::array::from_fn(|k| self.narrow::<I, _>(k * part.size(), part))
    }

    /// Joins tensors of one shape along a new axis `I`.
    ///
    /// # Panics
    /// If run-time dimensions differ, or there are no tensors but a run-time dimension.
    #[derivative(
        where T: Float;
        active parts;
        pull |ct, parts, d| {
            if let Some(ct) = ct.raw() {
                let axis = <S as Insert<I>>::INDEX;
                give_parts::<M0, _, _, _>(parts, d, |k| ct.index(axis, k));
            }
        };
        push Self::stack::<I, K>(t_parts);
    )]
    #[track_caller]
    pub fn stack<const I: isize, const K: usize>(
        parts: &[Self; K],
    ) -> Tensor<<S as Insert<I>>::Out<Sz<K>>, T, D>
    where
        S: Insert<I>,
    {
        const { assert!(K > 0, "there is nothing to stack") };
        let axis = <S as Insert<I>>::INDEX;
        for part in &parts[1..] {
            parts[0].check_same_shape(part).or_panic("stack");
        }
        let raws: Vec<_> = parts.iter().map(|p| p.raw().unsqueeze(axis)).collect();
        let refs: Vec<_> = raws.iter().collect();
        Tensor::new(parts[0].shape().insert(Sz::<K>), Raw::concat(axis, &refs))
    }
}
