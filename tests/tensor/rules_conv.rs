//! Convolutions and pooling against loops written out, and at their edges.

use crate::check::between;
use differentiable::prelude::*;

/// The definition, one entry at a time.
#[allow(clippy::too_many_arguments)]
fn by_hand(
    x: &[f64],
    [n, c, h, w]: [usize; 4],
    k: &[f64],
    [o, i, kh, kw]: [usize; 4],
    stride: [usize; 2],
    pad: [usize; 2],
    dilation: [usize; 2],
) -> Vec<f64> {
    let groups = c / i;
    let out =
        |n: usize, k: usize, a: usize| (n + 2 * pad[a] - dilation[a] * (k - 1) - 1) / stride[a] + 1;
    let (oh, ow) = (out(h, kh, 0), out(w, kw, 1));
    let mut y = Vec::new();
    for image in 0..n {
        for to in 0..o {
            let group = to / (o / groups);
            for (p, q) in (0..oh).flat_map(|p| (0..ow).map(move |q| (p, q))) {
                let mut sum = 0.0;
                for from in 0..i {
                    for (a, b) in (0..kh).flat_map(|a| (0..kw).map(move |b| (a, b))) {
                        let row = (p * stride[0] + a * dilation[0]).wrapping_sub(pad[0]);
                        let column = (q * stride[1] + b * dilation[1]).wrapping_sub(pad[1]);
                        if row < h && column < w {
                            let channel = group * i + from;
                            sum += x[((image * c + channel) * h + row) * w + column]
                                * k[((to * i + from) * kh + a) * kw + b];
                        }
                    }
                }
                y.push(sum);
            }
        }
    }
    y
}

fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
    }
}

macro_rules! against_loops {
    ($($name:ident: [$($x:tt)*] by [$($w:tt)*], $win:expr, [$s:expr, $p:expr, $d:expr] $(, $groups:expr)?;)*) => { $(
        #[test]
        fn $name() {
            let x: Tensor![f64; $($x)*] = between(Default::default(), 1, -1.0, 1.0);
            let w: Tensor![f64; $($w)*] = between(Default::default(), 2, -1.0, 1.0);
            let y = against_loops!(@call x w $win $(, $groups)?);
            let expected = by_hand(&x.to_vec(), [$($x)*], &w.to_vec(), [$($w)*], $s, $p, $d);
            assert_close(&y.to_vec(), &expected);
        }
    )* };
    (@call $x:ident $w:ident $win:expr) => { $x.conv2d(&$w, $win) };
    (@call $x:ident $w:ident $win:expr, $groups:expr) => { $x.conv2d_grouped(&$w, $win, $groups) };
}

against_loops! {
    plain: [2, 3, 6, 7] by [4, 3, 3, 3], Win::new(), [[1, 1], [0, 0], [1, 1]];
    padded: [2, 3, 6, 7] by [4, 3, 3, 3], Win::new().pad::<2>(), [[1, 1], [2, 2], [1, 1]];
    with_a_stride: [2, 3, 9, 17] by [4, 3, 3, 2], Win::new().stride::<3>().pad::<1>(), [[3, 3], [1, 1], [1, 1]];
    dilated: [1, 2, 9, 11] by [3, 2, 3, 2], Win::new().dilation::<3>().pad::<2>(), [[1, 1], [2, 2], [3, 3]];
    rectangular: [1, 1, 8, 5] by [2, 1, 1, 5], (Win::new(), Win::new().pad::<4>().stride::<2>()), [[1, 2], [0, 4], [1, 1]];
    one_entry: [1, 1, 1, 1] by [1, 1, 1, 1], Win::new(), [[1, 1], [0, 0], [1, 1]];
    mostly_padding: [1, 2, 1, 2] by [2, 2, 3, 3], Win::new().pad::<2>().stride::<2>(), [[2, 2], [2, 2], [1, 1]];
    wide: [3, 5, 13, 33] by [7, 5, 3, 3], Win::new().pad::<1>(), [[1, 1], [1, 1], [1, 1]];
    many_images: [33, 8, 16, 16] by [16, 8, 3, 3], Win::new().pad::<1>(), [[1, 1], [1, 1], [1, 1]];
    in_groups: [2, 6, 5, 5] by [4, 3, 3, 3], Win::new().pad::<1>(), [[1, 1], [1, 1], [1, 1]], Groups::<2>;
    depthwise: [2, 6, 5, 5] by [6, 1, 3, 3], Win::new(), [[1, 1], [0, 0], [1, 1]], Groups::<6>;
}

#[differentiable]
fn energy(x: &Tensor![f64; 33, 4, 12, 12], w: &Tensor![f64; 8, 4, 3, 3]) -> f64 {
    let y = x.conv2d(w, Win::new().stride::<2>().pad::<1>());
    (&y * &y).sum().item()
}

/// Divided among threads, the gradient of the weights is the sum over images one by one.
#[test]
fn gradients_of_many_images() {
    let x: Tensor![f64; 33, 4, 12, 12] = between(Default::default(), 1, -1.0, 1.0);
    let w: Tensor![f64; 8, 4, 3, 3] = between(Default::default(), 2, -1.0, 1.0);
    let (d_x, d_w) = energy::grad(&x, &w);
    let mut sum = vec![0.0; w.len()];
    for n in 0..33 {
        let one = x.narrow::<0, _>(n, Sz::<1>);
        let (d_one, d) = single::grad(&one, &w);
        sum.iter_mut().zip(d.to_vec()).for_each(|(s, d)| *s += d);
        let part: Vec<f64> = d_x.narrow::<0, _>(n, Sz::<1>).to_vec();
        assert_close(&d_one.to_vec(), &part);
    }
    assert_close(&d_w.to_vec(), &sum);
}

#[differentiable]
fn single(x: &Tensor![f64; 1, 4, 12, 12], w: &Tensor![f64; 8, 4, 3, 3]) -> f64 {
    let y = x.conv2d(w, Win::new().stride::<2>().pad::<1>());
    (&y * &y).sum().item()
}

#[test]
fn a_view_is_convolved_like_its_copy() {
    let x: Tensor![f64; 2, 5, 7, 3] = between(Default::default(), 1, -1.0, 1.0);
    let w: Tensor![f64; 2, 3, 2, 2] = between(Default::default(), 2, -1.0, 1.0);
    let view = x.transpose::<1, 3>();
    let copy: Tensor![f64; 2, 3, 7, 5] = Tensor::from_slice(&view.to_vec()).unwrap();
    let (a, b) = (view.conv2d(&w, Win::new()), copy.conv2d(&w, Win::new()));
    assert_eq!(a.to_vec(), b.to_vec());
}

#[test]
fn single_precision() {
    let x: Tensor![2, 3, 6, 7] = Tensor::randn(1);
    let w: Tensor![4, 3, 3, 3] = Tensor::randn(2);
    let wide = |v: Vec<f32>| v.into_iter().map(f64::from).collect::<Vec<_>>();
    let y = x.conv2d(&w, Win::new().pad::<1>());
    let expected = by_hand(
        &wide(x.to_vec()),
        [2, 3, 6, 7],
        &wide(w.to_vec()),
        [4, 3, 3, 3],
        [1, 1],
        [1, 1],
        [1, 1],
    );
    for (a, b) in wide(y.to_vec()).iter().zip(&expected) {
        assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    }
}

#[differentiable]
fn pooled(x: &Tensor![f64; 1, 1, 1, 4]) -> f64 {
    let y = x.max_pool2d::<1, 2, _>((Win::new(), Win::new().stride::<2>()));
    y.sum().item()
}

#[test]
fn ties_and_special_values_of_a_maximum() {
    let of = |v: [f64; 4]| Tensor::<shape![1, 1, 1, 4], f64>::from_slice(&v).unwrap();
    // The first of equal entries.
    assert_eq!(
        pooled::grad(&of([2.0, 2.0, 1.0, 3.0])).to_vec(),
        [1.0, 0.0, 0.0, 1.0]
    );
    let y = of([f64::NAN, 1.0, f64::NEG_INFINITY, f64::NEG_INFINITY])
        .max_pool2d::<1, 2, _>((Win::new(), Win::new().stride::<2>()));
    assert!(y.to_vec()[0].is_nan());
    assert_eq!(y.to_vec()[1], f64::NEG_INFINITY);
    // Padding is never the largest.
    let y = of([-5.0, -4.0, -3.0, -2.0]).max_pool2d::<1, 3, _>((Win::new(), Win::new().pad::<1>()));
    assert_eq!(y.to_vec(), [-4.0, -3.0, -2.0, -2.0]);
    // It counts as zeros in a mean.
    let y = of([3.0, 6.0, 9.0, 12.0]).avg_pool2d::<1, 3, _>((Win::new(), Win::new().pad::<1>()));
    assert_eq!(y.to_vec(), [3.0, 6.0, 9.0, 7.0]);
}

#[test]
fn parts_of_adaptive_pooling_overlap_by_one() {
    let x: Tensor![f64; 1, 1, 1, 5] = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    assert_eq!(x.adaptive_avg_pool2d::<1, 2>().to_vec(), [2.0, 4.0]);
    assert_eq!(x.adaptive_max_pool2d::<1, 3>().to_vec(), [2.0, 4.0, 5.0]);
    assert_eq!(x.adaptive_avg_pool2d::<1, 5>().to_vec(), x.to_vec());
}

dim!(Height, Other);

#[test]
fn run_time_sizes() {
    let x: Tensor![f64; 1, 2, Height, 6] = between((Sz, Sz, Height(5), Sz), 1, -1.0, 1.0);
    let w: Tensor![f64; 3, 2, 3, 3] = between(Default::default(), 2, -1.0, 1.0);
    let y = x.conv2d(&w, Win::new().stride::<2>().pad::<1>());
    assert_eq!(y.dims().as_slice(), [1, 3, 3, 3]);
    let expected = by_hand(
        &x.to_vec(),
        [1, 2, 5, 6],
        &w.to_vec(),
        [3, 2, 3, 3],
        [2, 2],
        [1, 1],
        [1, 1],
    );
    assert_close(&y.to_vec(), &expected);
}

#[test]
#[should_panic(expected = "a window over 4 entries does not fit the dimension Height of size 3")]
fn a_window_that_does_not_fit() {
    let x: Tensor![f64; 1, 1, Height, 6] = between((Sz, Sz, Height(3), Sz), 1, -1.0, 1.0);
    let w: Tensor![f64; 1, 1, 4, 3] = between(Default::default(), 2, -1.0, 1.0);
    x.conv2d(&w, Win::new());
}

#[test]
fn a_transposed_convolution_is_the_transpose() {
    let x: Tensor![f64; 2, 3, 4, 5] = between(Default::default(), 1, -1.0, 1.0);
    let w: Tensor![f64; 3, 2, 3, 2] = between(Default::default(), 2, -1.0, 1.0);
    let win = Win::new().stride::<2>().pad::<1>();
    let y = x.conv_transpose2d(&w, win);
    assert_eq!(y.dims().as_slice(), [2, 2, 7, 8]);
    let z: Tensor![f64; 2, 2, 7, 8] = between(Default::default(), 3, -1.0, 1.0);
    let left: f64 = (&y * &z).sum().item();
    let right: f64 = (&x * &z.conv2d(&w, win)).sum().item();
    assert!(
        (left - right).abs() < 1e-12 * (1.0 + left.abs()),
        "{left} is not {right}"
    );
}

#[test]
#[should_panic(
    expected = "conv2d: dimension 1 of the input, the channels, is 3, expected 4: the weight of shape [2, 4, 3, 3] takes 4"
)]
fn other_channels_at_run_time() {
    dim!(Colours);
    let x: Tensor![f64; 1, Colours, 5, 5] = Tensor::zeros_with((Sz, Colours(3), Sz, Sz));
    let w: Tensor![f64; 2, Colours, 3, 3] = Tensor::zeros_with((Sz, Colours(4), Sz, Sz));
    let _ = x.conv2d(&w, Win::new());
}

/// Padding that keeps the size of a run-time axis: its dimension is that of the input again by `narrow`.
#[test]
fn the_dimension_of_the_input_again() {
    dim!(Height);
    let x: Tensor![f64; 1, 2, Height, 5] = between((Sz, Sz, Height(7), Sz), 1, -1.0, 1.0);
    let w: Tensor![f64; 2, 2, 3, 3] = between(Default::default(), 2, -1.0, 1.0);
    let height = x.shape().2;
    let y: Tensor![f64; 1, 2, Height, 5] = x
        .conv2d(&w, Win::new().pad::<1>())
        .narrow::<2, _>(0, height);
    assert_eq!((&x + &y).dims(), x.dims());
}
