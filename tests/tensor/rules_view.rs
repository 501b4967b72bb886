//! Operations that rearrange axes.

use crate::check::{between, check, finish};
use crate::method;
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::prelude::*;

dim!(Batch, Time);

#[test]
fn transpose_and_permute() {
    let x = between(<shape![2, 3, 5]>::default(), 1, -1.0, 1.0);
    method!(x, transpose __transpose_vjp __transpose_jvp [0, 1]);
    method!(x, transpose __transpose_vjp __transpose_jvp [-1, -3]);
    method!(x, permute __permute_vjp __permute_jvp [2, 0, 1]);
    let x = between((Batch(2), Sz::<3>, Time(0), Sz::<4>), 1, -1.0, 1.0);
    method!(x, permute __permute_vjp __permute_jvp [2, 0, 3, 1]);
    let x = between(<shape![1, 2, 3, 4, 2, 3]>::default(), 1, -1.0, 1.0);
    method!(x, permute __permute_vjp __permute_jvp [1, 3, 5, 0, 2, 4]);
    let y: Tensor![f64; 2, 4, 3, 1, 3, 2] = x.permute::<1, 3, 5, 0, 2, 4>();
    assert_eq!(y.get([1, 2, 0, 0, 1, 1]), x.get([0, 1, 1, 2, 1, 0]));
}

#[test]
fn regrouping() {
    let x = between(<shape![2, 3, 6]>::default(), 1, -1.0, 1.0);
    method!(x, flatten __flatten_vjp __flatten_jvp []);
    method!(x, merge_last __merge_last_vjp __merge_last_jvp []);
    method!(x, split_last __split_last_vjp __split_last_jvp [2]);
    method!(x, unsqueeze __unsqueeze_vjp __unsqueeze_jvp [0]);
    method!(x, unsqueeze __unsqueeze_vjp __unsqueeze_jvp [-1]);
    let x = x.transpose::<0, 1>();
    method!(x, flatten __flatten_vjp __flatten_jvp []);
    method!(x, merge_last __merge_last_vjp __merge_last_jvp []);
    let x = between((Batch(2), Sz::<1>, Sz::<5>), 1, -1.0, 1.0);
    method!(x, squeeze __squeeze_vjp __squeeze_jvp [1]);
    method!(x, flatten __flatten_vjp __flatten_jvp []);
}

#[test]
fn slices() {
    let x = between((Batch(2), Sz::<5>), 1, -1.0, 1.0);
    method!(x, slice __slice_vjp __slice_jvp [1, 1, 3]);
    method!(x, slice __slice_vjp __slice_jvp [-1, 0, 5]);
    method!(x, slice __slice_vjp __slice_jvp [-1, 5, 0]);
    method!(x, slice __slice_vjp __slice_jvp [0, 1, 1]);
    assert_eq!(x.slice::<1, 1, 3>().get([1, 0]), x.get([1, 1]));
}

#[test]
fn reshape() {
    check(
        "reshape",
        &between((Batch(2), Sz::<6>, Time(3)), 1, -1.0, 1.0).permute::<0, 1, 2>(),
        |x| x.reshape::<shape![2, Batch, 3, Time]>(),
        |x, ct| {
            let (y, pull) = x.__reshape_vjp::<_, shape![2, Batch, 3, Time]>((On,));
            let mut d = x.zero_adj(On);
            pull(ct, x, &mut d);
            (y, finish(x, d))
        },
        |x, t| x.__reshape_jvp(t),
    );
}

#[test]
fn expand() {
    check(
        "expand",
        &between((Sz::<3>, Sz::<1>, Sz::<2>), 1, -1.0, 1.0),
        |x| x.expand::<1, _>(Batch(4)),
        |x, ct| {
            let (y, pull) = x.__expand_vjp::<_, _, 1, _>((On, On), Batch(4));
            let mut d = x.zero_adj(On);
            pull(ct, x, &mut d, &mut NoGrad);
            (y, finish(x, d))
        },
        |x, t| x.__expand_jvp::<1, _>(t, Batch(4), ()),
    );
}

#[test]
fn narrow() {
    check(
        "narrow",
        &between((Batch(7), Sz::<2>), 1, -1.0, 1.0),
        |x| x.narrow::<0, _>(2, Batch(4)),
        |x, ct| {
            let (y, pull) = x.__narrow_vjp::<_, _, _, 0, _>((On, On, On), 2, Batch(4));
            let mut d = x.zero_adj(On);
            pull(ct, x, &mut d, &mut NoGrad, &mut NoGrad);
            (y, finish(x, d))
        },
        |x, t| x.__narrow_jvp::<0, _>(t, 2, (), Batch(4), ()),
    );
}

#[test]
#[should_panic(
    expected = "narrow: 2 entries from 2 on were asked for along axis 0, but dimension `Batch` is 3"
)]
fn narrow_beyond_the_end() {
    let x: Tensor![Batch, 2] = Tensor::zeros_with((Batch(3), Sz));
    x.narrow::<0, _>(2, Batch(2));
}

#[test]
#[should_panic(
    expected = "slice: 4 entries from 2 on were asked for along axis 0, but dimension `Batch` is 3"
)]
fn a_slice_beyond_the_end() {
    let x: Tensor![Batch, 2] = Tensor::zeros_with((Batch(3), Sz));
    x.slice::<0, 2, 4>();
}

#[test]
#[should_panic(
    expected = "dot: the run-time dimension `Batch` is 3 on the left, `Batch` is 4 on the right"
)]
fn a_dot_of_other_sizes() {
    let of = |n| Tensor::<(Batch,), f64>::zeros_with((Batch(n),));
    let _ = of(3).dot(&of(4));
}
