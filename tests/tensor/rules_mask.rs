//! Masks: comparisons, `select`, `masked_fill`, logic, `any`, `all`, `count`, `cast`.

use crate::check::{between, finish, start};
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::prelude::*;

dim!(Batch);

#[test]
fn comparisons() {
    let x: Tensor![f64; 4] = tensor([1.0, 2.0, f64::NAN, -0.0]);
    let y: Tensor![f64; 4] = tensor([1.0, 3.0, 0.0, 0.0]);
    assert_eq!(x.gt(&y).to_vec(), [false, false, false, false]);
    assert_eq!(x.ge(&y).to_vec(), [true, false, false, true]);
    assert_eq!(x.lt(&y).to_vec(), [false, true, false, false]);
    assert_eq!(x.le(&y).to_vec(), [true, true, false, true]);
    assert_eq!(x.eq(&y).to_vec(), [true, false, false, true]);
    assert_eq!(x.ne(&y).to_vec(), [false, true, true, false]);
    assert_eq!(x.gt(1.5).to_vec(), [false, true, false, false]);
    let ids: Tensor![i64; 3] = tensor([1, 2, 3]);
    assert_eq!(ids.eq(2).to_vec(), [false, true, false]);
    let single: Tensor![2] = tensor([1.0, 2.0]);
    assert_eq!(single.lt(1.5).to_vec(), [true, false]);
}

#[test]
fn comparisons_broadcast() {
    let x = Tensor::<_, f64>::iota_with((Batch(2), Sz::<3>));
    let row: Tensor![f64; 3] = tensor([0.0, 2.0, 4.0]);
    let mask: Tensor![bool; Batch, 3] = x.gt(&row);
    assert_eq!(mask.to_vec(), [false, false, false, true, true, true]);
    assert_eq!(row.lt(&x), mask);
    let columns = Tensor::<shape![3, 17], f64>::iota().transpose::<0, 1>();
    let expected: Vec<bool> = columns.to_vec().iter().map(|&x| x > 20.0).collect();
    assert_eq!(columns.gt(20.0).to_vec(), expected);
}

#[test]
#[should_panic(
    expected = "gt: the run-time dimension `Batch` is 2 on the left, `Batch` is 3 on the right"
)]
fn comparison_of_different_batches() {
    let (x, y) = (
        Tensor::<_, f64>::zeros_with((Batch(2),)),
        Tensor::<_, f64>::zeros_with((Batch(3),)),
    );
    x.gt(&y);
}

#[test]
fn logic() {
    let a: Tensor![bool; 4] = tensor([false, false, true, true]);
    let b: Tensor![bool; 4] = tensor([false, true, false, true]);
    assert_eq!(a.logical_and(&b).to_vec(), [false, false, false, true]);
    assert_eq!(a.logical_or(&b).to_vec(), [false, true, true, true]);
    assert_eq!(a.logical_xor(&b).to_vec(), [false, true, true, false]);
    assert_eq!(a.logical_not().to_vec(), [true, true, false, false]);
    let rows: Tensor![bool; 2, 4] = Tensor::full(true);
    assert_eq!(
        rows.logical_and(&b).to_vec(),
        [b.to_vec(), b.to_vec()].concat()
    );
}

#[test]
fn any_all_count() {
    let m: Tensor![bool; 2, 3] = tensor([[true, false, true], [true, false, false]]);
    assert_eq!(m.count().item(), 3);
    assert_eq!(m.count_axis::<1>().to_vec(), [2, 1]);
    assert_eq!(m.count_axis::<0>().to_vec(), [2, 0, 1]);
    assert_eq!(m.any_axis::<0>().to_vec(), [true, false, true]);
    assert_eq!(m.all_axis::<0>().to_vec(), [true, false, false]);
    assert_eq!(m.any_axis::<-1>().to_vec(), [true, true]);
    assert!(m.any().item() && !m.all().item());
    let none = Tensor::<_, bool>::zeros_with((Batch(0), Sz::<2>));
    assert!(!none.any().item() && none.all().item());
    assert_eq!(none.all_axis::<0>().to_vec(), [true, true]);
    assert_eq!(none.count_axis::<1>().len(), 0);
    // More than one block, and not a multiple of one.
    let n = 200_001;
    let many = Tensor::<_, bool>::from_fn_with((Batch(n),), |i| i % 3 == 0);
    assert_eq!(many.count().item(), n.div_ceil(3) as i64);
}

#[test]
fn what_is_not_chosen_gets_nothing_even_if_it_is_not_finite() {
    let x: Tensor![f64; 3] = tensor([1.0, 2.0, 3.0]);
    let y: Tensor![f64; 3] = tensor([f64::NAN, f64::INFINITY, 5.0]);
    let mask = y.lt(10.0).logical_not();
    let (out, pull) = mask.__select_vjp::<differentiable::__rt::Off, _, _, _, _, _>(
        (Default::default(), On, On),
        &x,
        &y,
    );
    assert_eq!(out.to_vec(), [1.0, 2.0, 5.0]);
    let (mut dx, mut dy) = (x.zero_adj(On), y.zero_adj(On));
    pull(
        start(tensor([f64::INFINITY, 7.0, 8.0])),
        &mask,
        &x,
        &y,
        &mut NoGrad,
        &mut dx,
        &mut dy,
    );
    assert_eq!(finish(&x, dx).to_vec(), [f64::INFINITY, 7.0, 0.0]);
    assert_eq!(finish(&y, dy).to_vec(), [0.0, 0.0, 8.0]);
}

#[test]
fn fills_with_minus_infinity() {
    #[differentiable]
    fn attention(
        x: &Tensor![f64; Batch, 3],
        mask: &Tensor![bool; Batch, 3],
    ) -> Tensor![f64; Batch, 3] {
        x.masked_fill(mask, f64::NEG_INFINITY).softmax::<-1>()
    }
    let x = between((Batch(2), Sz::<3>), 1, -1.0, 1.0);
    let mask =
        Tensor::from_slice_with((Batch(2), Sz), &[false, true, false, true, false, true]).unwrap();
    let (y, pull) = attention::vjp(&x, &mask);
    assert_eq!(y.at([1, 1]), 1.0);
    assert_eq!(y.at([0, 1]), 0.0);
    let d = pull(Tensor::<_, f64>::iota_with((Batch(2), Sz)));
    assert!(d.to_vec().iter().all(|d| d.is_finite()));
    assert_eq!(d.at([1, 0]), 0.0);
}

#[test]
fn masks_of_many_shapes() {
    for n in [1, 2, 31, 257, 40_000] {
        let x = between((Batch(n), Sz::<3>), 1, -1.0, 1.0);
        let y = x.gt(0.0).select(&x, &tensor(0.0));
        assert_eq!(y, x.relu());
        assert_eq!(x.masked_fill(&x.le(0.0), 0.0), y);
    }
}

#[test]
fn casts() {
    let x: Tensor![f64; 4] = tensor([-1.9, 0.0, 2.5, f64::NAN]);
    assert_eq!(x.cast::<i64>().to_vec(), [-1, 0, 2, 0]);
    assert_eq!(x.cast::<bool>().to_vec(), [true, false, true, true]);
    assert_eq!(x.gt(0.0).cast::<f32>().to_vec(), [0.0, 0.0, 1.0, 0.0]);
    #[differentiable]
    fn through_single_precision(x: &Tensor![f64; 2]) -> Tensor![f64;] {
        let y: Tensor![2] = x.cast::<f32>();
        (&y * &y).cast::<f64>().sum()
    }
    assert_eq!(
        through_single_precision::grad(&tensor([1.5, -2.0])).to_vec(),
        [3.0, -4.0]
    );
}
