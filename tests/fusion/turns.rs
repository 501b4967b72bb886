//! Sines, cosines and tangents in regions: near arguments run without a branch, an array of elements in which
//! one is far is computed by other code.

use super::common::*;
use crate::points;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(N);

both! {
    fn wave(x: &Tensor![f64; N], k: &Tensor![f64; N]) -> Tensor![f64;] {
        ((x * k).sin() * x.cos() + (k * 0.3).tan()).sum()
    }
    fn short(x: &Tensor![f32; N], k: &Tensor![f32; N]) -> Tensor![f32;] {
        ((x * k).sin() * x.cos() + (k * 0.3).tan()).sum()
    }
    fn nested(x: &Tensor![f64; N]) -> Tensor![f64;] {
        (x.exp().sin() * 3.0).cos().mean()
    }
    fn inner(x: &Tensor![f64; N], w: &Tensor![f64; N]) -> Tensor![f64;] {
        let h = (x.sin() * w + x).tanh();
        h.dot(w)
    }
    fn clipped(x: &Tensor![f64; N]) -> Tensor![f64;] {
        x.sin().clamp(-0.5, 0.5).relu().sum()
    }
}

const SIZES: [usize; 7] = [0, 1, 5, 63, 64, 65, 1000];

#[test]
fn near_arguments() {
    for n in SIZES {
        let (x, k) = (&points((N(n),), 1), &points((N(n),), 2));
        at_every_level!(wave(x, k), 1e-13);
        at_every_level!(short(&x.cast(), &k.cast()), 1e-5);
        at_every_level!(inner(x, k), 1e-13);
        at_every_level!(clipped(x), 1e-13);
        if n > 0 {
            at_every_level!(nested(x), 1e-13);
        }
        if (1..100).contains(&n) {
            check_grads::<wave::fused, _>(&(x.clone(), k.clone())).unwrap();
            check_grads::<nested::fused, _>(&(x.clone(),)).unwrap();
            check_grads::<inner::fused, _>(&(x.clone(), k.clone())).unwrap();
        }
    }
}

/// One element is far, infinite or no number: its neighbours, in the same array and in others, are as without it.
#[test]
fn far_arguments() {
    let n = 200;
    let near: Tensor![f64; N] = points((N(n),), 3);
    let ones = &Tensor::ones_with((N(n),));
    let at = |place: usize, value: f64| {
        let mut x = near.to_vec();
        x[place] = value;
        Tensor::from_vec_with((N(n),), x).unwrap()
    };
    for place in [0, 63, 64, 130, 199] {
        for value in [1e6, 1.000_001e6, -1e7, 1e22, 1e300, f64::INFINITY, f64::NAN] {
            let x = &at(place, value);
            let found = at_every_level!(wave(x, ones), 1e-12);
            // 2 sin x cos x = sin 2x, and the derivative by x is cos 2x.
            for (i, d) in found[1..=n].iter().enumerate() {
                let x: f64 = x[[i]];
                let want = x.cos() * x.cos() - x.sin() * x.sin();
                let right = (d - want).abs() < 1e-14 || d.is_nan() && want.is_nan();
                assert!(right, "{x}: {d} {want}");
            }
            let small = at(place, value.clamp(-3e38, 3e38));
            at_every_level!(short(&small.cast(), &ones.cast()), 1e-5);
            at_every_level!(inner(x, ones), 1e-12);
            at_every_level!(clipped(x), 1e-12);
        }
        // The argument of the outer function is far, that of the exponential is not.
        let found = at_every_level!(nested(&at(place, 40.0)), 1e-12);
        let e = 40f64.exp();
        let want = -(e.sin() * 3.0).sin() * 3.0 * e.cos() * e / n as f64;
        assert!((found[1 + place] / want - 1.0).abs() < 1e-12);
    }
}

/// Tangents go through the same code.
#[test]
fn far_arguments_forward() {
    let n = 130;
    let mut x = points((N(n),), 4).to_vec();
    x[70] = 3e9;
    let x: Tensor![f64; N] = Tensor::from_vec_with((N(n),), x).unwrap();
    let t = points((N(n),), 5);
    let (y, dy) = product::jvp((&x, &t));
    let (z, dz) = single::jvp((&x, &t));
    assert_eq!((y.item(), dy.item()), (z.item(), dz.item()));

    #[differentiable]
    fn product(x: &Tensor![f64; N]) -> Tensor![f64;] {
        (x.sin() * x).cos().sum()
    }
    #[differentiable(unfused)]
    fn single(x: &Tensor![f64; N]) -> Tensor![f64;] {
        (x.sin() * x).cos().sum()
    }
}
