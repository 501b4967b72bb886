//! Operations that rearrange axes: no element is computed, and where strides can express the
//! result none is copied.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Elem, Float};
use crate::ops::rule::linear;
use crate::ops::view::extent::within;
use crate::shape::{
    Axes2, Axes3, Axes4, Axes5, Axes6, Axis, Dim, Flatten, Insert, MAX_RANK, MergeLast,
    Permutation, Renamed, Reshape, SameNames, Shape, SplitLast, Swap, Sz, UnitAxis,
};
use crate::tensor::Tensor;
use autodiff_macros::rule;

/// The shape `R` with the run-time sizes of `shape`.
#[track_caller]
fn regroup<S: Shape, R: Shape>(shape: S) -> R {
    let mut sizes = Vec::new();
    shape.put(&mut sizes);
    R::take(&mut sizes.into_iter())
}

/// The shape `R` with the sizes of `shape`, axis by axis.
#[track_caller]
fn renamed<S: Shape, R: Shape>(shape: S) -> R {
    const { Renamed::<S, R>::OK };
    let dims = shape.dims();
    let open = dims.iter().zip(R::STATIC);
    let mut sizes = open.filter_map(|(&size, fixed)| fixed.is_none().then_some(size));
    let renamed = R::take(&mut sizes);
    let (from, to) = (dims, renamed.dims());
    if let Some(axis) = (0..from.rank()).find(|&i| from[i] != to[i]) {
        panic!(
            "rename: axis {axis} has size {}, and is to have size {}",
            from[axis], to[axis]
        );
    }
    renamed
}

linear! { Elem;
    /// Exchanges two axes: `x.transpose::<0, 1>()`.
    transpose, __transpose_vjp, __transpose_jvp [const I: isize, const J: isize] -> [<S as Swap<I, J>>::Out] where [S: Swap<I, J>];
    shape |s| s.swap();
    forward |x, _| x.transpose(S::AXES.0, S::AXES.1);
    pullback |ct, _| ct.transpose(S::AXES.0, S::AXES.1);

    /// The same elements in another shape. The element counts are compared when the program is
    /// built; named run-time dimensions must appear in the same order on both sides.
    reshape, __reshape_vjp, __reshape_jvp [; R: Shape] -> [R] where [S::Names: SameNames<R::Names, S, R>];
    shape |s| {
        const { Reshape::<S, R>::OK };
        regroup::<S, R>(s)
    };
    forward |x, to| x.reshape(to);
    pullback |ct, dims| ct.reshape(dims);

    /// The same axes under other dimensions: `x.rename::<shape![Batch, Width]>()`. Static sizes are compared when the program
    /// is built. An axis of a run-time size may become static, which is checked at run time.
    ///
    /// So a layer of a `Vec` can take another run-time size than the one before it.
    rename, __rename_vjp, __rename_jvp [; R: Shape] -> [R] where [];
    shape |s| renamed::<S, R>(s);
    forward |x, _| x.clone();
    pullback |ct, _| ct.clone();

    /// Everything after the first axis as one axis: `[B, X, Y] -> [B, X*Y]`.
    flatten, __flatten_vjp, __flatten_jvp [] -> [<S as Flatten>::Out] where [S: Flatten];
    shape |s| s.flatten();
    forward |x, to| x.reshape(to);
    pullback |ct, dims| ct.reshape(dims);

    /// The last axis as `H` equal parts: `[.., X] -> [.., H, X/H]`.
    split_last, __split_last_vjp, __split_last_jvp [const H: usize] -> [<S as SplitLast<H>>::Out] where [S: SplitLast<H>];
    shape |s| s.split_last();
    forward |x, to| x.reshape(to);
    pullback |ct, dims| ct.reshape(dims);

    /// The last two axes as one: `[.., X, Y] -> [.., X*Y]`.
    merge_last, __merge_last_vjp, __merge_last_jvp [] -> [<S as MergeLast>::Out] where [S: MergeLast];
    shape |s| s.merge_last();
    forward |x, to| x.reshape(to);
    pullback |ct, dims| ct.reshape(dims);

    /// A new axis of size 1 at position `I` of the result.
    unsqueeze, __unsqueeze_vjp, __unsqueeze_jvp [const I: isize] -> [<S as Insert<I>>::Out<Sz<1>>] where [S: Insert<I>];
    shape |s| s.insert(Sz);
    forward |x, _| x.unsqueeze(<S as Insert<I>>::INDEX);
    pullback |ct, _| ct.squeeze(<S as Insert<I>>::INDEX);

    /// Without axis `I`, which must have size 1.
    squeeze, __squeeze_vjp, __squeeze_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>, <S as Axis<I>>::Dim: UnitAxis<I, S>];
    shape |s| s.without();
    forward |x, _| x.squeeze(<S as Axis<I>>::INDEX);
    pullback |ct, _| ct.unsqueeze(<S as Axis<I>>::INDEX);

    /// The `LEN` entries from `START` on along axis `I`; the end is checked when the program is
    /// built, or at run time along a run-time axis.
    slice, __slice_vjp, __slice_jvp [const I: isize, const START: usize, const LEN: usize] -> [<S as Axis<I>>::With<Sz<LEN>>] where [S: Axis<I>];
    shape |s| {
        const {
            if let Some(n) = <<S as Axis<I>>::Dim as Dim>::STATIC {
                assert!(START + LEN <= n, "the slice ends after the axis");
            }
        }
        let axis = <S as Axis<I>>::INDEX;
        within::<<S as Axis<I>>::Dim>("slice", axis, s.dims()[axis], START, LEN);
        s.with(Sz)
    };
    forward |x, _| x.slice(<S as Axis<I>>::INDEX, START, LEN);
    part |ct, _| (ct, <S as Axis<I>>::INDEX, START);
}

macro_rules! permute {
    ($($Axes:ident $shape:ty, [$($d:ident)*], [$($i:ident)*];)*) => { $(
        impl<$($d: Dim,)* T: Elem, Dev: Backend> Tensor<$shape, T, Dev> {
            /// Reorders the axes: axis `k` of the result is the `k`-th axis named.
            pub fn permute<$(const $i: isize),*>(&self) -> Tensor<($(<$shape as Axis<$i>>::Dim,)*), T, Dev>
            where
                $Axes<$($i),*>: Permutation,
                $($shape: Axis<$i>,)*
            {
                let shape = ($(Axis::<$i>::axis(self.shape()),)*);
                Tensor::new(shape, self.raw().permute(<$Axes<$($i),*> as Permutation>::ORDER))
            }
        }

        impl<$($d: Dim,)* T: Float, Dev: Backend> Tensor<$shape, T, Dev> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn __permute_vjp<Mo: Mode, $(const $i: isize),*>(&self, _: (Mo,)) -> (
                Tensor<($(<$shape as Axis<$i>>::Dim,)*), T, Dev>,
                impl FnOnce(Ct<Tensor<($(<$shape as Axis<$i>>::Dim,)*), T, Dev>>, &Self, &mut Adj<Self, Mo>) + Clone
                    + use<Mo, $($d,)* T, Dev, $($i),*>,
            )
            where
                $Axes<$($i),*>: Permutation,
                $($shape: Axis<$i>,)*
            {
                (self.permute::<$($i),*>(), move |ct, x, d| {
                    if Mo::ON && let Some(ct) = ct.raw() {
                        let order = <$Axes<$($i),*> as Permutation>::ORDER;
                        d.acc(Tensor::new(x.shape(), ct.permute(&inverse(order)[..order.len()])).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn __permute_jvp<$(const $i: isize),*>(&self, t: &Self) -> (
                Tensor<($(<$shape as Axis<$i>>::Dim,)*), T, Dev>,
                Tensor<($(<$shape as Axis<$i>>::Dim,)*), T, Dev>,
            )
            where
                $Axes<$($i),*>: Permutation,
                $($shape: Axis<$i>,)*
            {
                (self.permute::<$($i),*>(), t.permute::<$($i),*>())
            }
        }
    )* };
}
permute! {
    Axes2 (A, B), [A B], [I0 I1];
    Axes3 (A, B, C), [A B C], [I0 I1 I2];
    Axes4 (A, B, C, E), [A B C E], [I0 I1 I2 I3];
    Axes5 (A, B, C, E, F), [A B C E F], [I0 I1 I2 I3 I4];
    Axes6 (A, B, C, E, F, G), [A B C E F G], [I0 I1 I2 I3 I4 I5];
}

/// `inverse[order[k]] = k`.
#[track_caller]
fn inverse(order: &[usize]) -> [usize; MAX_RANK] {
    let mut inverse = [0; MAX_RANK];
    for (k, &axis) in order.iter().enumerate() {
        inverse[axis] = k;
    }
    inverse
}

#[rule]
impl<A: Dim, B: Dim, T: Elem, D: Backend> Tensor<(A, B), T, D> {
    /// The transposed matrix, without a copy: [`transpose`](Tensor::transpose) of its two axes.
    #[derivative(
        where T: Float;
        pull self => ct.transpose(0, 1);
        push t.t();
    )]
    #[track_caller]
    pub fn t(&self) -> Tensor<(B, A), T, D> {
        let (a, b) = self.shape();
        Tensor::new((b, a), self.raw().transpose(0, 1))
    }
}
