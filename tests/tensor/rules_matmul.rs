//! Matrix products of every kind.

use crate::check::{between, check, finish, start};
use differentiable::__rt::{Differentiable, NoGrad, Off, On};
use differentiable::prelude::*;

dim!(Batch, Time);

macro_rules! product {
    ($a:expr, $b:expr) => {
        check(
            "matmul",
            &(between($a, 1, -1.0, 1.0), between($b, 2, -1.0, 1.0)),
            |(a, b)| a.matmul(b),
            |(a, b), ct| {
                let (y, pull) = a.__matmul_vjp((On, On), b);
                let (mut da, mut db) = (a.zero_adj(On), b.zero_adj(On));
                pull(ct, a, b, &mut da, &mut db);
                (y, (finish(a, da), finish(b, db)))
            },
            |(a, b), (ta, tb)| a.__matmul_jvp(ta, b, tb),
        )
    };
}

#[test]
fn matrices() {
    product!(<shape![3, 5]>::default(), <shape![5, 4]>::default());
    product!(<shape![1, 1]>::default(), <shape![1, 1]>::default());
    product!(<shape![17, 33]>::default(), <shape![33, 7]>::default());
    product!((Batch(3), Sz::<5>), <shape![5, 2]>::default());
    product!((Sz::<4>, Time(3)), (Time(3), Sz::<2>));
}

#[test]
fn empty() {
    product!((Batch(0), Sz::<5>), <shape![5, 2]>::default());
    product!((Sz::<3>, Time(0)), (Time(0), Sz::<2>));
}

#[test]
fn vectors() {
    product!(<shape![5]>::default(), <shape![5, 4]>::default());
    product!(<shape![3, 5]>::default(), <shape![5]>::default());
    product!((Batch(3), Sz::<5>), <shape![5]>::default());
}

#[test]
fn batches() {
    product!(<shape![2, 3, 4]>::default(), <shape![2, 4, 5]>::default());
    product!(<shape![2, 3, 4]>::default(), <shape![4, 5]>::default());
    product!(
        (Batch(2), Sz::<2>, Time(3), Sz::<4>),
        (Batch(2), Sz::<2>, Sz::<4>, Time(3))
    );
    product!(
        (Batch(2), Sz::<2>, Time(3), Sz::<4>),
        <shape![4, 5]>::default()
    );
}

#[test]
fn inactive_operands_do_no_work() {
    let (a, b) = (
        between(<shape![2, 3]>::default(), 1, 0.0, 1.0),
        between(<shape![3, 4]>::default(), 2, 0.0, 1.0),
    );
    let (_, pull) = a.__matmul_vjp((Off, On), &b);
    let mut db = b.zero_adj(On);
    pull(start(Tensor::ones()), &a, &b, &mut NoGrad, &mut db);
    let ones: Tensor![f64; 2, 4] = Tensor::ones();
    let expected = a.transpose::<0, 1>().matmul(&ones);
    assert_eq!(finish(&b, db), expected);
}

#[test]
fn values() {
    let a: Tensor![2, 2] = tensor([[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(a.matmul(&a).to_vec(), [7.0, 10.0, 15.0, 22.0]);
    assert_eq!(a.matmul(&tensor([1.0, -1.0])).to_vec(), [-1.0, -1.0]);
    assert_eq!(tensor([1.0, -1.0]).matmul(&a).to_vec(), [-2.0, -2.0]);
}

#[test]
fn run_time_sizes_that_differ() {
    let a: Tensor![Batch, Time] = Tensor::zeros_with((Batch(2), Time(3)));
    let b: Tensor![Time, 4] = Tensor::zeros_with((Time(5), Sz));
    let e = a.try_matmul(&b).unwrap_err();
    assert_eq!(
        e,
        ShapeError::Dimension {
            left: "Time",
            left_size: 3,
            right: "Time",
            right_size: 5
        }
    );
    assert_eq!(
        e.to_string(),
        "the run-time dimension `Time` is 3 on the left, `Time` is 5 on the right"
    );
}
