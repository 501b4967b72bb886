//! Images of another size: positions written out, edges, and values that are not numbers.

use crate::check::between;
use differentiable::prelude::*;

dim!(Height, Width);

/// The definition, one entry at a time; `position` of an entry among `n` when there are `m`.
fn by_hand(
    x: &[f64],
    [h, w]: [usize; 2],
    to: [usize; 2],
    position: impl Fn(f64, f64, f64) -> f64,
) -> Vec<f64> {
    let mut y = Vec::new();
    let entry = |i: usize, j: usize| x[i.min(h - 1) * w + j.min(w - 1)];
    for i in 0..to[0] {
        for j in 0..to[1] {
            let a = position(i as f64, h as f64, to[0] as f64);
            let b = position(j as f64, w as f64, to[1] as f64);
            let (u, v) = (a - a.floor(), b - b.floor());
            let (a, b) = (a as usize, b as usize);
            let near = (1.0 - v) * entry(a, b) + v * entry(a, b + 1);
            let far = (1.0 - v) * entry(a + 1, b) + v * entry(a + 1, b + 1);
            y.push((1.0 - u) * near + u * far);
        }
    }
    y
}

fn half_way(i: f64, n: f64, m: f64) -> f64 {
    ((i + 0.5) * n / m - 0.5).max(0.0)
}

fn corners(i: f64, n: f64, m: f64) -> f64 {
    if m == 1.0 {
        0.0
    } else {
        i * (n - 1.0) / (m - 1.0)
    }
}

fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
    }
}

#[test]
fn positions_are_those_of_the_definition() {
    for (h, w) in [(1, 1), (1, 7), (5, 1), (3, 4), (17, 33)] {
        let x = between((Height(h), Width(w)), 1, -1.0, 1.0);
        for to in [[1, 1], [2, 3], [5, 8], [19, 64], [h, w], [2 * h, 2 * w]] {
            let (p, q) = (Height(to[0]), Width(to[1]));
            let values = x.to_vec();
            assert_close(
                &x.interpolate_bilinear(p, q).to_vec(),
                &by_hand(&values, [h, w], to, half_way),
            );
            assert_close(
                &x.interpolate_bilinear_aligned(p, q).to_vec(),
                &by_hand(&values, [h, w], to, corners),
            );
            let floor = |i: f64, n: f64, m: f64| (i * n / m + 1e-9).floor();
            assert_close(
                &x.interpolate_nearest(p, q).to_vec(),
                &by_hand(&values, [h, w], to, floor),
            );
        }
    }
}

#[test]
fn the_same_size_is_the_identity_also_of_infinities() {
    let x: Tensor![f64; 2, 2] = tensor([[f64::INFINITY, 1.0], [f64::NEG_INFINITY, 2.0]]);
    assert_eq!(x.interpolate_bilinear(Sz::<2>, Sz::<2>), x);
    assert_eq!(x.interpolate_bilinear_aligned(Sz::<2>, Sz::<2>), x);
    assert_eq!(x.upsample_nearest::<1>(), x);
    let y = x.upsample_nearest::<2>().to_vec();
    assert_eq!(y[..4], [f64::INFINITY, f64::INFINITY, 1.0, 1.0]);
}

#[test]
fn a_factor_is_the_size_it_makes() {
    let x: Tensor![2, 3, 5] = Tensor::iota();
    assert_eq!(
        x.upsample_bilinear::<3>(),
        x.interpolate_bilinear(Sz::<9>, Sz::<15>)
    );
    assert_eq!(
        x.upsample_nearest::<3>(),
        x.interpolate_nearest(Sz::<9>, Sz::<15>)
    );
    let twice = x.repeat_interleave::<1, 2>().repeat_interleave::<2, 2>();
    assert_eq!(x.upsample_nearest::<2>(), twice);
}

#[test]
fn one_axis_is_an_image_of_height_one() {
    let x: Tensor![f64; 3, 4] = Tensor::iota();
    let rows = |x: &Tensor![f64; 3, 4]| x.unsqueeze::<1>();
    assert_eq!(
        x.interpolate_linear(Sz::<7>).to_vec(),
        rows(&x).interpolate_bilinear(Sz::<1>, Sz::<7>).to_vec()
    );
    assert_eq!(
        x.interpolate_nearest1d(Sz::<2>).to_vec(),
        [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    );
    assert_eq!(
        x.slice::<0, 0, 1>()
            .interpolate_linear_aligned(Sz::<7>)
            .to_vec(),
        [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    );
}

#[test]
fn large_images_are_divided_among_threads() {
    let x = between((Sz::<3>, Sz::<130>, Sz::<131>), 1, -1.0, 1.0);
    let image = |i: usize| x.to_vec()[i * 130 * 131..][..130 * 131].to_vec();
    let y = x.upsample_bilinear::<2>().to_vec();
    for i in 0..3 {
        let expected = by_hand(&image(i), [130, 131], [260, 262], half_way);
        assert_close(&y[i * 260 * 262..][..260 * 262], &expected);
    }
}

#[test]
fn cotangents_of_what_is_not_read_do_no_harm() {
    #[differentiable]
    fn f(x: &Tensor![f64; 1, 2]) -> f64 {
        let y = x.upsample_bilinear::<2>();
        y[[0, 0]] * f64::INFINITY
    }
    assert_eq!(
        f::grad(&tensor([[1.0, 2.0]])).to_vec(),
        [f64::INFINITY, 0.0]
    );
}

#[test]
fn nothing_can_be_made_smaller_only() {
    let none: Tensor<(Height, Sz<3>), f64> = Tensor::zeros_with((Height(0), Sz));
    assert!(
        none.interpolate_bilinear(Height(0), Sz::<5>)
            .to_vec()
            .is_empty()
    );
    let x: Tensor![f64; 2, 3] = Tensor::iota();
    assert!(
        x.interpolate_nearest(Height(0), Sz::<5>)
            .to_vec()
            .is_empty()
    );
}

#[test]
#[should_panic(expected = "an image without entries cannot be made larger")]
fn nothing_cannot_be_made_larger() {
    let none: Tensor<(Height, Sz<3>), f64> = Tensor::zeros_with((Height(0), Sz));
    none.interpolate_nearest(Height(2), Sz::<5>).to_vec();
}
