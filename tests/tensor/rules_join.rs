//! `concat concat_to split_at chunk stack`.

use crate::check::{between, check, finish, start};
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::prelude::*;

dim!(Batch, Time);

#[test]
fn concat() {
    macro_rules! at {
        ($i:literal, $a:expr, $b:expr) => {
            check(
                "concat",
                &(between($a, 1, -1.0, 1.0), between($b, 2, -1.0, 1.0)),
                |(a, b)| a.concat::<$i, _>(b),
                |(a, b), ct| {
                    let (y, pull) = a.__concat_vjp::<_, _, $i, _>((On, On), b);
                    let (mut da, mut db) = (a.zero_adj(On), b.zero_adj(On));
                    pull(ct, a, b, &mut da, &mut db);
                    (y, (finish(a, da), finish(b, db)))
                },
                |(a, b), (ta, tb)| a.__concat_jvp::<$i, _>(ta, b, tb),
            )
        };
    }
    at!(1, <shape![2, 3]>::default(), <shape![2, 4]>::default());
    at!(0, <shape![2, 3]>::default(), <shape![0, 3]>::default());
    at!(
        -1,
        (Batch(2), Sz::<3>, Sz::<1>),
        (Batch(2), Sz::<3>, Sz::<2>)
    );
}

#[test]
fn concat_to_a_run_time_size() {
    check(
        "concat_to",
        &(
            between((Time(2), Sz::<3>), 1, -1.0, 1.0),
            between((Sz::<1>, Sz::<3>), 2, -1.0, 1.0),
        ),
        |(a, b)| a.concat_to::<0, _, _>(b, Time(3)),
        |(a, b), ct| {
            let (y, pull) = a.__concat_to_vjp::<_, _, _, 0, _, _>((On, On, On), b, Time(3));
            let (mut da, mut db) = (a.zero_adj(On), b.zero_adj(On));
            pull(ct, a, b, &mut da, &mut db, &mut NoGrad);
            (y, (finish(a, da), finish(b, db)))
        },
        |(a, b), (ta, tb)| a.__concat_to_jvp::<0, _, _>(ta, b, tb, Time(3), ()),
    );
}

#[test]
#[should_panic(expected = "concat_to: dimension `Time` of axis 0 is 4, expected 2 + 1 = 3")]
fn concat_to_a_wrong_size() {
    let a: Tensor![Time, 3] = Tensor::zeros_with((Time(2), Sz));
    a.concat_to::<0, _, _>(&Tensor::<shape![1, 3]>::zeros(), Time(4));
}

#[test]
#[should_panic(
    expected = "concat: the run-time dimension `Batch` is 2 on the left, `Batch` is 3 on the right"
)]
fn concat_with_other_sizes() {
    let a: Tensor![Batch, 3] = Tensor::zeros_with((Batch(2), Sz));
    let b: Tensor![Batch, 3] = Tensor::zeros_with((Batch(3), Sz));
    a.concat::<1, _>(&b);
}

#[test]
fn split_at() {
    check(
        "split_at",
        &between((Batch(3), Sz::<5>), 1, -1.0, 1.0),
        |x| x.split_at::<1, 2>(),
        |x, ct| {
            let (y, pull) = x.__split_at_vjp::<_, 1, 2>((On,));
            let mut d = x.zero_adj(On);
            pull(ct, x, &mut d);
            (y, finish(x, d))
        },
        |x, t| x.__split_at_jvp::<1, 2>(t),
    );
}

#[test]
fn half_of_a_split_may_be_unused() {
    let x: Tensor![f64; 5] = tensor([1.0, 2.0, 3.0, 4.0, 5.0]);
    let ((a, b), pull) = x.__split_at_vjp::<_, 0, 2>((On,));
    let mut d = x.zero_adj(On);
    pull((a.zero_adj(On), start(Tensor::ones())), &x, &mut d);
    assert_eq!(finish(&x, d).to_vec(), [0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(
        (a.to_vec(), b.to_vec()),
        (vec![1.0, 2.0], vec![3.0, 4.0, 5.0])
    );
}

#[test]
fn chunk() {
    check(
        "chunk",
        &between((Sz::<6>, Batch(2)), 1, -1.0, 1.0),
        |x| x.chunk::<0, 3>(),
        |x, ct| {
            let (y, pull) = x.__chunk_vjp::<_, 0, 3>((On,));
            let mut d = x.zero_adj(On);
            pull(ct, x, &mut d);
            (y, finish(x, d))
        },
        |x, t| x.__chunk_jvp::<0, 3>(t),
    );
}

#[test]
fn stack() {
    let (a, b) = (tensor([1.0, 2.0, 3.0]), tensor([4.0, 5.0, 6.0]));
    let rows: Tensor![2, 3] = Tensor::stack::<0, 2>(&[a.clone(), b.clone()]);
    let columns: Tensor![3, 2] = Tensor::stack::<-1, 2>(&[a, b]);
    assert_eq!(rows.to_vec(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(columns, rows.transpose::<0, 1>());
}
