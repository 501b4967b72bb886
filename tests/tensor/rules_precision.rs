//! Digits and special values: offsets, zeros in products, the ends of the range.

use crate::check::between;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

/// Rows of noise on an offset, in single precision.
fn offset<const R: usize, const N: usize>(
    seed: u64,
    at: f64,
    noise: f64,
) -> Tensor<(Sz<R>, Sz<N>), f32> {
    between((Sz::<R>, Sz::<N>), seed, at - noise, at + noise).cast()
}

fn near(what: &str, found: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    for (i, (&f, &e)) in found.iter().zip(expected).enumerate() {
        assert!(
            (f64::from(f) - e).abs() <= tolerance * size,
            "{what}, entry {i}: {f} is not {e}"
        );
    }
}

macro_rules! in_both_precisions {
    ($name:ident, $R:literal, $N:literal, |$x:ident, $g:ident, $b:ident| $body:expr) => {
        mod $name {
            use super::*;
            pub mod single {
                use super::*;
                #[differentiable]
                pub fn f($x: &Tensor![f32; $R, $N], $g: &Tensor![f32; $N], $b: &Tensor![f32; $N]) -> Tensor![f32; $R, $N] {
                    $body
                }
            }
            pub mod double {
                use super::*;
                #[differentiable]
                pub fn f($x: &Tensor![f64; $R, $N], $g: &Tensor![f64; $N], $b: &Tensor![f64; $N]) -> Tensor![f64; $R, $N] {
                    $body
                }
            }
            #[test]
            fn keeps_its_digits_beside_an_offset() {
                for (at, noise) in [(0.0, 1.0), (1e4, 1.0), (1e4, 1e-2), (-3e5, 0.5), (1.0, 1e-5)] {
                    let x = offset::<$R, $N>(1, at, noise);
                    let g: Tensor![f32; $N] = between(Default::default(), 2, 0.5, 1.5).cast();
                    let b: Tensor![f32; $N] = between(Default::default(), 3, -1.0, 1.0).cast();
                    let c: Tensor![f32; $R, $N] = between(Default::default(), 4, -1.0, 1.0).cast();
                    let (wx, wg, wb, wc) = (x.cast::<f64>(), g.cast::<f64>(), b.cast::<f64>(), c.cast::<f64>());
                    let what = format!("{} at {at} ± {noise}", stringify!($name));
                    let (y, pull) = single::f::vjp(&x, &g, &b);
                    let (wy, wide) = double::f::vjp(&wx, &wg, &wb);
                    near(&what, &y.to_vec(), &wy.to_vec(), 3e-6);
                    let (d, wd) = (pull(c.clone()), wide(wc.clone()));
                    near(&format!("d_x of {what}"), &d.0.to_vec(), &wd.0.to_vec(), 2e-5);
                    near(&format!("d_scale of {what}"), &d.1.to_vec(), &wd.1.to_vec(), 2e-5);
                    let (zero, wide_zero) = (&b * 0.0, &wb * 0.0);
                    let t = single::f::jvp((&x, &c), (&g, &zero), (&b, &zero)).1;
                    let wt = double::f::jvp((&wx, &wc), (&wg, &wide_zero), (&wb, &wide_zero)).1;
                    near(&format!("tangent of {what}"), &t.to_vec(), &wt.to_vec(), 2e-5);
                }
            }
        }
    };
}

in_both_precisions!(layer_norm, 3, 65, |x, g, b| x.layer_norm(g, b, 1e-12));
in_both_precisions!(layer_norm_of_many, 2, 5000, |x, g, b| x
    .layer_norm(g, b, 1e-12));
in_both_precisions!(batch_norm, 130, 5, |x, g, b| x.batch_norm(g, b, 1e-12));
in_both_precisions!(variance_of_rows, 3, 65, |x, g, b| {
    let rows = x.var_axis_keepdim::<1>(1).ln();
    (rows.expand::<1, _>(Sz::<65>) + x.std_axis::<0>(0).ln()) * g + b
});
in_both_precisions!(variance_of_columns, 130, 5, |x, g, b| {
    (x * 0.0 + x.var_axis::<0>(0).ln() + x.std(1).ln()) * g + b
});

#[test]
fn equal_entries_have_no_variance() {
    // 0.1 summed three times is not three times 0.1.
    for n in 1..40 {
        let x: Tensor![f32; 1, 3] = Tensor::full(0.1 + n as f32);
        assert_eq!(x.var(0).item(), 0.0);
        assert_eq!(x.std_axis::<1>(1).to_vec(), [0.0]);
        let (g, b) = (Tensor::ones(), Tensor::zeros());
        assert_eq!(x.layer_norm(&g, &b, 1e-5).to_vec(), [0.0; 3]);
    }
}

type Cube = Tensor![f64; 2, 3, 4];

#[differentiable]
fn products(x: &Cube, w: &Tensor![f64; 3]) -> f64 {
    let all = x.prod_axes::<Axes2<0, 2>>();
    let rows = x.prod_axis::<1>() * 0.5;
    (&all * w).sum().item() + rows.sum().item() + x.prod().item()
}

#[differentiable]
fn running_products(x: &Cube, w: &Cube) -> f64 {
    (x.cumprod::<2>() * w + x.cumprod::<0>() + x.cumprod::<-2>() * 0.5)
        .sum()
        .item()
}

#[test]
fn products_with_any_zeros() {
    let w = tensor([0.7, -1.1, 0.4]);
    let v = between(Default::default(), 9, -1.0, 1.0);
    for zeros in [
        &[][..],
        &[5],
        &[0, 23],
        &[5, 6],
        &[4, 5, 6, 7],
        &[3, 11, 12],
    ] {
        let mut x: Cube = between(Default::default(), 1, 0.5, 1.5);
        for &z in zeros {
            x.raw_mut().edit(|x| x[z] = 0.0);
        }
        check_grads::<products, _>(&(x.clone(), w.clone())).unwrap();
        check_grads::<running_products, _>(&(x, v.clone())).unwrap();
    }
}

#[test]
fn products_of_tiny_and_huge_entries() {
    #[differentiable]
    fn product(x: &Tensor![f64; 3]) -> f64 {
        x.prod().item()
    }
    #[differentiable]
    fn last(x: &Tensor![f64; 3]) -> f64 {
        x.cumprod::<0>()[[2]]
    }
    for (x, d) in [
        // The product underflows, one derivative does not.
        ([1e-200, 1e-200, 3.0], [3e-200, 3e-200, 0.0]),
        ([1e-320, 0.5, 2.0], [1.0, 2e-320, 5e-321]),
        // The product overflows.
        ([1e200, 1e200, 1e-200], [1.0, 1.0, f64::INFINITY]),
        ([0.0, 1e200, 1e200], [f64::INFINITY, 0.0, 0.0]),
        (
            [f64::INFINITY, 2.0, 3.0],
            [6.0, f64::INFINITY, f64::INFINITY],
        ),
    ] {
        for (what, found) in [
            ("prod", product::grad(&tensor(x))),
            ("cumprod", last::grad(&tensor(x))),
        ] {
            for (f, e) in found.to_vec().into_iter().zip(d) {
                assert!(
                    f == e || (f - e).abs() <= 1e-15 * e.abs() + 1e-323,
                    "{what} of {x:?}: {f} is not {e}"
                );
            }
        }
    }
}

#[test]
fn norms_at_the_ends_of_the_range() {
    macro_rules! at {
        ($t:ty, $size:expr) => {{
            #[differentiable]
            fn two(x: &Tensor![$t; 3]) -> $t {
                x.norm().item()
            }
            #[differentiable]
            fn three(x: &Tensor![$t; 3]) -> $t {
                x.norm_p(3.0).item()
            }
            let s: $t = $size;
            let x = tensor([3.0 * s, 0.0, -4.0 * s]);
            let (y, d) = two::value_and_grad(&x);
            assert!((y / s - 5.0).abs() < 1e-5, "{y}");
            near("norm", &d.cast::<f32>().to_vec(), &[0.6, 0.0, -0.8], 1e-6);
            let (y, d) = three::value_and_grad(&x);
            let root = 91.0_f64.cbrt();
            assert!((f64::from(y / s) - root).abs() < 1e-5, "{y}");
            let expected = [9.0 / (root * root), 0.0, -16.0 / (root * root)];
            near("norm_p", &d.cast::<f32>().to_vec(), &expected, 1e-5);
            let t = two::jvp((&x, &tensor([1.0, 0.0, 0.0]))).1;
            assert!((t - 0.6).abs() < 1e-5);
            let rows: Tensor![$t; 2, 3] = tensor([[3.0 * s, 0.0, -4.0 * s], [0.0; 3]]);
            assert_eq!(rows.norm_axis::<1>().to_vec()[1], 0.0);
        }};
    }
    at!(f32, 1e30);
    at!(f32, 1e-30);
    at!(f32, 1e-38);
    at!(f64, 1e300);
    at!(f64, 1e-300);
    let inf = f64::INFINITY;
    assert_eq!(tensor([inf, 1.0]).norm().item(), inf);
    assert!(tensor([f64::NAN, 1e-300]).norm().item().is_nan());
    assert!(tensor([f64::NAN, 1e300]).norm_p(3.0).item().is_nan());
}

#[test]
fn slopes_far_away() {
    macro_rules! slopes {
        ($($f:ident)*) => { $( {
            #[differentiable]
            fn single(x: &Tensor![f32; 6]) -> Tensor![f32;] { x.$f().sum() }
            #[differentiable]
            fn double(x: &Tensor![f64; 6]) -> Tensor![f64;] { x.$f().sum() }
            let far = [40.0, -40.0, 1e5, -1e5, 1e38, -1e38];
            let expected = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
            near(stringify!($f), &single::grad(&tensor(far)).to_vec(), &expected, 1e-6);
            let far = far.map(|x: f32| f64::from(x).powi(if x.abs() > 1e30 { 7 } else { 1 }));
            let d = double::grad(&tensor(far)).cast::<f32>();
            near(stringify!($f), &d.to_vec(), &expected, 1e-6);
        } )* };
    }
    slopes!(gelu_tanh gelu silu mish softplus relu hardswish);
}

#[test]
fn nan_and_the_smallest_power() {
    #[differentiable]
    fn abs(x: &Tensor![f64; 4]) -> Tensor![f64;] {
        x.abs().sum()
    }
    let d = abs::grad(&tensor([f64::NAN, -0.0, 0.0, -2.0])).to_vec();
    assert!(d[0].is_nan() && d[1..] == [0.0, 0.0, -1.0], "{d:?}");
    #[differentiable]
    fn clamp(x: &Tensor![f64; 4]) -> Tensor![f64;] {
        x.clamp(-1.0, 1.0).sum()
    }
    let d = clamp::grad(&tensor([f64::NAN, -1.0, 1.0, -2.0])).to_vec();
    assert_eq!(d, [0.0, 1.0, 1.0, 0.0]);
    #[differentiable]
    fn power(x: &Tensor![f64; 3]) -> Tensor![f64;] {
        x.powi(i32::MIN).sum()
    }
    let d = power::grad(&tensor([1.0, 2.0, 1.0 + 1e-9])).to_vec();
    let n = f64::from(i32::MIN);
    let expected = n * (n * 1e-9_f64.ln_1p()).exp();
    assert_eq!(d[..2], [n, -0.0]);
    assert!((d[2] / expected - 1.0).abs() < 1e-6, "{d:?}");
}

#[test]
fn rows_with_infinities() {
    let inf = f64::INFINITY;
    let all_nan = |x: Tensor![f64; 3]| x.to_vec().iter().all(|x| x.is_nan());
    for row in [[inf, 0.0, 0.0], [-inf; 3], [inf; 3], [inf, -inf, 0.0]] {
        assert!(all_nan(tensor(row).softmax::<0>()), "{row:?}");
        assert!(all_nan(tensor(row).log_softmax::<0>()), "{row:?}");
    }
    let x = tensor([-inf, 0.0, 0.0]);
    assert_eq!(x.softmax::<0>().to_vec(), [0.0, 0.5, 0.5]);
    assert_eq!(x.log_softmax::<0>()[[0]], -inf);
}

#[test]
fn norms_of_no_channels() {
    dim!(Channels, Pixels);
    let x: Tensor![f64; 2, Channels, Pixels] = Tensor::zeros_with((Sz, Channels(0), Pixels(3)));
    let (g, b) = (
        Tensor::ones_with((Channels(0),)),
        Tensor::zeros_with((Channels(0),)),
    );
    assert_eq!(x.batch_norm(&g, &b, 1e-5).len(), 0);
    assert_eq!(x.instance_norm(&g, &b, 1e-5).len(), 0);
    #[differentiable]
    fn f(
        x: &Tensor![f64; 2, Channels, Pixels],
        g: &Tensor![f64; Channels],
        b: &Tensor![f64; Channels],
    ) -> Tensor![f64;] {
        x.batch_norm(g, b, 1e-5).sum() + x.instance_norm(g, b, 1e-5).sum()
    }
    assert_eq!(f::grad(&x, &g, &b).0.len(), 0);
    assert_eq!(f::jvp((&x, &x), (&g, &g), (&b, &b)).1.item(), 0.0);
}

mod sizes {
    use super::*;
    dim!(Rows, Columns, None);

    #[test]
    fn more_elements_than_can_be_counted() {
        let shape = (Rows(usize::MAX / 2), Columns(3));
        let e = Tensor::<_, f64>::from_slice_with(shape, &[1.0, 2.0]).unwrap_err();
        let text = format!(
            "a tensor of shape [{}, 3] has more elements than a `usize` counts, but 2 were given",
            usize::MAX / 2
        );
        assert_eq!(e.to_string(), text);
        assert!(matches!(e, ShapeError::TooLarge { found: 2, .. }));
        // Of nothing there is nothing, whatever the other sizes.
        let none = (None(0), Rows(usize::MAX), Columns(usize::MAX));
        assert_eq!(
            Tensor::<_, f64>::from_slice_with(none, &[]).unwrap().len(),
            0
        );
    }

    #[test]
    #[should_panic(expected = "has more elements than a `usize` counts")]
    fn zeros_without_end() {
        let _ = Tensor::<_, f32>::zeros_with((Rows(usize::MAX / 2), Columns(3)));
    }
}
