//! Edges of what came later: products of batches, windows, stated sizes, functions of two tensors, and
//! reductions over several axes.

use crate::check::between;
use differentiable::prelude::*;

dim!(Batch, Long);

fn filled<S: Shape + Default>(seed: u64) -> Tensor<S, f64> {
    between(S::default(), seed, -1.0, 1.0)
}

#[test]
fn a_missing_batch_is_every_matrix_of_the_other() {
    let x: Tensor![f64; 4, 3] = filled(1);
    let y: Tensor![f64; 2, 5, 3, 1] = filled(2);
    let all = x.matmul(&y);
    for i in 0..2 {
        for j in 0..5 {
            let one: Tensor![f64; 3, 1] = y
                .narrow::<0, _>(i, Sz::<1>)
                .narrow::<1, _>(j, Sz::<1>)
                .squeeze::<0>()
                .squeeze::<0>();
            let expected = x.matmul(&one);
            let found = all.narrow::<0, _>(i, Sz::<1>).narrow::<1, _>(j, Sz::<1>);
            for (a, b) in found.to_vec().iter().zip(expected.to_vec()) {
                assert!((a - b).abs() < 1e-14, "{a} is not {b}");
            }
        }
    }
    let none: Tensor<(Batch, Sz<3>, Sz<2>), f64> = Tensor::zeros_with((Batch(0), Sz, Sz));
    assert_eq!(x.matmul(&none).dims().as_slice(), [0, 4, 2]);
}

#[test]
#[should_panic(
    expected = "the run-time dimension `Batch` is 2 on the left, `Batch` is 3 on the right"
)]
fn batches_of_one_name_and_different_size() {
    let x: Tensor<(Batch, Sz<4>, Sz<3>), f64> = Tensor::zeros_with((Batch(2), Sz, Sz));
    let y: Tensor<(Sz<5>, Batch, Sz<3>, Sz<2>), f64> = Tensor::zeros_with((Sz, Batch(3), Sz, Sz));
    x.matmul(&y);
}

#[test]
fn the_gradient_of_what_is_shared_by_a_batch_is_a_sum() {
    #[differentiable]
    fn f(x: &Tensor![f64; 2, 3], y: &Tensor![f64; 7, 3, 4]) -> f64 {
        x.matmul(y).sum().item()
    }
    let (x, y) = (filled(1), filled::<shape![7, 3, 4]>(2));
    let (d_x, d_y) = f::grad(&x, &y);
    let rows = y.sum_axis::<2>().sum_axis::<0>();
    for (a, b) in d_x.to_vec().iter().zip(rows.to_vec().iter().cycle()) {
        assert!((a - b).abs() < 1e-13, "{a} is not {b}");
    }
    assert_eq!(d_y.dims(), y.dims());
}

#[test]
#[should_panic(
    expected = "tensordot: the run-time dimension `Long` is 2 on the left, `Long` is 3 on the right"
)]
fn a_contraction_of_different_sizes() {
    let x: Tensor<(Sz<4>, Long), f64> = Tensor::zeros_with((Sz, Long(2)));
    let y: Tensor<(Long, Sz<4>), f64> = Tensor::zeros_with((Long(3), Sz));
    x.tensordot::<1, _>(&y);
}

#[test]
fn a_contraction_over_nothing_is_zero() {
    let x: Tensor<(Sz<2>, Long), f64> = Tensor::zeros_with((Sz, Long(0)));
    let y: Tensor<(Long, Sz<3>), f64> = Tensor::zeros_with((Long(0), Sz));
    assert_eq!(x.tensordot::<1, _>(&y).to_vec(), [0.0; 6]);
}

#[test]
fn inference_is_training_with_the_statistics_of_the_batch() {
    let x: Tensor![f64; 6, 3, 5] = filled(1);
    let (scale, shift) = (filled(2), filled(3));
    let mean = x.mean_axes::<Axes2<0, 2>>();
    let variance = x.var_axes::<Axes2<0, 2>>(0);
    let trained = x.batch_norm(&scale, &shift, 1e-5).to_vec();
    let inferred = x.batch_norm_inference(&mean, &variance, &scale, &shift, 1e-5);
    for (a, b) in inferred.to_vec().iter().zip(trained) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }
}

#[test]
#[should_panic(
    expected = "batch_norm_inference: dimension `Long` is 3 in the tensor and 2 in the mean"
)]
fn statistics_of_another_number_of_channels() {
    let x: Tensor<(Sz<4>, Long), f64> = Tensor::zeros_with((Sz, Long(3)));
    let two: Tensor<(Long,), f64> = Tensor::zeros_with((Long(2),));
    x.batch_norm_inference(&two, &two, &two, &two, 1e-5);
}

#[test]
#[should_panic(
    expected = "batch_norm_inference: dimension `Long` is 3 in the tensor and 4 in the shift"
)]
fn a_shift_of_another_size_in_forward_mode() {
    #[differentiable]
    fn f(x: &Tensor![f64; 4, Long], one: &Tensor![f64; Long], shift: &Tensor![f64; Long]) -> f64 {
        x.batch_norm_inference(one, one, one, shift, 1e-5)
            .sum()
            .item()
    }
    let x: Tensor![f64; 4, Long] = Tensor::zeros_with((Sz, Long(3)));
    let [one, shift] = [3, 4].map(|n| Tensor::<(Long,), f64>::ones_with((Long(n),)));
    f::jvp((&x, &x), (&one, &one), (&shift, &shift));
}

#[test]
fn windows_of_a_view_and_of_a_run_time_axis() {
    let x: Tensor![f64; 2, 5] = Tensor::iota();
    let columns = x.transpose::<0, 1>();
    assert_eq!(
        columns.unfold::<0, 2, 3>().to_vec(),
        [0.0, 1.0, 5.0, 6.0, 3.0, 4.0, 8.0, 9.0]
    );
    let y: Tensor<(Long,), f64> = Tensor::iota_with((Long(5),));
    assert_eq!(y.unfold::<0, 5, 2>().to_vec(), [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(y.unfold::<0, 2, 2>().dims().as_slice(), [2, 2]);
    assert_eq!(
        (y.unfold::<0, 2, 1>() * 2.0).to_vec(),
        [0.0, 2.0, 2.0, 4.0, 4.0, 6.0, 6.0, 8.0]
    );
}

#[test]
#[should_panic(expected = "a window over 3 entries does not fit the dimension Long of size 2")]
fn a_window_longer_than_its_axis() {
    let y: Tensor<(Long,), f64> = Tensor::iota_with((Long(2),));
    y.unfold::<0, 3, 1>();
}

#[test]
fn stated_sizes_are_those_of_static_ones() {
    let x: Tensor<(Batch, Sz<2>), f64> = Tensor::iota_with((Batch(3), Sz));
    let s: Tensor![f64; 3, 2] = Tensor::iota();
    assert_eq!(
        x.repeat_to::<0, _>(Long(6)).to_vec(),
        s.repeat::<0, 2>().to_vec()
    );
    assert_eq!(
        x.repeat_interleave_to::<0, _>(Long(9)).to_vec(),
        s.repeat_interleave::<0, 3>().to_vec()
    );
    assert_eq!(
        x.pad_to::<0, _>(1, Long(7), 9.0).to_vec(),
        s.pad::<0, 1, 3>(9.0).to_vec()
    );
    assert_eq!(
        x.pad_reflect_to::<0, _>(2, Long(6)).to_vec(),
        s.pad_reflect::<0, 2, 1>().to_vec()
    );
    assert_eq!(
        x.pad_replicate_to::<0, _>(0, Long(7)).to_vec(),
        s.pad_replicate::<0, 0, 4>().to_vec()
    );
    // Nothing is added.
    assert_eq!(x.pad_reflect_to::<0, _>(0, Long(3)).to_vec(), s.to_vec());
    let none: Tensor<(Batch, Sz<2>), f64> = Tensor::zeros_with((Batch(0), Sz));
    assert!(none.repeat_to::<0, _>(Long(0)).is_empty());
}

macro_rules! wrong_sizes {
    ($($name:ident $message:literal |$x:ident| $call:expr;)*) => { $(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            let $x: Tensor<(Batch, Sz<2>), f64> = Tensor::iota_with((Batch(3), Sz));
            $call;
        }
    )* };
}
wrong_sizes! {
    half_a_copy "repeat_to: copies of 3 entries do not make Long(7)" |x| x.repeat_to::<0, _>(Long(7));
    half_a_repetition "repeat_interleave_to: copies of 3 entries do not make Long(4)" |x| x.repeat_interleave_to::<0, _>(Long(4));
    padded_to_less "pad_to: 1 entries before 3 are more than Long(3)" |x| x.pad_to::<0, _>(1, Long(3), 0.0);
    reflected_too_far "pad_reflect_to: 3 entries are too few to make Long(6)" |x| x.pad_reflect_to::<0, _>(3, Long(6));
    stacked_to_another_size "stack_to: 2 tensors do not make Long(3)" |x| Tensor::stack_to::<0, _>(&[x.clone(), x], Long(3));
}

#[test]
fn functions_of_two_tensors_at_their_kinks() {
    let zero: Tensor![f64; 1] = tensor([0.0]);
    #[differentiable]
    fn length(x: &Tensor![f64; 1], y: &Tensor![f64; 1]) -> f64 {
        x.hypot(y).sum().item()
    }
    let (d_x, d_y) = length::grad(&zero, &zero);
    assert_eq!((d_x.to_vec(), d_y.to_vec()), (vec![0.0], vec![0.0]));

    #[differentiable]
    fn power(x: &Tensor![f64; 3], y: &Tensor![f64; 3]) -> f64 {
        x.pow(y).sum().item()
    }
    let (d_x, d_y) = power::grad(&tensor([0.0, 0.0, 2.0]), &tensor([0.0, 2.0, 0.0]));
    assert_eq!(d_x.to_vec(), [0.0, 0.0, 0.0]);
    assert_eq!(d_y.to_vec(), [0.0, 0.0, 2.0f64.ln()]);

    #[differentiable]
    fn rest(x: &Tensor![f64; 3], y: &Tensor![f64; 3]) -> f64 {
        (x % y).sum().item()
    }
    let (x, y) = (tensor([5.5, -5.5, 6.0]), tensor([2.0, 2.0, 3.0]));
    assert_eq!((&x % &y).to_vec(), [1.5, -1.5, 0.0]);
    let (d_x, d_y) = rest::grad(&x, &y);
    assert_eq!(
        (d_x.to_vec(), d_y.to_vec()),
        (vec![1.0; 3], vec![-2.0, 2.0, -2.0])
    );
}

#[test]
fn the_sign_of_zero_is_zero_and_of_nan_nan() {
    let x: Tensor![f64; 5] = tensor([-2.0, 0.0, 3.0, f64::NAN, f64::NEG_INFINITY]);
    let signs = x.sign().to_vec();
    assert_eq!(signs[..3], [-1.0, 0.0, 1.0]);
    assert!(signs[3].is_nan());
    assert_eq!(signs[4], -1.0);
    let y: Tensor![f64; 3] = tensor([4.0, 0.0, f64::INFINITY]);
    assert_eq!(y.rsqrt().to_vec(), [0.5, f64::INFINITY, 0.0]);
}

#[test]
fn a_point_between_is_exact_at_both_ends() {
    let (a, b) = (tensor([0.1f64, 1e16]), tensor([0.3f64, 1.0]));
    assert_eq!(a.lerp(&b, 0.0), a);
    assert_eq!(a.lerp(&b, 1.0), b);
    assert_eq!(tensor([1.0f32]).lerp(&tensor([3.0]), 0.5), tensor([2.0]));
}

#[test]
fn several_axes_are_one_after_another() {
    let x: Tensor![f64; 3, 4, 5] = filled(1);
    let close = |a: Vec<f64>, b: Vec<f64>| {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        }
    };
    close(
        x.prod_axes::<Axes2<0, 2>>().to_vec(),
        x.prod_axis::<2>().prod_axis::<0>().to_vec(),
    );
    close(
        x.logsumexp_axes::<Axes2<1, 2>>().to_vec(),
        x.logsumexp_axis::<2>().logsumexp_axis::<1>().to_vec(),
    );
    close(x.norm_axes::<Axes3<0, 1, 2>>().to_vec(), x.norm().to_vec());
    close(
        x.var_axes::<Axes3<-3, -2, -1>>(1).to_vec(),
        x.var(1).to_vec(),
    );
    let m = x.gt(0.5);
    assert_eq!(
        m.count_axes::<Axes2<0, 2>>(),
        m.cast::<i64>().sum_axis::<2>().sum_axis::<0>()
    );
    assert_eq!(
        m.any_axes_keepdim::<Axes2<0, 1>>().to_vec(),
        m.any_axis::<1>().any_axis::<0>().to_vec()
    );
    assert_eq!(
        m.all_axes::<Axes2<1, 2>>().to_vec(),
        m.all_axis::<2>().all_axis::<1>().to_vec()
    );
    assert_eq!(
        m.any_axis_keepdim::<1>(),
        m.any_axis::<1>().unsqueeze::<1>()
    );
    assert_eq!(
        m.all_axis_keepdim::<-1>(),
        m.all_axis::<2>().unsqueeze::<2>()
    );
    assert_eq!(
        m.count_axis_keepdim::<0>(),
        m.count_axis::<0>().unsqueeze::<0>()
    );
    assert_eq!(
        m.all_axes_keepdim::<Axes2<0, 1>>().dims().as_slice(),
        [1, 1, 5]
    );
    assert_eq!(
        m.count_axes_keepdim::<Axes2<0, 1>>().dims().as_slice(),
        [1, 1, 5]
    );
    assert_eq!(x.argmax_keepdim::<-2>(), x.argmax::<1>().unsqueeze::<1>());
    assert_eq!(x.argmin_keepdim::<0>(), x.argmin::<0>().unsqueeze::<0>());
    let none: Tensor<(Batch, Sz<2>), bool> = Tensor::zeros_with((Batch(0), Sz));
    assert_eq!(none.all_axes::<Axes2<0, 1>>().to_vec(), [true]);
    assert_eq!(none.any_axes::<Axes2<0, 1>>().to_vec(), [false]);
}
