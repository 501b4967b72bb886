//! Operations that put the entries of one tensor elsewhere: `flip roll slice_step repeat
//! repeat_interleave tril triu diag diagonal`.
//!
//! All are linear and move or repeat entries, so the pullback moves them back and adds what was
//! repeated: of `flip` it is `flip`, of `roll` the roll by the opposite shift, of a triangle the same
//! triangle, of `slice_step` and `diagonal` a tensor of zeros with the cotangent in its place.
//!
//! `slice_step` and `diagonal` share the elements of their operand; the others copy.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Elem, Float, ReduceOp};
use crate::ops::rule::linear;
use crate::shape::arith::{Minus, Times, Window};
use crate::shape::{Axis, Dim, Shape, Sz};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

type DimOf<S, const I: isize> = <S as Axis<I>>::Dim;
type Span<const START: usize, const END: usize> = <Sz<END> as Minus<Sz<START>>>::Out;
type Steps<const START: usize, const END: usize, const STEP: usize> =
    <Span<START, END> as Window<1, STEP, 0>>::Out;
type Repeated<S, const I: isize, const K: usize> = <DimOf<S, I> as Times<Sz<K>>>::Out;

/// The number of entries before an axis, its size, and the number of elements of one entry.
#[track_caller]
pub(in crate::ops) fn around(dims: &[usize], axis: usize) -> [usize; 3] {
    let (outer, inner) = (dims[..axis].iter(), dims[axis + 1..].iter());
    [outer.product(), dims[axis], inner.product()]
}

linear! { Elem;
    /// The entries along axis `I` in reverse.
    flip, __flip_vjp, __flip_jvp [const I: isize] -> [S] where [S: Axis<I>];
    shape |s| s;
    forward |x, _| x.flip(<S as Axis<I>>::INDEX);
    pullback |ct, _| ct.flip(<S as Axis<I>>::INDEX);

    /// Every `STEP`-th entry from `START` to before `END` along axis `I`: `x.slice_step::<0, 1, 8, 2>()`
    /// has the entries 1, 3, 5 and 7. Shares the elements. The end is checked when the program is built,
    /// or at run time along a run-time axis.
    slice_step, __slice_step_vjp, __slice_step_jvp [const I: isize, const START: usize, const END: usize, const STEP: usize]
        -> [<S as Axis<I>>::With<Steps<START, END, STEP>>]
        where [S: Axis<I>, Sz<END>: Minus<Sz<START>>, Span<START, END>: Window<1, STEP, 0>];
    shape |s| {
        const {
            assert!(STEP > 0, "the step of a slice is not 0");
            if let Some(n) = <<S as Axis<I>>::Dim as Dim>::STATIC {
                assert!(END <= n, "the slice ends after the axis");
            }
        }
        s.with(Default::default())
    };
    forward |x, _| {
        let axis = <S as Axis<I>>::INDEX;
        x.slice(axis, START, END - START).every(axis, STEP)
    };
    pullback |ct, dims| {
        let axis = <S as Axis<I>>::INDEX;
        Raw::placed(ct, dims, |l| l.slice(axis, START, END - START).every(axis, STEP))
    };

    /// `K` copies one after the other along axis `I`: `[a, b]` gives `[a, b, a, b]`.
    #[doc(alias = "tile")]
    repeat, __repeat_vjp, __repeat_jvp [const I: isize, const K: usize] -> [<S as Axis<I>>::With<Repeated<S, I, K>>]
        where [S: Axis<I>, DimOf<S, I>: Times<Sz<K>>];
    shape |s| s.with(Default::default());
    forward |x, to| {
        let [outer, n, inner] = around(x.dims(), <S as Axis<I>>::INDEX);
        x.reshape([outer, 1, n * inner]).expand([outer, K, n * inner]).reshape(to)
    };
    pullback |ct, dims| {
        let [outer, n, inner] = around(&dims, <S as Axis<I>>::INDEX);
        ct.reshape([outer, K, n * inner]).reduce_axis(ReduceOp::Sum, 1).into_reshaped(dims)
    };

    /// Each entry along axis `I` `K` times: `[a, b]` gives `[a, a, b, b]`.
    repeat_interleave, __repeat_interleave_vjp, __repeat_interleave_jvp [const I: isize, const K: usize]
        -> [<S as Axis<I>>::With<Repeated<S, I, K>>] where [S: Axis<I>, DimOf<S, I>: Times<Sz<K>>];
    shape |s| s.with(Default::default());
    forward |x, to| {
        let [outer, n, inner] = around(x.dims(), <S as Axis<I>>::INDEX);
        x.reshape([outer * n, 1, inner]).expand([outer * n, K, inner]).reshape(to)
    };
    pullback |ct, dims| {
        let [outer, n, inner] = around(&dims, <S as Axis<I>>::INDEX);
        ct.reshape([outer * n, K, inner]).reduce_axis(ReduceOp::Sum, 1).into_reshaped(dims)
    };
}

/// Operations with a run-time number, which keep the shape.
macro_rules! with_number {
    ($(
        $(#[$doc:meta])*
        $name:ident, $vjp:ident, $jvp:ident [$(const $c:ident: $cty:ty)?] where [$($w:tt)*];
        forward |$x:ident, $k:ident| $forward:expr;
        pullback |$ct:ident, $pk:ident| $pullback:expr;
    )*) => { $(
        impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<$(const $c: $cty)?>(&self, $k: isize) -> Self
            where
                $($w)*
            {
                let $x = self.raw();
                Tensor::new(self.shape(), $forward)
            }
        }

        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode $(, const $c: $cty)?>(&self, _: (M0, M1), $pk: isize) -> (
                Self,
                impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M0>, &mut Adj<isize, M1>) + Clone + use<M0, M1, S, T, D $(, $c)?>,
            )
            where
                $($w)*
            {
                (self.$name$(::<$c>)?($pk), move |ct, x, d, _| {
                    if M0::ON && let Some($ct) = ct.raw() {
                        d.acc(Tensor::new(x.shape(), $pullback).into());
                    }
                })
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp<$(const $c: $cty)?>(&self, t: &Self, k: isize, _: ()) -> (Self, Self)
            where
                $($w)*
            {
                (self.$name$(::<$c>)?(k), t.$name$(::<$c>)?(k))
            }
        }
    )* };
}

/// Each entry `shift` further along `axis`, and at the end back to the start.
#[track_caller]
fn rolled<T: Elem, D: Backend>(x: &Raw<T, D>, axis: usize, shift: isize) -> Raw<T, D> {
    let n = x.dims()[axis];
    let by = match n {
        0 => 0,
        _ => shift.rem_euclid(n as isize) as usize,
    };
    if by == 0 {
        return x.clone();
    }
    Raw::concat(
        axis,
        &[&x.slice(axis, n - by, by), &x.slice(axis, 0, n - by)],
    )
}

with_number! {
    /// Moves each entry `shift` places further along axis `I`; what leaves at the end comes in at the
    /// start: `[a, b, c]` rolled by 1 is `[c, a, b]`, by −1 it is `[b, c, a]`.
    roll, __roll_vjp, __roll_jvp [const I: isize] where [S: Axis<I>];
    forward |x, shift| rolled(x, <S as Axis<I>>::INDEX, shift);
    pullback |ct, shift| rolled(ct, <S as Axis<I>>::INDEX, shift.saturating_neg());

    /// The lower triangle of each matrix (the last two axes) with zeros above diagonal `k`: 0 is the
    /// main one, positive ones lie above it.
    tril, __tril_vjp, __tril_jvp [] where [S: Axis<-1> + Axis<-2>];
    forward |x, k| x.clone().triangle(false, k);
    pullback |ct, k| ct.clone().triangle(false, k);

    /// The upper triangle of each matrix (the last two axes) with zeros below diagonal `k`: 0 is the
    /// main one, positive ones lie above it.
    triu, __triu_vjp, __triu_jvp [] where [S: Axis<-1> + Axis<-2>];
    forward |x, k| x.clone().triangle(true, k);
    pullback |ct, k| ct.clone().triangle(true, k);
}

#[rule]
impl<N: Dim, T: Elem, D: Backend> Tensor<(N,), T, D> {
    /// The matrix with this vector on its diagonal and zeros elsewhere.
    #[derivative(
        where T: Float;
        pull self => ct.diagonal(0, 1);
        push t.diag();
    )]
    #[track_caller]
    pub fn diag(&self) -> Tensor<(N, N), T, D> {
        let (n,) = self.shape();
        let dims = [n.size(), n.size()].into();
        Tensor::new((n, n), Raw::placed(self.raw(), dims, |l| l.diagonal(0, 1)))
    }
}

#[rule]
impl<N: Dim, T: Elem, D: Backend> Tensor<(N, N), T, D> {
    /// The diagonal of a square matrix. Shares the elements.
    ///
    /// Of a batch of matrices: `einsum!("bii->bi", &x)`.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        where T: Float;
        pull self => Raw::placed(ct, self.dims(), |l| l.diagonal(0, 1));
        push t.diagonal();
    )]
    #[track_caller]
    pub fn diagonal(&self) -> Tensor<(N,), T, D> {
        let (n, _) = self.shape();
        Tensor::new((n,), self.raw().diagonal(0, 1))
    }
}
