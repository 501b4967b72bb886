//! Transposed convolutions against loops written out, and their sizes.

use crate::check::between;
use differentiable::prelude::*;

dim!(Images, Height, Width);

/// The definition, one contribution at a time. `w` has the sizes C, O, KH, KW.
#[allow(clippy::too_many_arguments)]
fn by_hand(
    x: &[f64],
    [n, c, h, w]: [usize; 4],
    k: &[f64],
    [o, kh, kw]: [usize; 3],
    groups: usize,
    [stride, pad, dilation, more]: [[usize; 2]; 4],
) -> Vec<f64> {
    let size = |n: usize, k: usize, a: usize| {
        (n - 1) * stride[a] + dilation[a] * (k - 1) + 1 + more[a] - 2 * pad[a]
    };
    let (oh, ow) = (size(h, kh, 0), size(w, kw, 1));
    let mut y = vec![0.0; n * o * groups * oh * ow];
    for (image, from) in (0..n).flat_map(|n| (0..c).map(move |c| (n, c))) {
        let group = from / (c / groups);
        for (i, j) in (0..h).flat_map(|i| (0..w).map(move |j| (i, j))) {
            for (to, a, b) in
                (0..o).flat_map(|o| (0..kh).flat_map(move |a| (0..kw).map(move |b| (o, a, b))))
            {
                let row = (i * stride[0] + a * dilation[0]).wrapping_sub(pad[0]);
                let column = (j * stride[1] + b * dilation[1]).wrapping_sub(pad[1]);
                if row < oh && column < ow {
                    y[((image * o * groups + group * o + to) * oh + row) * ow + column] += x
                        [((image * c + from) * h + i) * w + j]
                        * k[((from * o + to) * kh + a) * kw + b];
                }
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
    ($($name:ident: [$($x:tt)*] by [$($w:tt)*] -> [$($y:tt)*], $win:expr, $moves:expr, $groups:literal;)*) => { $(
        #[test]
        fn $name() {
            let x: Tensor![f64; $($x)*] = between(Default::default(), 1, -1.0, 1.0);
            let w: Tensor![f64; $($w)*] = between(Default::default(), 2, -1.0, 1.0);
            let y: Tensor![f64; $($y)*] = x.conv_transpose2d_grouped(&w, $win, Groups::<$groups>);
            let [_, o, kh, kw] = [$($w)*];
            let expected = by_hand(&x.to_vec(), [$($x)*], &w.to_vec(), [o, kh, kw], $groups, $moves);
            assert_close(&y.to_vec(), &expected);
        }
    )* };
}

against_loops! {
    one: [1, 1, 1, 1] by [1, 1, 1, 1] -> [1, 1, 1, 1], Win::new(), [[1; 2], [0; 2], [1; 2], [0; 2]], 1;
    doubled: [2, 3, 4, 5] by [3, 2, 3, 3] -> [2, 2, 8, 10],
        Win::new().stride::<2>().pad::<1>().output_pad::<1>(), [[2; 2], [1; 2], [1; 2], [1; 2]], 1;
    groups: [2, 6, 3, 4] by [6, 2, 2, 3] -> [2, 6, 4, 6], Win::new(), [[1; 2], [0; 2], [1; 2], [0; 2]], 3;
    depthwise: [1, 3, 5, 5] by [3, 1, 2, 2] -> [1, 3, 10, 10],
        Win::new().stride::<2>(), [[2; 2], [0; 2], [1; 2], [0; 2]], 3;
    dilated: [1, 2, 4, 3] by [2, 3, 2, 3] -> [1, 3, 7, 13],
        (Win::new().dilation::<3>(), Win::new().stride::<3>().dilation::<2>().output_pad::<2>()),
        [[1, 3], [0, 0], [3, 2], [0, 2]], 1;
    rectangular: [1, 2, 4, 3] by [2, 3, 1, 5] -> [1, 3, 10, 5],
        (Win::new().stride::<3>(), Win::new().pad::<1>()), [[3, 1], [0, 1], [1, 1], [0, 0]], 1;
}

#[test]
fn run_time_sizes_are_those_of_static_ones() {
    let x = between((Sz::<2>, Sz::<3>, Sz::<4>, Sz::<5>), 1, -1.0, 1.0);
    let w: Tensor![f64; 3, 2, 3, 3] = between(Default::default(), 2, -1.0, 1.0);
    let ragged = Tensor::<(Images, Sz<3>, Height, Width), f64>::from_slice_with(
        (Images(2), Sz, Height(4), Width(5)),
        &x.to_vec(),
    )
    .unwrap();
    let step = Win::new().stride::<2>().pad::<1>().output_pad::<1>();
    let y = ragged.conv_transpose2d(&w, step);
    assert_eq!(y.dims().as_slice(), [2, 2, 8, 10]);
    assert_eq!(y.to_vec(), x.conv_transpose2d(&w, step).to_vec());
    // What a convolution made smaller has its name and its size again.
    let v: Tensor![f64; 3, 2, 3, 3] = between(Default::default(), 3, -1.0, 1.0);
    let back = y.conv2d(&v, Win::new().stride::<2>().pad::<1>());
    let back = back.reshape::<shape![Images, 3, Height, Width]>();
    assert_eq!(back.dims(), ragged.dims());
}

#[test]
#[should_panic(expected = "leaves nothing of the dimension Height of size 0")]
fn nothing_is_not_stretched() {
    let x: Tensor![f64; 1, 1, Height, 3] = Tensor::zeros_with((Sz, Sz, Height(0), Sz));
    let w: Tensor![f64; 1, 1, 3, 3] = Tensor::zeros();
    let _ = x.conv_transpose2d(&w, Win::new());
}
