//! Fourier transforms against their definition; lengths, axes, conventions, special values.

use crate::check::between;
use differentiable::prelude::*;

dim!(Batch, Time);

type Parts = (Vec<f64>, Vec<f64>);

/// `Σ_n x_n e^(∓2πi kn/N)`
fn slow(re: &[f64], im: &[f64], sign: f64) -> Parts {
    let n = re.len();
    let at = |k: usize| {
        let mut sum = (0.0, 0.0);
        for j in 0..n {
            let angle = sign * 2.0 * std::f64::consts::PI * ((k * j) % n) as f64 / n as f64;
            let (s, c) = angle.sin_cos();
            sum.0 += re[j] * c - im[j] * s;
            sum.1 += re[j] * s + im[j] * c;
        }
        sum
    };
    (0..n).map(at).unzip()
}

fn near(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            (a - b).abs() <= tolerance,
            "{what}: entry {i} is {a}, expected {b}"
        );
    }
}

fn numbers(n: usize, seed: u64) -> Tensor<(Time,), f64> {
    between((Time(n),), seed, -1.0, 1.0)
}

/// 1, 2, primes, composites, a power of two, a long prime.
const LENGTHS: [usize; 12] = [1, 2, 3, 4, 5, 7, 8, 9, 12, 31, 64, 1009];

#[test]
fn complex_transforms() {
    for n in LENGTHS {
        let (re, im) = (numbers(n, 1), numbers(n, 2));
        let expected = slow(&re.to_vec(), &im.to_vec(), -1.0);
        let (a, b) = re.fft::<0>(&im);
        near("re", &a.to_vec(), &expected.0, 1e-10);
        near("im", &b.to_vec(), &expected.1, 1e-10);
        let (c, d) = a.ifft::<0>(&b);
        near("back re", &c.to_vec(), &re.to_vec(), 1e-13);
        near("back im", &d.to_vec(), &im.to_vec(), 1e-13);
        let (a, b) = re.fft_ortho::<0>(&im);
        let norm =
            |x: &Tensor<(Time,), f64>, y: &Tensor<(Time,), f64>| (x * x + y * y).sum().item();
        assert!((norm(&a, &b) - norm(&re, &im)).abs() < 1e-10, "an isometry");
        let (c, d) = a.ifft_ortho::<0>(&b);
        near("back re", &c.to_vec(), &re.to_vec(), 1e-13);
        near("back im", &d.to_vec(), &im.to_vec(), 1e-13);
    }
}

#[test]
fn real_transforms() {
    for n in LENGTHS {
        let x = numbers(n, 1);
        let expected = slow(&x.to_vec(), &vec![0.0; n], -1.0);
        let (a, b) = x.rfft::<0>();
        assert_eq!(a.len(), n / 2 + 1);
        near("re", &a.to_vec(), &expected.0[..n / 2 + 1], 1e-10);
        near("im", &b.to_vec(), &expected.1[..n / 2 + 1], 1e-10);
        assert_eq!(b.get([0]), Some(0.0));
        near(
            "back",
            &a.irfft::<0, _>(&b, Time(n)).to_vec(),
            &x.to_vec(),
            1e-13,
        );
    }
}

#[test]
fn imaginary_parts_that_mean_nothing_are_not_read() {
    let re: Tensor![f64; 3] = tensor([1.0, 2.0, 3.0]);
    let im: Tensor![f64; 3] = tensor([f64::NAN, 4.0, f64::NAN]);
    let y = re.irfft::<0, _>(&im, Sz::<4>);
    assert_eq!(y.to_vec(), [2.0, -2.5, 0.0, 1.5]);
    // Of an odd length, only that of the first.
    assert!(re.irfft::<0, _>(&im, Sz::<5>).to_vec()[1].is_nan());
}

#[test]
fn along_each_axis_of_a_batch() {
    let re = between(<shape![3, 4, 5]>::default(), 1, -1.0, 1.0);
    let im = between(<shape![3, 4, 5]>::default(), 2, -1.0, 1.0);
    let (a, b) = re.fft::<1>(&im);
    let (c, d) = re.transpose::<1, 2>().fft::<-1>(&im.transpose::<1, 2>());
    assert_eq!((a, b), (c.transpose::<1, 2>(), d.transpose::<1, 2>()));
    let (a, b) = re.fft2(&im);
    let (c, d) = re.fft::<1>(&im);
    let (c, d) = c.fft::<2>(&d);
    near("fft2 re", &a.to_vec(), &c.to_vec(), 1e-13);
    near("fft2 im", &b.to_vec(), &d.to_vec(), 1e-13);
    let (c, d) = a.ifft2(&b);
    near("ifft2 re", &c.to_vec(), &re.to_vec(), 1e-14);
    near("ifft2 im", &d.to_vec(), &im.to_vec(), 1e-14);
    let (a, b) = re.rfft2();
    let (c, d) = re.fft2(&(&re * 0.0));
    near(
        "rfft2 re",
        &a.to_vec(),
        &c.slice::<2, 0, 3>().to_vec(),
        1e-13,
    );
    near(
        "rfft2 im",
        &b.to_vec(),
        &d.slice::<2, 0, 3>().to_vec(),
        1e-13,
    );
    near(
        "irfft2",
        &a.irfft2(&b, Sz::<5>).to_vec(),
        &re.to_vec(),
        1e-14,
    );
}

#[test]
fn rows_do_not_see_one_another() {
    // Enough rows for several threads.
    let mut x = between((Batch(300), Sz::<64>), 1, -1.0, 1.0);
    let clean = x.rfft::<1>().0.to_vec();
    x.raw_mut().edit(|x| x[64] = f64::NAN);
    x.raw_mut().edit(|x| x[130] = f64::INFINITY);
    let found = x.rfft::<1>().0.to_vec();
    assert!(found[33..66].iter().all(|y| y.is_nan()));
    assert!(found[66..99].iter().any(|y| !y.is_finite()));
    assert_eq!(found[99..], clean[99..]);
    assert_eq!(found[..33], clean[..33]);
    let row: Tensor<(Sz<64>,), f64> = Tensor::from_slice(&x.to_vec()[299 * 64..]).unwrap();
    assert_eq!(found[299 * 33..], row.rfft::<0>().0.to_vec());
    let (a, b) = x.fft::<1>(&x);
    let (c, d) = row.fft::<0>(&row);
    assert_eq!(a.to_vec()[299 * 64..], c.to_vec());
    assert_eq!(b.to_vec()[299 * 64..], d.to_vec());
}

#[test]
fn without_entries() {
    let none: Tensor![f64; 3, 0] = Tensor::zeros();
    let (a, b) = none.fft::<1>(&none);
    assert_eq!((a.len(), b.len()), (0, 0));
    let (a, b): (Tensor![f64; 3, 1], Tensor![f64; 3, 1]) = none.rfft::<1>();
    assert_eq!((a.to_vec(), b.to_vec()), (vec![0.0; 3], vec![0.0; 3]));
    assert_eq!(a.irfft::<1, _>(&b, Sz::<0>).len(), 0);
    let (a, b) = none.ifft::<0>(&none);
    assert_eq!((a.len(), b.len()), (0, 0));
}

#[test]
fn single_precision() {
    let x: Tensor![f32; 2, 12] = Tensor::randn(1);
    let wide = x.cast::<f64>();
    let (a, b) = x.rfft::<-1>();
    let (c, d) = wide.rfft::<-1>();
    near("re", &a.cast::<f64>().to_vec(), &c.to_vec(), 1e-5);
    near("im", &b.cast::<f64>().to_vec(), &d.to_vec(), 1e-5);
    let back = a.irfft::<-1, _>(&b, Sz::<12>);
    near("back", &back.cast::<f64>().to_vec(), &wide.to_vec(), 1e-6);
}

#[test]
#[should_panic(
    expected = "irfft: dimension `frequencies` of axis 0 is 4, expected 5 = 8/2 + 1 for a result of size 8"
)]
fn another_length() {
    let (a, b) = numbers(7, 1).rfft::<0>();
    a.irfft::<0, _>(&b, Time(8));
}

#[test]
#[should_panic(
    expected = "fft: the run-time dimension `Time` is 3 on the left, `Time` is 4 on the right"
)]
fn parts_of_different_length() {
    numbers(3, 1).fft::<0>(&numbers(4, 2));
}
