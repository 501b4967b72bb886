//! Tensors of `bf16` and `f16`: rounding, accumulation in `f32`, and derivatives.

use crate::check::between;
use differentiable::prelude::*;

dim!(Batch);

fn floats(n: usize, seed: u64) -> Vec<f32> {
    let x = between((Batch(n),), seed, -4.0, 4.0);
    x.to_vec().iter().map(|&x| x as f32).collect()
}

/// The nearest number with 8 bits, from the definition.
fn nearest_bf16(x: f64) -> f32 {
    let down = f32::from_bits((x as f32).to_bits() & 0xFFFF_0000);
    let candidates = [-1i64, 0, 1, 2].map(|k| {
        let bits = (i64::from(down.to_bits()) + k * 0x1_0000) as u32;
        (f32::from_bits(bits), bits)
    });
    let distance = |y: f32| (f64::from(y) - x).abs();
    let best = candidates
        .iter()
        .map(|c| distance(c.0))
        .fold(f64::INFINITY, f64::min);
    let nearest = candidates.iter().filter(|c| distance(c.0) == best);
    // Of two the even one.
    nearest.min_by_key(|c| (c.1 >> 16) & 1).unwrap().0
}

#[test]
fn conversion_rounds_to_nearest_and_to_even() {
    let step = 2f64.powi(-7);
    let cases = [
        1.0 + step / 2.0,                  // a tie, down to even
        1.0 + 1.5 * step,                  // a tie, up to even
        1.0 + step / 2.0 + 2f64.powi(-23), // above a tie, only just in f32
        1.0 + step / 2.0 + 2f64.powi(-50), // above a tie, only just in f64
        1.0 + 1.5 * step - 2f64.powi(-50), // below a tie
        -(1.0 + step / 2.0 + 2f64.powi(-50)),
        3.0e-3,
        1.0 / 3.0,
        -1.0e10,
    ];
    for x in cases {
        let y = Tensor::<(Sz<1>,), f64>::from_slice(&[x])
            .unwrap()
            .cast::<bf16>();
        assert_eq!(y.to_vec()[0].to_f32(), nearest_bf16(x), "{x:e}");
    }
    for x in floats(2000, 1) {
        let y = Tensor::<(Sz<1>,), f32>::from_slice(&[x])
            .unwrap()
            .cast::<bf16>();
        assert_eq!(y.to_vec()[0].to_f32(), nearest_bf16(f64::from(x)), "{x:e}");
    }
    let special = tensor([f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -0.0, 1e-45]);
    let y = special.cast::<bf16>().to_vec();
    assert_eq!(y[..3], [bf16::INFINITY, bf16::NEG_INFINITY, bf16::INFINITY]);
    assert_eq!((y[3].to_bits(), y[4].to_bits()), (0x8000, 0));
    assert!(tensor([f32::NAN]).cast::<f16>().to_vec()[0].is_nan());
    // The smallest number of f16 is 2⁻²⁴; half of it is a tie with zero, and just above is not.
    let tiny = tensor([
        2f64.powi(-25),
        2f64.powi(-25) * (1.0 + 2f64.powi(-40)),
        65519.999,
        65520.0,
    ]);
    let y = tiny.cast::<f16>().to_vec();
    assert_eq!([y[0].to_bits(), y[1].to_bits()], [0, 1]);
    assert_eq!((y[2], y[3]), (f16::MAX, f16::INFINITY));
}

#[test]
fn every_number_survives_a_detour() {
    let bits: Vec<u16> = (0..=u16::MAX).step_by(7).collect();
    let x: Vec<bf16> = bits
        .iter()
        .map(|&b| bf16::from_bits(b))
        .filter(|x| !x.is_nan())
        .collect();
    let y = Tensor::<(Batch,), bf16>::from_slice_with((Batch(x.len()),), &x).unwrap();
    assert_eq!(y.cast::<f32>().cast::<bf16>(), y);
    assert_eq!(y.cast::<f64>().cast::<bf16>(), y);
    let x: Vec<f16> = bits
        .iter()
        .map(|&b| f16::from_bits(b))
        .filter(|x| !x.is_nan())
        .collect();
    let y = Tensor::<(Batch,), f16>::from_slice_with((Batch(x.len()),), &x).unwrap();
    assert_eq!(y.cast::<f32>().cast::<f16>(), y);
}

#[test]
fn sums_do_not_stop_at_256() {
    let ones: Tensor<(Batch,), bf16> = Tensor::ones_with((Batch(10_000),));
    assert_eq!(ones.sum().item(), bf16::from_f32(10_000.0));
    assert_eq!(ones.sum().item().to_f32(), 9984.0);
    assert_eq!(ones.mean().item(), bf16::ONE);
    let rows = ones.repeat_to::<0, _>(Batch(20_000)).cast::<f16>();
    assert_eq!(rows.sum().item(), f16::from_f32(20_000.0));
    let dot = ones.matmul(&ones);
    assert_eq!(dot.item().to_f32(), 9984.0);
}

#[test]
fn operations_round_once() {
    let (x, y) = (floats(35, 1), floats(35, 2));
    let wide = |v: &[f32]| Tensor::<shape![5, 7], f32>::from_slice(v).unwrap();
    let (a, b) = (wide(&x).cast::<bf16>(), wide(&y).cast::<bf16>());
    let (wa, wb) = (a.cast::<f32>(), b.cast::<f32>());
    assert_eq!(&a + &b, (&wa + &wb).cast());
    assert_eq!(a.clone() - &b, (&wa - &wb).cast());
    assert_eq!(&a * b.clone(), (&wa * &wb).cast());
    assert_eq!(a.clone() / b.clone(), (&wa / &wb).cast());
    assert_eq!(-&a, (-&wa).cast());
    assert_eq!(
        a.matmul(&b.transpose::<0, 1>()),
        wa.matmul(&wb.transpose::<0, 1>()).cast()
    );
    assert_eq!(a.mean_axis::<0>(), wa.mean_axis::<0>().cast());
    assert_eq!(
        a.sum_axis_keepdim::<-1>(),
        wa.sum_axis_keepdim::<-1>().cast()
    );
    assert_eq!(a.max_axis::<1>(), wa.max_axis::<1>().cast());
    assert_eq!(
        a.sum_axis::<0>() * &a,
        (wa.sum_axis::<0>().cast::<bf16>().cast::<f32>() * &wa).cast()
    );
}

/// The gradient through storage is that without it, at the rounded values.
#[test]
fn cotangents_pass_through_casts() {
    #[differentiable]
    fn stored(x: &Tensor![f64; 4], w: &Tensor![4]) -> f64 {
        let y = x.cast::<bf16>().cast::<f32>() * w.cast::<f16>().cast::<f32>();
        y.sum().cast::<f64>().item()
    }
    let x = tensor([1.1, -2.3, 0.7, 1e-3]);
    let w = tensor([0.3, 1.7, -2.9, 5.0]);
    let (d_x, d_w) = stored::grad(&x, &w);
    assert_eq!(d_x, w.cast::<f16>().cast());
    assert_eq!(d_w, x.cast::<bf16>().cast());
    let (value, slope) = stored::jvp((&x, &x), (&w, &w));
    assert_eq!(value, stored(&x, &w));
    let expected: f64 = x
        .to_vec()
        .iter()
        .zip(d_x.to_vec())
        .map(|(a, b)| a * b)
        .sum::<f64>()
        + w.to_vec()
            .iter()
            .zip(d_w.to_vec())
            .map(|(a, b)| f64::from(*a) * f64::from(b))
            .sum::<f64>();
    assert!((slope - expected).abs() < 1e-5, "{slope} is not {expected}");
}

#[test]
fn gradients_of_stored_tensors_are_those_of_wide_ones() {
    macro_rules! both {
        ($t:ident) => {{
            #[differentiable]
            fn stored(
        x: &Tensor![$t; 3, 4],
        w: &Tensor![$t; 4, 2],
        b: &Tensor![$t; 2],
        s: &Tensor![$t; 2],
            ) -> f32 {
                let y = (x.matmul(w) + b) * s - s;
                let z = -((&y - b) / (&y * &y + s * s)) / s;
                let rows = z.sum_axis::<0>() * z.mean_axis::<0>() + y.max_axis::<0>();
                (rows.sum() + y.mean()).cast::<f32>().item() + w.min().cast::<f32>().item()
            }
            stored::value_and_grad
        }};
    }
    let x: Tensor![3, 4] = Tensor::from_slice(&floats(12, 1)).unwrap();
    let w: Tensor![4, 2] = Tensor::from_slice(&floats(8, 2)).unwrap();
    let b: Tensor![2] = tensor([0.5, -1.5]);
    let (x, w) = (
        x.cast::<bf16>().cast::<f32>(),
        w.cast::<bf16>().cast::<f32>(),
    );
    let s: Tensor![2] = tensor([1.25, 2.0]);
    let (value, d) = both!(f32)(&x, &w, &b, &s);
    let near = |a: f32, b: f32, scale: f32, eps: f32| {
        assert!((a - b).abs() <= eps * scale, "{a} is not {b}");
    };
    macro_rules! compare {
        ($t:ident $eps:literal) => {
            let (found, e) = both!($t)(&x.cast(), &w.cast(), &b.cast(), &s.cast());
            near(found, value, value.abs(), $eps);
            for (a, b) in [
                (e.0.to_vec(), d.0.to_vec()),
                (e.1.to_vec(), d.1.to_vec()),
                (e.2.to_vec(), d.2.to_vec()),
                (e.3.to_vec(), d.3.to_vec()),
            ] {
                let largest = b.iter().fold(0f32, |m, x| m.max(x.abs()));
                a.iter()
                    .zip(b)
                    .for_each(|(a, b)| near(*a, b, largest, $eps));
            }
        };
    }
    compare!(bf16 0.1);
    compare!(f16 0.01);
}

#[test]
fn both_modes_agree() {
    #[differentiable]
    fn f(x: &Tensor![f16; 3, 4], w: &Tensor![f16; 4, 2], s: &Tensor![f16; 2]) -> f32 {
        let y = x.matmul(w) * s + s;
        let z = &y / (&y * &y + s * s) - &y.sum_axis::<0>() / s;
        (z.mean() + z.max()).cast::<f32>().item()
    }
    let x: Tensor![f16; 3, 4] = Tensor::<_, f32>::from_slice(&floats(12, 1)).unwrap().cast();
    let w: Tensor![f16; 4, 2] = Tensor::<_, f32>::from_slice(&floats(8, 2)).unwrap().cast();
    let (t_x, t_w): (Tensor![3, 4], Tensor![4, 2]) = (
        Tensor::from_slice(&floats(12, 3)).unwrap(),
        Tensor::from_slice(&floats(8, 4)).unwrap(),
    );
    let s: Tensor![f16; 2] = Tensor::<_, f32>::from_slice(&[0.75, 1.25]).unwrap().cast();
    let t_s: Tensor![2] = tensor([0.9, -0.4]);
    let (value, (d_x, d_w, d_s)) = f::value_and_grad(&x, &w, &s);
    let (same, slope) = f::jvp((&x, &t_x), (&w, &t_w), (&s, &t_s));
    assert_eq!(value, same);
    let dot = (d_x * t_x).sum() + (d_w * t_w).sum() + (d_s * t_s).sum();
    let dot = dot.item();
    assert!(
        (dot - slope).abs() < 1e-3 * (1.0 + slope.abs()),
        "{dot} is not {slope}"
    );
}
