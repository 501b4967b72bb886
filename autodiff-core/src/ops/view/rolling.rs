//! Windows along one axis: `unfold`.
//!
//! `y[.., i, .., k] = x[.., i·step + k, ..]`: a view, which copies nothing. The pullback sums what overlaps,
//! `d[j] = Σ c[i, k]` over `i·step + k = j`; entries behind the last window get 0.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Dims, Elem, Float, Images, Windows};
use crate::ops::rule::linear;
use crate::ops::view::rearrange::around;
use crate::shape::{Axis, Insert, Shape, Slide, Sz, Win};
use crate::tensor::{Raw, Tensor};

type Count<S, const I: isize, const SIZE: usize, const STEP: usize> =
    <<S as Axis<I>>::Dim as Slide<Sz<SIZE>, Win<STEP>>>::Out;
type Counted<S, const I: isize, const SIZE: usize, const STEP: usize> =
    <S as Axis<I>>::With<Count<S, I, SIZE, STEP>>;

linear! { Elem on Images;
    /// The windows of `SIZE` entries along axis `I`, each `STEP` after the last: that axis counts the
    /// windows, and a new last axis their entries. Shares the elements.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// let x: Tensor![5] = tensor([1.0, 2.0, 3.0, 4.0, 5.0]);
    /// let y: Tensor![2, 3] = x.unfold::<0, 3, 2>();
    /// assert_eq!(y, tensor([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]));
    /// ```
    ///
    /// # Panics
    /// If no window fits a run-time axis.
    unfold, __unfold_vjp, __unfold_jvp [const I: isize, const SIZE: usize, const STEP: usize]
        -> [<Counted<S, I, SIZE, STEP> as Insert<-1>>::Out<Sz<SIZE>>]
        where [S: Axis<I>, <S as Axis<I>>::Dim: Slide<Sz<SIZE>, Win<STEP>>, Counted<S, I, SIZE, STEP>: Insert<-1>];
    shape |s| {
        const { assert!(SIZE > 0 && STEP > 0, "a window has entries, and moves") };
        let count = Slide::<Sz<SIZE>, Win<STEP>>::slide(Axis::<I>::axis(s));
        Insert::<-1>::insert(Axis::<I>::with(s, count), Sz::<SIZE>)
    };
    forward |x, _| x.windows(<S as Axis<I>>::INDEX, SIZE, STEP);
    pullback |ct, dims| folded(ct, dims, <S as Axis<I>>::INDEX, SIZE, STEP);
}

/// The sum of overlapping windows, whose entries are the last axis of `ct`.
#[track_caller]
fn folded<T: Float, D: Images>(
    ct: &Raw<T, D>,
    dims: Dims,
    axis: usize,
    size: usize,
    step: usize,
) -> Raw<T, D> {
    let [outer, n, inner] = around(&dims, axis);
    let count = ct.dims()[axis];
    // As images of `n` rows, whose windows are `size` rows high.
    let matrix = ct
        .reshape([outer, count * inner, size])
        .transpose(1, 2)
        .contiguous();
    let windows = Windows {
        size: [1, size, 1],
        stride: [1, step, 1],
        pad: [0; 3],
        dilation: [1; 3],
    };
    matrix
        .fold_windows(&Dims::new(&[outer, 1, n, inner]), windows)
        .into_reshaped(dims)
}
