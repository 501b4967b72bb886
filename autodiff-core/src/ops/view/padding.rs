//! More entries before and after those of an axis: `pad pad_reflect pad_replicate`.
//!
//! `pad` writes one value: its cotangent is the sum of the cotangents of the new entries, that of the
//! tensor the slice between them. The other two copy entries of the tensor, `y[p] = x[m(p)]`, so the
//! pullback is `d_x[i] = Σ ct[p]` over the `p` with `m(p) = i`. As in PyTorch, a reflection does not
//! repeat the edge: `[a, b, c]` padded by 2 is `[c, b, a, b, c, b, a]`.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Dims, Elem, Float};
use crate::ops::rule::linear;
use crate::shape::arith::Plus;
use crate::shape::{Axis, Dim, Shape, Sz};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

type DimOf<S, const I: isize> = <S as Axis<I>>::Dim;
type Before<S, const I: isize, const B: usize> = <DimOf<S, I> as Plus<Sz<B>>>::Out;
type Padded<S, const I: isize, const B: usize, const A: usize> =
    <S as Axis<I>>::With<<Before<S, I, B> as Plus<Sz<A>>>::Out>;

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// `BEFORE` entries of `value` before those along axis `I`, and `AFTER` after them:
    /// `x.pad::<-1, 1, 2>(0.0)`.
    #[derivative(
        where T: Float;
        active value;
        pull |ct, x, d, d_value| {
            let Some(ct) = ct.raw() else { return };
            let axis = <S as Axis<I>>::INDEX;
            let n = x.dims()[axis];
            if M0::ON {
                d.acc(Tensor::new(x.shape(), ct.slice(axis, BEFORE, n)).into());
            }
            if M1::ON {
                d_value.acc(frame_sum(ct, axis, BEFORE, n));
            }
        };
        push t.pad::<I, BEFORE, AFTER>(t_value);
    )]
    #[track_caller]
    pub fn pad<const I: isize, const BEFORE: usize, const AFTER: usize>(
        &self,
        value: T,
    ) -> Tensor<Padded<S, I, BEFORE, AFTER>, T, D>
    where
        S: Axis<I>,
        DimOf<S, I>: Plus<Sz<BEFORE>>,
        Before<S, I, BEFORE>: Plus<Sz<AFTER>>,
    {
        let shape = Axis::<I>::with(self.shape(), Default::default());
        let axis = <S as Axis<I>>::INDEX;
        Tensor::new(shape, framed(self.raw(), shape.dims(), axis, BEFORE, value))
    }
}

/// `x` from `before` on along `axis` of `dims`, `value` elsewhere.
#[track_caller]
pub(in crate::ops) fn framed<T: Elem, D: Backend>(
    x: &Raw<T, D>,
    dims: Dims,
    axis: usize,
    before: usize,
    value: T,
) -> Raw<T, D> {
    let mut out = Raw::full(x.device(), dims, value);
    out.assign_slice(axis, before, x);
    out
}

/// The sum of what stands before and behind the entries that [`framed`] put `before` others.
#[track_caller]
pub(in crate::ops) fn frame_sum<T: Float, D: Backend>(
    ct: &Raw<T, D>,
    axis: usize,
    before: usize,
    len: usize,
) -> T {
    let total = |start, n| ct.slice(axis, start, n).cotangent_of_number();
    let behind = before + len;
    total(0, before) + total(behind, ct.dims()[axis] - behind)
}

/// The entry that stands at each place, mirrored at the first and the last one.
#[track_caller]
pub(in crate::ops) fn mirrored(n: usize, before: usize, after: usize) -> Vec<i64> {
    let (n, before) = (n as i64, before as i64);
    let inside = |i: i64| if i < 0 { -i } else { i.min(2 * (n - 1) - i) };
    (-before..n + after as i64).map(inside).collect()
}

/// The entry that stands at each place, with the first and the last one repeated.
#[track_caller]
pub(in crate::ops) fn clamped(n: usize, before: usize, after: usize) -> Vec<i64> {
    let (n, before) = (n as i64, before as i64);
    (-before..n + after as i64)
        .map(|i| i.clamp(0, n - 1))
        .collect()
}

/// The sum of the entries of `ct` into the entries `index` along `axis`.
#[track_caller]
pub(in crate::ops) fn gathered<T: Float, D: Backend>(
    ct: &Raw<T, D>,
    dims: Dims,
    axis: usize,
    index: &[i64],
) -> Raw<T, D> {
    let mut sum = Raw::zeros(ct.device(), dims);
    let index = Raw::from_slice(ct.device(), [index.len()], index);
    sum.add_axis(axis, &index, ct)
        .unwrap_or_else(|e| panic!("padding stays inside: {e}"));
    sum
}

linear! { Elem;
    /// `BEFORE` and `AFTER` more entries along axis `I`, mirrored at the edges without repeating them:
    /// `[a, b, c]` padded by 2 on both sides is `[c, b, a, b, c, b, a]`. There must be fewer of them than
    /// the axis has entries, which is checked when the program is built.
    pad_reflect, __pad_reflect_vjp, __pad_reflect_jvp [const I: isize, const BEFORE: usize, const AFTER: usize]
        -> [Padded<S, I, BEFORE, AFTER>]
        where [S: Axis<I>, DimOf<S, I>: Plus<Sz<BEFORE>>, Before<S, I, BEFORE>: Plus<Sz<AFTER>>];
    shape |s| {
        const {
            if let Some(n) = <DimOf<S, I> as Dim>::STATIC {
                assert!(BEFORE < n && AFTER < n, "a reflection needs an axis longer than the padding");
            }
        }
        Axis::<I>::with(s, Default::default())
    };
    forward |x, _| {
        let axis = <S as Axis<I>>::INDEX;
        x.select_known(axis, &mirrored(x.dims()[axis], BEFORE, AFTER))
    };
    pullback |ct, dims| {
        let axis = <S as Axis<I>>::INDEX;
        gathered(ct, dims, axis, &mirrored(dims[axis], BEFORE, AFTER))
    };

    /// `BEFORE` times the first and `AFTER` times the last entry along axis `I` more: `[a, b]` padded by
    /// 2 on both sides is `[a, a, a, b, b, b]`.
    pad_replicate, __pad_replicate_vjp, __pad_replicate_jvp [const I: isize, const BEFORE: usize, const AFTER: usize]
        -> [Padded<S, I, BEFORE, AFTER>]
        where [S: Axis<I>, DimOf<S, I>: Plus<Sz<BEFORE>>, Before<S, I, BEFORE>: Plus<Sz<AFTER>>];
    shape |s| {
        const {
            if let Some(n) = <DimOf<S, I> as Dim>::STATIC {
                assert!(n > 0, "there is no entry to repeat");
            }
        }
        Axis::<I>::with(s, Default::default())
    };
    forward |x, _| {
        let axis = <S as Axis<I>>::INDEX;
        x.select_known(axis, &clamped(x.dims()[axis], BEFORE, AFTER))
    };
    pullback |ct, dims| {
        let axis = <S as Axis<I>>::INDEX;
        gathered(ct, dims, axis, &clamped(dims[axis], BEFORE, AFTER))
    };
}
