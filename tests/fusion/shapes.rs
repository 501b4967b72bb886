//! Regions of every rank, broadcast in every place, empty, and with numbers that are none.

use super::common::*;
use crate::points;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Rows);
dim!(Columns);

/// A region of an operand of each rank, a second of the same shape, and a number.
macro_rules! ranks {
    ($($test:ident $f64:ident $f32:ident [$($n:tt)*];)*) => { $(
        both! {
            fn $f64(x: &Tensor![f64; $($n)*], w: &Tensor![f64; $($n)*], k: f64) -> Tensor![f64;] {
                ((x * w + 0.5).tanh() * k - x.sin()).sum()
            }
            fn $f32(x: &Tensor![f32; $($n)*], w: &Tensor![f32; $($n)*], k: f32) -> Tensor![f32;] {
                ((x * w + 0.5).tanh() * k - x.sin()).sum()
            }
        }
        #[test]
        fn $test() {
            let (x, w) = (&points(Default::default(), 1), &points(Default::default(), 2));
            at_every_level!($f64(x, w, 0.7), 1e-13);
            at_every_level!($f32(&x.cast(), &w.cast(), 0.7), 1e-5);
            check_grads::<$f64::fused, _>(&(x.clone(), w.clone(), 0.7)).unwrap();
        }
    )* };
}
ranks! {
    rank_0 of_0 of_0_f32 [];
    rank_1 of_1 of_1_f32 [67];
    rank_2 of_2 of_2_f32 [3, 5];
    rank_3 of_3 of_3_f32 [2, 1, 7];
    rank_4 of_4 of_4_f32 [2, 3, 1, 5];
    rank_5 of_5 of_5_f32 [1, 2, 3, 2, 3];
    rank_6 of_6 of_6_f32 [2, 1, 3, 2, 1, 2];
    nothing of_nothing of_nothing_f32 [3, 0, 2];
}

both! {
    fn last(x: &Tensor![f64; Rows, Columns], b: &Tensor![f64; Columns]) -> Tensor![f64;] {
        ((x - b).square() * b).gelu().sum()
    }
    fn last_f32(x: &Tensor![f32; Rows, Columns], b: &Tensor![f32; Columns]) -> Tensor![f32;] {
        ((x - b).square() * b).gelu().sum()
    }
    fn first(x: &Tensor![f64; Rows, Columns], b: &Tensor![f64; Rows]) -> Tensor![f64;] {
        let t = x.transpose::<0, 1>();
        ((t * b).exp() + b).ln().sum()
    }
    fn number(x: &Tensor![f64; Rows, Columns], s: &Tensor![f64;]) -> Tensor![f64;] {
        ((x + s).softplus() * s).mean()
    }
    fn leading(x: &Tensor![f64; 2, 3, 4, 5], b: &Tensor![f64; 4, 5], c: &Tensor![f64; 5]) -> Tensor![f64;] {
        ((x * b).silu() + c * b).sum()
    }
    fn shorter(a: &Tensor![f64; 6], b: &Tensor![f64; 4, 6]) -> Tensor![f64;] {
        (a * b - a).erf().sum()
    }
    fn across(x: &Tensor![f64; 3, 130], c: &Tensor![f64; 3, 1]) -> Tensor![f64;] {
        let c = c.expand::<1, _>(Sz::<130>);
        ((x * &c).sigmoid() - &c).square().sum()
    }
    fn dense(x: &Tensor![f32; Rows, Columns], w: &Tensor![f32; Rows, Columns]) -> Tensor![f32;] {
        let y = (x * w).exp() / (x.abs() + 1.0) - w.relu();
        (y * x).sum()
    }
}

#[test]
fn broadcast_at_run_time() {
    for rows in [1, 2, 9] {
        for columns in [1, 3, 64, 65, 130] {
            let x = &points((Rows(rows), Columns(columns)), 1);
            let b = &points((Columns(columns),), 2);
            at_every_level!(last(x, b), 1e-12);
            at_every_level!(last_f32(&x.cast(), &b.cast()), 1e-4);
            at_every_level!(first(x, &points((Rows(rows),), 3)), 1e-12);
            at_every_level!(number(x, &points((), 4)), 1e-12);
            if columns < 10 {
                check_grads::<last::fused, _>(&(x.clone(), b.clone())).unwrap();
                check_grads::<number::fused, _>(&(x.clone(), points((), 4))).unwrap();
            }
        }
    }
}

/// More than one block, and more than one part, neither a whole number of vectors.
#[test]
fn many_elements() {
    for (rows, columns) in [(1, 16_384), (1, 16_385), (3, 40_003), (1, 263_001)] {
        let x = &points((Rows(rows), Columns(columns)), 1);
        let b = &points((Columns(columns),), 2);
        at_every_level!(last(x, b), 1e-11);
        at_every_level!(number(x, &points((), 4)), 1e-11);
    }
}

#[test]
fn broadcast_along_the_last() {
    let (x, c) = (
        &points(Default::default(), 1),
        &points(Default::default(), 2),
    );
    at_every_level!(across(x, c), 1e-12);
    check_grads::<across::fused, _>(&(x.clone(), c.clone())).unwrap();
}

#[test]
fn broadcast_in_the_leading() {
    let (x, b, c) = (
        &points(Default::default(), 1),
        &points(Default::default(), 2),
        &points(Default::default(), 3),
    );
    at_every_level!(leading(x, b, c), 1e-12);
    check_grads::<leading::fused, _>(&(x.clone(), b.clone(), c.clone())).unwrap();
    let (a, b) = (
        &points(Default::default(), 4),
        &points(Default::default(), 5),
    );
    at_every_level!(shorter(a, b), 1e-12);
    check_grads::<shorter::fused, _>(&(a.clone(), b.clone())).unwrap();
}

/// Sums of nothing are 0, the mean of nothing is NaN, and gradients have the sizes of the operands.
#[test]
fn empty_tensors() {
    for (rows, columns) in [(0, 5), (4, 0), (0, 0)] {
        let x = &points((Rows(rows), Columns(columns)), 1);
        let b = &points((Columns(columns),), 2);
        let found = at_every_level!(last(x, b), 0.0);
        assert_eq!(found, vec![0.0; 1 + columns]);
        let found = at_every_level!(first(x, &points((Rows(rows),), 3)), 0.0);
        assert_eq!(found, vec![0.0; 1 + rows]);
        let found = at_every_level!(number(x, &points((), 4)), 0.0);
        assert!(found[0].is_nan() && found.len() == 2);
    }
}

/// What is no number stays in its place, and gives what the operations alone give.
#[test]
fn infinite_and_no_numbers() {
    let special = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        f32::MAX,
        f32::MIN_POSITIVE,
        1e-45,
    ];
    for (i, a) in special.into_iter().enumerate() {
        for b in special {
            let (rows, columns) = (3, 43);
            let shape = (Rows(rows), Columns(columns));
            let mut x = points(shape, 1).cast::<f32>().to_vec();
            let mut w = points(shape, 2).cast::<f32>().to_vec();
            let at = i * 16;
            (x[at], w[at]) = (a, b);
            let x = &Tensor::from_vec_with(shape, x).unwrap();
            let w = &Tensor::from_vec_with(shape, w).unwrap();
            let found = at_every_level!(dense(x, w), 1e-4);
            let gradients = found[1..].iter().enumerate();
            for (k, d) in gradients.filter(|(k, _)| k % (rows * columns) != at) {
                assert!(d.is_finite(), "{a} and {b} at {at} reach {k}: {d}");
            }
            let row = &points((Columns(columns),), 3).cast();
            at_every_level!(last_f32(x, row), 1e-4);
        }
    }
}
