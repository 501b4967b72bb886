//! `flip roll slice_step repeat repeat_interleave tril triu diag diagonal`, `pad pad_reflect
//! pad_replicate`, `split concat_all`.

use crate::check::{between, check, finish};
use crate::method;
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::prelude::*;

dim!(Batch, Time);

type Seven = shape![2, 7];

fn seven() -> Tensor<Seven, f64> {
    between(Seven::default(), 1, -1.0, 1.0)
}

#[test]
fn flip() {
    method!(seven(), flip __flip_vjp __flip_jvp [1]);
    method!(seven().transpose::<0, 1>(), flip __flip_vjp __flip_jvp [0]);
    method!(between((Batch(3), Sz::<5>, Time(2)), 1, -1.0, 1.0), flip __flip_vjp __flip_jvp [1]);
    let x: Tensor![2, 3] = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(x.flip::<-1>().to_vec(), [3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
    assert_eq!(x.flip::<0>().to_vec(), [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
    assert_eq!(
        tensor([true, false, false]).flip::<0>().to_vec(),
        [false, false, true]
    );
    assert!(Tensor::<shape![2, 0]>::zeros().flip::<1>().is_empty());
}

/// Long enough that the rows are divided among threads.
#[test]
fn flip_of_much() {
    let x: Tensor![i64; 301, 1003] = Tensor::iota();
    let (last, first) = (x.flip::<1>(), x.flip::<0>());
    assert_eq!(
        (last[[7, 0]], last[[300, 1002]]),
        (7 * 1003 + 1002, 300 * 1003)
    );
    assert_eq!((first[[0, 5]], first[[300, 1002]]), (300 * 1003 + 5, 1002));
    assert_eq!(first.flip::<0>(), x);
    assert_eq!(last.flip::<1>(), x);
}

macro_rules! with_number {
    ($x:expr, $name:ident $vjp:ident $jvp:ident $k:literal [$($g:literal)?]) => {{
        check(
            stringify!($name),
            &$x,
            |x| x.$name$(::<$g>)?($k),
            |x, ct| {
                let (y, pull) = x.$vjp::<_, _ $(, $g)?>((On, On), $k);
                let mut d = x.zero_adj(On);
                pull(ct, x, &mut d, &mut NoGrad);
                (y, finish(x, d))
            },
            |x, t| x.$jvp$(::<$g>)?(t, $k, ()),
        )
    }};
}

#[test]
fn roll() {
    with_number!(seven(), roll __roll_vjp __roll_jvp 3 [1]);
    with_number!(seven(), roll __roll_vjp __roll_jvp -9 [1]);
    with_number!(between((Batch(3), Time(2)), 1, -1.0, 1.0), roll __roll_vjp __roll_jvp 4 [0]);
    let x: Tensor![3] = tensor([1.0, 2.0, 3.0]);
    assert_eq!(x.roll::<0>(1).to_vec(), [3.0, 1.0, 2.0]);
    assert_eq!(x.roll::<0>(-1).to_vec(), [2.0, 3.0, 1.0]);
    assert_eq!(
        x.roll::<0>(isize::MIN).to_vec(),
        x.roll::<0>((isize::MIN).rem_euclid(3)).to_vec()
    );
    assert!(Tensor::<shape![0]>::zeros().roll::<0>(5).is_empty());
}

#[test]
fn triangles() {
    for_each_k();
    let x: Tensor![2, 3] = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(x.tril(0).to_vec(), [1.0, 0.0, 0.0, 4.0, 5.0, 0.0]);
    assert_eq!(x.triu(0).to_vec(), [1.0, 2.0, 3.0, 0.0, 5.0, 6.0]);
    assert_eq!(x.tril(isize::MAX), x);
    assert_eq!(x.triu(isize::MIN), x);
    assert_eq!(x.tril(isize::MIN).sum().item(), 0.0);
    assert_eq!(x.triu(isize::MAX).sum().item(), 0.0);
    // What is cleared may be anything.
    let x: Tensor![2, 2] = tensor([[1.0, f32::NAN], [f32::INFINITY, 2.0]]);
    assert_eq!(x.tril(0).triu(0).to_vec(), [1.0, 0.0, 0.0, 2.0]);
}

fn for_each_k() {
    let x = between((Batch(2), Sz::<3>, Sz::<5>), 1, -1.0, 1.0);
    with_number!(x.clone(), tril __tril_vjp __tril_jvp 0 []);
    with_number!(x.clone(), tril __tril_vjp __tril_jvp -2 []);
    with_number!(x.clone(), triu __triu_vjp __triu_jvp 1 []);
    with_number!(x.transpose::<-1, -2>(), triu __triu_vjp __triu_jvp -1 []);
    for k in -4..=6 {
        let (low, high) = (x.tril(k), x.triu(k));
        for (i, j) in (0..3).flat_map(|i| (0..5).map(move |j| (i, j))) {
            let (below, above) = (j as isize - i as isize <= k, j as isize - i as isize >= k);
            let expected = x[[1, i, j]];
            assert_eq!(
                low[[1, i, j]],
                if below { expected } else { 0.0 },
                "tril {k} {i} {j}"
            );
            assert_eq!(
                high[[1, i, j]],
                if above { expected } else { 0.0 },
                "triu {k} {i} {j}"
            );
        }
    }
}

#[test]
fn slice_step() {
    method!(seven(), slice_step __slice_step_vjp __slice_step_jvp [1, 1, 7, 2]);
    method!(seven(), slice_step __slice_step_vjp __slice_step_jvp [1, 0, 7, 3]);
    method!(seven(), slice_step __slice_step_vjp __slice_step_jvp [0, 0, 2, 9]);
    method!(between((Batch(5), Time(2)), 1, -1.0, 1.0), slice_step __slice_step_vjp __slice_step_jvp [0, 1, 5, 2]);
    let x: Tensor![9] = Tensor::iota();
    let y: Tensor![4] = x.slice_step::<0, 1, 8, 2>();
    assert_eq!(y.to_vec(), [1.0, 3.0, 5.0, 7.0]);
    assert_eq!(y.slice_step::<0, 0, 4, 2>().to_vec(), [1.0, 5.0]);
    assert_eq!((&y + &y).to_vec(), [2.0, 6.0, 10.0, 14.0]);
}

#[test]
#[should_panic(expected = "0..0+4 is not within axis 0 of size 3")]
fn slice_step_beyond_the_end() {
    Tensor::<shape![Batch]>::zeros_with((Batch(3),)).slice_step::<0, 0, 4, 2>();
}

#[test]
fn repeat() {
    method!(seven(), repeat __repeat_vjp __repeat_jvp [1, 3]);
    method!(seven(), repeat __repeat_vjp __repeat_jvp [0, 2]);
    method!(seven(), repeat __repeat_vjp __repeat_jvp [0, 1]);
    method!(seven(), repeat_interleave __repeat_interleave_vjp __repeat_interleave_jvp [1, 3]);
    method!(
        between((Batch(2), Sz::<3>, Time(2)), 1, -1.0, 1.0),
        repeat_interleave __repeat_interleave_vjp __repeat_interleave_jvp [1, 2]
    );
    // No room for another axis.
    method!(between(<shape![1, 2, 1, 2, 1, 2]>::default(), 1, -1.0, 1.0), repeat __repeat_vjp __repeat_jvp [3, 2]);
    let x: Tensor![2] = tensor([1.0, 2.0]);
    let y: Tensor![6] = x.repeat::<0, 3>();
    assert_eq!(y.to_vec(), [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
    assert_eq!(x.repeat_interleave::<0, 2>().to_vec(), [1.0, 1.0, 2.0, 2.0]);
}

#[test]
fn diagonals() {
    method!(between((Batch(3),), 1, -1.0, 1.0), diag __diag_vjp __diag_jvp []);
    method!(between((Batch(3), Batch(3)), 1, -1.0, 1.0), diagonal __diagonal_vjp __diagonal_jvp []);
    method!(between(<shape![1, 1]>::default(), 1, -1.0, 1.0), diagonal __diagonal_vjp __diagonal_jvp []);
    let x: Tensor![2, 2] = tensor([[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(x.diagonal().to_vec(), [1.0, 4.0]);
    assert_eq!(x.diagonal().diag().to_vec(), [1.0, 0.0, 0.0, 4.0]);
}

#[test]
fn padding() {
    macro_rules! reflect {
        ($x:expr, [$($g:literal),*]) => {
            method!($x, pad_reflect __pad_reflect_vjp __pad_reflect_jvp [$($g),*]);
            method!($x, pad_replicate __pad_replicate_vjp __pad_replicate_jvp [$($g),*]);
        };
    }
    reflect!(seven(), [1, 6, 3]);
    reflect!(seven(), [0, 0, 1]);
    reflect!(
        between((Batch(2), Sz::<3>, Time(2)), 1, -1.0, 1.0),
        [1, 2, 2]
    );
    let x: Tensor![3] = tensor([1.0, 2.0, 3.0]);
    assert_eq!(
        x.pad_reflect::<0, 2, 2>().to_vec(),
        [3.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0]
    );
    assert_eq!(
        x.pad_replicate::<0, 2, 1>().to_vec(),
        [1.0, 1.0, 1.0, 2.0, 3.0, 3.0]
    );
    let x: Tensor![1, 2] = tensor([[1.0, 2.0]]);
    let y: Tensor![1, 5] = x.pad::<1, 1, 2>(f32::NEG_INFINITY);
    assert_eq!(y.to_vec()[1..3], [1.0, 2.0]);
    assert_eq!(y.to_vec()[3..], [f32::NEG_INFINITY; 2]);
    // One entry alone can be repeated any number of times, and mirrored not at all.
    let one: Tensor![1] = tensor([7.0]);
    assert_eq!(one.pad_replicate::<0, 2, 3>().to_vec(), [7.0; 6]);
    assert_eq!(one.pad_reflect::<0, 0, 0>(), one);
}

#[test]
fn pad() {
    check(
        "pad",
        &(between((Batch(2), Sz::<3>), 1, -1.0, 1.0), 0.5),
        |(x, v)| x.pad::<1, 2, 1>(*v),
        |(x, v), ct| {
            let (y, pull) = x.__pad_vjp::<_, _, 1, 2, 1>((On, On), *v);
            let (mut d, mut d_v) = (x.zero_adj(On), v.zero_adj(On));
            pull(ct, x, &mut d, &mut d_v);
            (y, (finish(x, d), d_v))
        },
        |(x, v), (t, t_v)| x.__pad_jvp::<1, 2, 1>(t, *v, *t_v),
    );
}

#[test]
fn split() {
    check(
        "split",
        &between((Batch(3), Sz::<6>), 1, -1.0, 1.0),
        |x| x.split::<1, shape![2, 1, 3]>(),
        |x, ct| {
            let (y, pull) = x.__split_vjp::<_, 1, shape![2, 1, 3]>((On,));
            let mut d = x.zero_adj(On);
            pull(ct, x, &mut d);
            (y, finish(x, d))
        },
        |x, t| x.__split_jvp::<1, shape![2, 1, 3]>(t),
    );
    let x: Tensor![4] = tensor([1.0, 2.0, 3.0, 4.0]);
    let (a, none, b) = x.split::<0, shape![3, 0, 1]>();
    assert_eq!(
        (a.to_vec(), none.len(), b.to_vec()),
        (vec![1.0, 2.0, 3.0], 0, vec![4.0])
    );
}

#[test]
#[should_panic(expected = "split: the parts have 4 entries, the axis 5")]
fn split_of_a_run_time_axis() {
    Tensor::<shape![Batch]>::zeros_with((Batch(5),)).split::<0, shape![2, 2]>();
}

#[test]
fn concat_all() {
    let part = |seed| between((Batch(2), Sz::<3>), seed, -1.0, 1.0);
    check(
        "concat_all",
        &[part(1), part(2), part(3)],
        Tensor::concat_all::<1, 3>,
        |x, ct| {
            let (y, pull) = Tensor::__concat_all_vjp::<_, 1, 3>((On,), x);
            let mut d = x.each_ref().map(|x| x.zero_adj(On));
            pull(ct, x, &mut d);
            let mut parts = x.iter().zip(d);
            (
                y,
                core::array::from_fn(|_| parts.next().map(|(x, d)| finish(x, d)).unwrap()),
            )
        },
        Tensor::__concat_all_jvp::<1, 3>,
    );
    let row: Tensor![1, 2] = tensor([[1.0, 2.0]]);
    let rows: Tensor![2, 2] = Tensor::concat_all::<0, 2>(&[row.clone(), &row * 2.0]);
    assert_eq!(rows.to_vec(), [1.0, 2.0, 2.0, 4.0]);
}
