//! `sum mean max min softmax` and the losses.

use crate::check::{between, check, finish, start};
use crate::method;
use differentiable::__rt::{Differentiable, On};
use differentiable::prelude::*;

dim!(Batch);

macro_rules! reductions {
    ($x:expr) => {{
        let x = $x;
        method!(x, sum __sum_vjp __sum_jvp []);
        method!(x, sum_axis __sum_axis_vjp __sum_axis_jvp [0]);
        method!(x, sum_axis __sum_axis_vjp __sum_axis_jvp [-1]);
        method!(x, mean_axis __mean_axis_vjp __mean_axis_jvp [1]);
        method!(x, sum_axis_keepdim __sum_axis_keepdim_vjp __sum_axis_keepdim_jvp [1]);
        method!(x, mean_axis_keepdim __mean_axis_keepdim_vjp __mean_axis_keepdim_jvp [0]);
        method!(x, softmax __softmax_vjp __softmax_jvp [-1]);
        method!(x, softmax __softmax_vjp __softmax_jvp [0]);
        method!(x, log_softmax __log_softmax_vjp __log_softmax_jvp [-1]);
        method!(x, log_softmax __log_softmax_vjp __log_softmax_jvp [1]);
    }};
}
macro_rules! means_and_extremes {
    ($x:expr) => {{
        let x = $x;
        method!(x, mean __mean_vjp __mean_jvp []);
        method!(x, max __max_vjp __max_jvp []);
        method!(x, min __min_vjp __min_jvp []);
        method!(x, max_axis __max_axis_vjp __max_axis_jvp [1]);
        method!(x, min_axis __min_axis_vjp __min_axis_jvp [0]);
        method!(x, max_axis_keepdim __max_axis_keepdim_vjp __max_axis_keepdim_jvp [-1]);
        method!(x, min_axis_keepdim __min_axis_keepdim_vjp __min_axis_keepdim_jvp [1]);
    }};
}

#[test]
fn static_shapes() {
    reductions!(between(<shape![3, 5, 7]>::default(), 1, -2.0, 2.0));
    reductions!(between(<shape![1, 1]>::default(), 2, -2.0, 2.0));
    reductions!(between(<shape![3, 17]>::default(), 3, -2.0, 2.0));
    means_and_extremes!(between(<shape![3, 5, 7]>::default(), 4, -2.0, 2.0));
    means_and_extremes!(between(<shape![1, 1]>::default(), 5, -2.0, 2.0));
    means_and_extremes!(between(<shape![2, 33]>::default(), 6, -2.0, 2.0));
}

#[test]
fn run_time_shapes() {
    reductions!(between((Batch(4), Sz::<3>), 1, -2.0, 2.0));
    reductions!(between((Sz::<2>, Batch(1), Sz::<9>), 1, -2.0, 2.0));
    means_and_extremes!(between((Batch(4), Sz::<3>), 4, -2.0, 2.0));
}

#[test]
fn empty() {
    let x = between((Batch(0), Sz::<3>), 1, -2.0, 2.0);
    method!(x, sum __sum_vjp __sum_jvp []);
    method!(x, sum_axis __sum_axis_vjp __sum_axis_jvp [0]);
    method!(x, mean_axis __mean_axis_vjp __mean_axis_jvp [1]);
    method!(x, max_axis __max_axis_vjp __max_axis_jvp [1]);
    method!(x, softmax __softmax_vjp __softmax_jvp [-1]);
    method!(x, log_softmax __log_softmax_vjp __log_softmax_jvp [0]);
    assert_eq!(x.sum().item(), 0.0);
    assert!(x.mean().item().is_nan(), "there is nothing to average");
}

#[test]
fn a_strided_input() {
    let x = between(<shape![5, 3, 4]>::default(), 8, -2.0, 2.0).transpose::<0, 2>();
    reductions!(x.clone());
    means_and_extremes!(x);
}

#[test]
fn ties_share_the_cotangent() {
    let x: Tensor![f64; 4] = tensor([1.0, 3.0, 3.0, 2.0]);
    let (y, pull) = x.__max_vjp((On,));
    let mut d = x.zero_adj(On);
    pull(start(tensor(8.0)), &x, &mut d);
    assert_eq!(y.item(), 3.0);
    assert_eq!(finish(&x, d).to_vec(), [0.0, 4.0, 4.0, 0.0]);
    let (_, t) = x.__max_jvp(&tensor([1.0, 2.0, 4.0, 8.0]));
    assert_eq!(t.item(), 3.0);
}

#[test]
fn cross_entropy() {
    fn at<B: Dim>(shape: (B, Sz<7>), targets: Tensor<(B,), i64>) {
        check(
            "cross_entropy",
            &between(shape, 3, -3.0, 3.0),
            |x| x.cross_entropy(&targets),
            |x, ct| {
                let (y, pull) = x.__cross_entropy_vjp((On, On), &targets);
                let mut d = x.zero_adj(On);
                pull(ct, x, &targets, &mut d, &mut targets.zero_adj(On));
                (y, finish(x, d))
            },
            |x, t| x.__cross_entropy_jvp(t, &targets, ()),
        );
    }
    at((Sz::<5>, Sz), tensor([0, 6, 3, 3, 1]));
    at((Sz::<1>, Sz), tensor([2]));
    at(
        (Batch(3), Sz),
        Tensor::from_slice_with((Batch(3),), &[6, 0, 2]).unwrap(),
    );
}

#[test]
fn cross_entropy_is_minus_the_log_softmax_of_the_target() {
    let x = between(<shape![3, 4]>::default(), 3, -3.0, 3.0);
    let logs = x.log_softmax::<-1>();
    let expected =
        -(logs.get([0, 3]).unwrap() + logs.get([1, 0]).unwrap() + logs.get([2, 2]).unwrap()) / 3.0;
    assert!((x.cross_entropy(&tensor([3i64, 0, 2])).item() - expected).abs() < 1e-14);
}

#[test]
#[should_panic(expected = "index 4 at position 1 is out of range")]
fn a_class_that_does_not_exist() {
    let x: Tensor![f64; 2, 4] = Tensor::zeros();
    x.cross_entropy(&tensor([0i64, 4])).item();
}

#[test]
#[should_panic(
    expected = "the run-time dimension `Batch` is 2 on the left, `Batch` is 3 on the right"
)]
fn more_targets_than_rows() {
    let x: Tensor![f64; Batch, 4] = Tensor::zeros_with((Batch(2), Sz));
    x.cross_entropy(&Tensor::<_, i64>::zeros_with((Batch(3),)));
}

#[test]
fn mse_loss() {
    fn at<S: Shape>(shape: S) {
        check(
            "mse_loss",
            &(between(shape, 3, -3.0, 3.0), between(shape, 4, -3.0, 3.0)),
            |(x, y)| x.mse_loss(y),
            |(x, target), ct| {
                let (y, pull) = x.__mse_loss_vjp((On, On), target);
                let (mut d, mut d_target) = (x.zero_adj(On), target.zero_adj(On));
                pull(ct, x, target, &mut d, &mut d_target);
                (y, (finish(x, d), finish(x, d_target)))
            },
            |(x, target), (t, t_target)| x.__mse_loss_jvp(t, target, t_target),
        );
    }
    at(<shape![3, 5]>::default());
    at(<shape![]>::default());
    at((Batch(2), Sz::<3>, Batch(1)));
    let (x, y) = (tensor([1.0, 2.0]), tensor([0.0, 4.0]));
    assert_eq!(x.mse_loss(&y).item(), 2.5);
}

#[test]
fn positions_of_extremes() {
    let x: Tensor![2, 3] = tensor([[1.0, 5.0, 5.0], [-1.0, -3.0, -2.0]]);
    assert_eq!(x.argmax::<1>().to_vec(), [1, 0]);
    assert_eq!(x.argmin::<-1>().to_vec(), [0, 1]);
    assert_eq!(x.argmax::<0>().to_vec(), [0, 0, 0]);
    assert_eq!(x.argmin::<0>().to_vec(), [1, 1, 1]);
}

#[test]
fn positions_over_all_axes() {
    let x: Tensor![f64; 2, 3] = tensor([[1.0, 7.0, -2.0], [7.0, -9.0, 0.0]]);
    assert_eq!((x.argmax_all().item(), x.argmin_all().item()), (1, 4));
    let t = x.transpose::<0, 1>();
    assert_eq!((t.argmax_all().item(), t.argmin_all().item()), (1, 3));
}
