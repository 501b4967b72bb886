//! Tensors of integers, and the operators of masks.

use differentiable::prelude::*;

dim!(Batch);

#[test]
fn arithmetic_of_integers() {
    let x: Tensor![i64; 2, 3] = tensor([[1, -2, 3], [7, 8, -9]]);
    let y: Tensor![i64; 3] = tensor([2, 3, -4]);
    assert_eq!((&x + &y).to_vec(), [3, 1, -1, 9, 11, -13]);
    assert_eq!((&x - &y).to_vec(), [-1, -5, 7, 5, 5, -5]);
    assert_eq!((&x * &y).to_vec(), [2, -6, -12, 14, 24, 36]);
    assert_eq!((&x / &y).to_vec(), [0, 0, 0, 3, 2, 2]);
    assert_eq!((&x % &y).to_vec(), [1, -2, 3, 1, 2, -1]);
    assert_eq!(
        (x.clone() * 2 + 1 - y.clone()).to_vec(),
        [1, -6, 11, 13, 14, -13]
    );
    assert_eq!((-&x).to_vec(), [-1, 2, -3, -7, -8, 9]);
    assert_eq!((-x.clone()).maximum(&x).to_vec(), [1, 2, 3, 7, 8, 9]);
    assert_eq!(y.minimum(&x).to_vec(), [1, -2, -4, 2, 3, -9]);
    let columns = x.transpose::<0, 1>() % 4;
    assert_eq!(columns.to_vec(), [1, 3, -2, 0, 3, -1]);
}

#[test]
fn small_integers_wrap_and_sums_do_not() {
    let x: Tensor![u8; 3] = tensor([200, 100, 255]);
    assert_eq!((&x + 100).to_vec(), [44, 200, 99]);
    assert_eq!((&x - &x).to_vec(), [0; 3]);
    assert_eq!(x.sum().item(), 555);
    assert_eq!((x.max().item(), x.min().item()), (255, 100));
    let y: Tensor![u32; 2] = tensor([u32::MAX, 1]);
    assert_eq!((&y * 2).to_vec(), [u32::MAX - 1, 2]);
    assert_eq!(y.sum().item(), 1 + i64::from(u32::MAX));
    let z: Tensor![i64; 2] = tensor([i64::MAX, 1]);
    assert_eq!(z.sum().item(), i64::MIN);
}

#[test]
fn reductions_of_integers() {
    let x: Tensor<(Batch, Sz<3>, Sz<2>), i64> =
        Tensor::from_fn_with((Batch(5), Sz, Sz), |i| (i as i64 * 7) % 11 - 5);
    let floats = x.cast::<f64>();
    assert_eq!(x.sum_axis::<1>(), floats.sum_axis::<1>().cast::<i64>());
    assert_eq!(x.sum_axis::<-1>(), floats.sum_axis::<2>().cast::<i64>());
    assert_eq!(x.max_axis::<0>(), floats.max_axis::<0>().cast::<i64>());
    assert_eq!(x.min_axis::<2>(), floats.min_axis::<2>().cast::<i64>());
    assert_eq!(x.sum().item(), floats.sum().item() as i64);
    assert_eq!(
        x.transpose::<0, 2>().max().item(),
        floats.max().item() as i64
    );
    let none: Tensor<(Batch, Sz<2>), i64> = Tensor::zeros_with((Batch(0), Sz));
    assert_eq!(none.sum_axis::<0>().to_vec(), [0, 0]);
    assert_eq!(none.sum().item(), 0);
}

#[test]
#[should_panic(expected = "max and min need at least one element")]
fn no_integer_is_the_largest_of_none() {
    let none: Tensor<(Batch, Sz<2>), i64> = Tensor::zeros_with((Batch(0), Sz));
    none.max_axis::<0>();
}

#[test]
#[should_panic(
    expected = "+: the run-time dimension `Batch` is 2 on the left, `Batch` is 3 on the right"
)]
fn integers_of_different_sizes() {
    let x: Tensor<(Batch,), i64> = Tensor::zeros_with((Batch(2),));
    let y: Tensor<(Batch,), i64> = Tensor::zeros_with((Batch(3),));
    let _ = x + y;
}

#[test]
#[should_panic(expected = "divide by zero")]
fn integers_by_zero() {
    let x: Tensor![i64; 2] = tensor([1, 2]);
    (x / 0).to_vec(); // a device may work when it is read
}

#[test]
fn operators_of_masks() {
    let a: Tensor![bool; 2, 2] = tensor([[true, true], [false, false]]);
    let b: Tensor![bool; 2] = tensor([true, false]);
    assert_eq!((&a & &b).to_vec(), [true, false, false, false]);
    assert_eq!((&a | b.clone()).to_vec(), [true, true, true, false]);
    assert_eq!((a.clone() ^ &b).to_vec(), [false, true, true, false]);
    assert_eq!((!&a).to_vec(), [false, false, true, true]);
    assert_eq!(!(a.clone() & !a.clone()), a.clone() | !a);
}

#[test]
fn integers_and_masks_inside_a_differentiable_function() {
    #[differentiable]
    fn f(x: &Tensor![f64; 4], ids: &Tensor![i64; 2]) -> f64 {
        let shifted = ids + 1;
        let picked = x.index_select::<0, _, _>(&(&shifted % 4));
        let inside = x.gt(0.0) & !x.gt(2.0);
        let kept = x.masked_fill(&!&inside, 0.0);
        picked.sum().item() * kept.sum().item()
    }
    let x = tensor([1.0, 3.0, -1.0, 0.5]);
    let d = f::grad(&x, &tensor([3, 0]));
    assert_eq!(d.to_vec(), [1.5 + 4.0, 1.5, 0.0, 4.0]);
}
