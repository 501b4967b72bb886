//! Fused regions against the same function run operation by operation, and against differences.
//!
//! Here what becomes a region; in `fusion/` what regions keep and overwrite, their shapes, and sines, cosines and tangents.

use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch);

/// Each function twice: fused, and one operation at a time.
macro_rules! both {
    ($(fn $name:ident $args:tt -> $r:ty $body:block)*) => { $(
        mod $name {
            #[allow(unused_imports, reason = "not all use a run-time dimension")]
            use super::*;
            #[differentiable]
            pub fn fused $args -> $r $body
            #[differentiable(unfused)]
            pub fn single $args -> $r $body
        }
    )* };
}

/// Values, with and without derivatives, and all gradients agree, and the fused function passes the check of both
/// modes.
macro_rules! agree {
    ($f:ident($($x:expr),*)) => {{
        agree!(@run $f($($x),*));
        check_grads::<$f::fused, _>(&($($x.clone(),)*)).unwrap();
    }};
    (@run $f:ident($($x:expr),*)) => {{
        let (y, g) = $f::fused::value_and_grad($($x),*);
        let (z, h) = $f::single::value_and_grad($($x),*);
        for y in [y, $f::fused($($x),*), $f::single($($x),*)] {
            assert!((y.item() - z.item()).abs() < 1e-12 * (1.0 + z.item().abs()), "{y:?} {z:?}");
        }
        assert_eq!(format!("{g:.10?}"), format!("{h:.10?}"));
    }};
}

/// Fused and single runs agree, at every level; the numbers are returned.
macro_rules! at_every_level {
    ($f:ident($($x:expr),*), $tolerance:expr) => {{
        let fused = at_levels(|| flat($f::fused::value_and_grad($($x),*)));
        let single = at_levels(|| flat($f::single::value_and_grad($($x),*)));
        alike(&fused, &single, $tolerance);
        fused
    }};
}

both! {
    fn gate(x: &Tensor![f64; 5, 7], w: &Tensor![f64; 5, 7], b: &Tensor![f64; 7]) -> Tensor![f64;] {
        ((x * w + b).gelu() * x.sigmoid()).sum()
    }
    fn means(x: &Tensor![f64; 5, 7], b: &Tensor![f64; 7]) -> Tensor![f64;] {
        (x - b).square().mean()
    }
    fn layer(x: &Tensor![f64; 4, 3], w: &Tensor![f64; 3, 5], b: &Tensor![f64; 5], v: &Tensor![f64; 5, 2]) -> Tensor![f64;] {
        let h = (x.matmul(w) + b).tanh();
        let out = h.matmul(v);
        (out.relu() + out.exp() * 0.5).sum()
    }
    fn numbers(x: &Tensor![f64; 6], k: f64, s: f64) -> Tensor![f64;] {
        let scale = 2.0 * s.exp();
        ((x * k - 1.5) / scale).softplus().sum()
    }
    fn named(x: &Tensor![f64; Batch, 3], b: &Tensor![f64; 3]) -> Tensor![f64;] {
        let y = (x + b).silu();
        let z = -(y * x);
        z.powi(3).clamp(-4.0, 4.0).mean()
    }
    fn shared(x: &Tensor![f64; 9]) -> Tensor![f64;] {
        let e = x.exp();
        let a = (&e + 1.0).ln();
        let b = (&e * &a).sqrt();
        (a.dot(&b)) + (e * 0.1 + 1.0).recip().sum()
    }
    fn repeated(x: &Tensor![f64; 4], w: &Tensor![f64; 4]) -> Tensor![f64;] {
        let mut h = x.clone();
        for i in 0..3 {
            let step = 0.1 * (i as f64 + 1.0);
            h = (&h * w + x).tanh() * step + h.sin();
        }
        if h.sum().item() > 0.0 {
            (h * w).cos().sum()
        } else {
            (h.square() + w).sum()
        }
    }
    fn transposed(x: &Tensor![f64; 3, 5], y: &Tensor![f64; 5, 3]) -> Tensor![f64;] {
        let z = (x.transpose::<0, 1>() * y + y).sigmoid();
        (z.square() - y * 0.5).sum()
    }
    fn unused(x: &Tensor![f64; 4], w: &Tensor![f64; 4]) -> Tensor![f64;] {
        let _dead = (x * w).tanh() + 1.0;
        let sign = (x * w - 0.3).sum();
        let y = if sign.item() > 0.0 { x * 2.0 + w } else { x - w };
        (y.square() * w).sum()
    }
    fn moved(x: &Tensor![f64; 4], #[constant] c: &Tensor![f64; 4]) -> Tensor![f64;] {
        let k = no_grad!(c * 2.0);
        let a = x * &k;
        let total = no_grad!(consumed(&k));
        let b = (a + total).exp();
        let d = x.clone();
        let e = &d * 3.0;
        let f = d.sqrt();
        ((e - f) * b).sum()
    }
    fn two_shapes(x: &Tensor![f64; 6]) -> Tensor![f64;] {
        let wide: Tensor![f64; 2, 3] = x.reshape();
        let tall: Tensor![f64; 3, 2] = x.reshape();
        (wide * 2.0).sum_axis::<0>().square().sum() + tall.sum_axis::<0>().sin().sum()
    }
    fn chain(x: &Tensor![f64; 130], a: &Tensor![f64; 130], b: &Tensor![f64; 130], c: &Tensor![f64; 130], d: &Tensor![f64; 130], e: &Tensor![f64; 130]) -> Tensor![f64;] {
        let u = (x * a + b * c - d / (e.square() + 2.0)).tanh();
        let v = (u * a - b).sin() + (c * d).cos() * e;
        ((v * x).erf() + a.log_sigmoid() * 0.3 + b.mish()).mean()
    }
}

fn consumed(k: &Tensor![f64; 4]) -> f64 {
    k.sum().item()
}

fn points<S: Shape>(shape: S, seed: u64) -> Tensor<S, f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    Tensor::from_fn_with(shape, |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        0.2 + (state >> 11) as f64 / (1u64 << 53) as f64
    })
}

#[test]
fn a_region_agrees_with_its_operations() {
    let (x, w, b) = (
        &points(Default::default(), 1),
        &points(Default::default(), 2),
        &points(Default::default(), 3),
    );
    agree!(gate(x, w, b));
    let (x, b) = (
        &points(Default::default(), 1),
        &points(Default::default(), 2),
    );
    agree!(means(x, b));
    let (x, w, b, v) = (
        &points(Default::default(), 1),
        &points(Default::default(), 2),
        &points(Default::default(), 3),
        &points(Default::default(), 4),
    );
    agree!(layer(x, w, b, v));
    let x = &points(Default::default(), 5);
    let (k, s) = (0.7, -0.2);
    agree!(numbers(x, k, s));
    let x = &points(Default::default(), 5);
    agree!(shared(x));
    let x = &points(Default::default(), 5);
    agree!(two_shapes(x));
    let (x, w) = (
        &points(Default::default(), 6),
        &points(Default::default(), 7),
    );
    agree!(repeated(x, w));
    let (x, y) = (
        &points(Default::default(), 8),
        &points(Default::default(), 9),
    );
    agree!(transposed(x, y));
}

#[test]
fn run_time_sizes_of_any_length() {
    for n in [1, 2, 21, 22, 171, 350] {
        let (x, b) = (&points((Batch(n), Sz), 1), &points(Default::default(), 2));
        agree!(@run named(x, b));
        if n <= 22 {
            check_grads::<named::fused, _>(&(x.clone(), b.clone())).unwrap();
        }
    }
}

#[test]
fn seven_operands_are_the_most() {
    let [x, a, b, c, d, e] =
        &core::array::from_fn::<_, 6, _>(|i| points(Default::default(), i as u64 + 1));
    agree!(chain(x, a, b, c, d, e));
}

#[differentiable]
fn three(x: &Tensor![f64; Batch], y: &Tensor![f64; Batch]) -> Tensor![f64;] {
    ((x + y) * y).sum()
}

#[test]
#[should_panic(
    expected = "the run-time dimension `Batch` is 3 on the left, `Batch` is 2 on the right"
)]
fn different_sizes_are_named() {
    three::grad(&points((Batch(3),), 1), &points((Batch(2),), 2));
}

#[differentiable]
fn weighted(x: &Tensor![f32; 1000, 37], w: &Tensor![f32; 37], k: f32) -> Tensor![f32;] {
    ((x * w).tanh() * k).sum()
}

/// Large enough for several parts and threads: sums of parts, in the order of the parts.
#[test]
fn large_regions_are_divided() {
    let x = Tensor::from_fn(|i| (i as f32 * 0.37).sin());
    let w = Tensor::from_fn(|j| 0.1 + j as f32 * 0.01);
    let (y, (gx, gw, gk)) = weighted::value_and_grad(&x, &w, 1.5);
    let (mut value, mut by_w, mut by_k) = (0.0f64, [0.0f64; 37], 0.0f64);
    for i in 0..1000 {
        for j in 0..37 {
            let (a, b) = (f64::from(x[[i, j]]), f64::from(w[[j]]));
            let t = (a * b).tanh();
            value += 1.5 * t;
            by_k += t;
            by_w[j] += 1.5 * (1.0 - t * t) * a;
            let by_x = 1.5 * (1.0 - t * t) * b;
            assert!((f64::from(gx[[i, j]]) - by_x).abs() < 1e-6);
        }
    }
    assert!((f64::from(y.item()) - value).abs() < 1e-2);
    assert!((f64::from(gk) - by_k).abs() < 1e-2);
    for j in 0..37 {
        assert!((f64::from(gw[[j]]) - by_w[j]).abs() < 1e-3, "{j}");
    }
}

mod fusion {
    mod axes;
    pub mod common;
    mod known;
    mod levels;
    mod regions;
    mod shapes;
    mod turns;
}
