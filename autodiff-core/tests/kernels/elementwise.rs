use super::common::*;
use autodiff_core::device::{BinaryOp, CompareOp, Cpu, Dims, Saves, Side, UnaryOp};
use autodiff_core::tensor::raw::Raw;
use proptest::prelude::*;

type Binary = fn(f64, f64) -> f64;
type Comparison = fn(&i64, &i64) -> bool;

/// Name, exact function, derivative by hand, and the interval to test on.
type Case = (UnaryOp, fn(f64) -> f64, fn(f64) -> f64, f64, f64);

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The normal distribution function by Simpson's rule with one step of Richardson's
/// extrapolation: independent of the library's `erf`.
fn normal_cdf(x: f64) -> f64 {
    let pdf = |t: f64| (-0.5 * t * t).exp() / std::f64::consts::TAU.sqrt();
    let simpson = |n: i32| {
        let h = x / f64::from(n);
        let inner: f64 = (1..n)
            .map(|i| if i % 2 == 1 { 4.0 } else { 2.0 } * pdf(h * f64::from(i)))
            .sum();
        h / 3.0 * (pdf(0.0) + inner + pdf(x))
    };
    0.5 + (16.0 * simpson(2000) - simpson(1000)) / 15.0
}

fn cases() -> Vec<Case> {
    use UnaryOp::*;
    vec![
        (Neg, |x| -x, |_| -1.0, -9.0, 9.0),
        (Exp, f64::exp, f64::exp, -9.0, 9.0),
        (
            Exp2,
            f64::exp2,
            |x| x.exp2() * std::f64::consts::LN_2,
            -9.0,
            9.0,
        ),
        (ExpM1, f64::exp_m1, f64::exp, -4.0, 4.0),
        (Sqrt, f64::sqrt, |x| 0.5 / x.sqrt(), 0.1, 9.0),
        (
            Cbrt,
            f64::cbrt,
            |x| 1.0 / (3.0 * x.cbrt().powi(2)),
            0.1,
            9.0,
        ),
        (Tan, f64::tan, |x| 1.0 / x.cos().powi(2), -1.4, 1.4),
        (Tanh, f64::tanh, |x| 1.0 / x.cosh().powi(2), -3.0, 3.0),
        (Recip, |x| 1.0 / x, |x| -1.0 / (x * x), 0.2, 5.0),
        (
            Sigmoid,
            sigmoid,
            |x| (-x).exp() / (1.0 + (-x).exp()).powi(2),
            -9.0,
            9.0,
        ),
        (
            Relu,
            |x| x.max(0.0),
            |x| if x > 0.0 { 1.0 } else { 0.0 },
            -3.0,
            3.0,
        ),
        (Ln, f64::ln, |x| 1.0 / x, 0.1, 20.0),
        (Log2, f64::log2, |x| std::f64::consts::LOG2_E / x, 0.1, 20.0),
        (
            Log10,
            f64::log10,
            |x| std::f64::consts::LOG10_E / x,
            0.1,
            20.0,
        ),
        (Ln1p, f64::ln_1p, |x| 1.0 / (1.0 + x), -0.8, 20.0),
        (Sin, f64::sin, f64::cos, -9.0, 9.0),
        (Cos, f64::cos, |x| -x.sin(), -9.0, 9.0),
        (Sinh, f64::sinh, f64::cosh, -4.0, 4.0),
        (Cosh, f64::cosh, f64::sinh, -4.0, 4.0),
        (Asin, f64::asin, |x| 1.0 / (1.0 - x * x).sqrt(), -0.9, 0.9),
        (Acos, f64::acos, |x| -1.0 / (1.0 - x * x).sqrt(), -0.9, 0.9),
        (Atan, f64::atan, |x| 1.0 / (1.0 + x * x), -9.0, 9.0),
        (Asinh, f64::asinh, |x| 1.0 / (1.0 + x * x).sqrt(), -9.0, 9.0),
        (Acosh, f64::acosh, |x| 1.0 / (x * x - 1.0).sqrt(), 1.2, 9.0),
        (Atanh, f64::atanh, |x| 1.0 / (1.0 - x * x), -0.9, 0.9),
        (Abs, f64::abs, f64::signum, -3.0, 3.0),
        (Fract, f64::fract, |_| 1.0, 0.0, 0.99),
        (
            Gelu,
            |x| x * normal_cdf(x),
            |x| normal_cdf(x) + x * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt(),
            -4.0,
            4.0,
        ),
        (
            GeluTanh,
            |x| {
                0.5 * x
                    * (1.0
                        + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh())
            },
            |x| {
                let f = |x: f64| {
                    0.5 * x
                        * (1.0
                            + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3)))
                                .tanh())
                };
                (f(x - 2e-3) - 8.0 * f(x - 1e-3) + 8.0 * f(x + 1e-3) - f(x + 2e-3)) / 12e-3
            },
            -4.0,
            4.0,
        ),
        (
            Silu,
            |x| x * sigmoid(x),
            |x| sigmoid(x) + x * sigmoid(x) * (1.0 - sigmoid(x)),
            -9.0,
            9.0,
        ),
        (
            Softplus,
            |x| x.max(0.0) + (-x.abs()).exp().ln_1p(),
            sigmoid,
            -40.0,
            40.0,
        ),
        (Floor, f64::floor, |_| 0.0, 0.1, 0.9),
        (Ceil, f64::ceil, |_| 0.0, 0.1, 0.9),
        (Round, f64::round, |_| 0.0, 0.6, 1.4),
        (Trunc, f64::trunc, |_| 0.0, 0.1, 0.9),
        (Signum, f64::signum, |_| 0.0, 0.1, 0.9),
        (Square, |x| x * x, |x| 2.0 * x, -3.0, 3.0),
        (Powi(3), |x| x * x * x, |x| 3.0 * x * x, -3.0, 3.0),
        (Powi(0), |_| 1.0, |_| 0.0, -3.0, 3.0),
        (
            Powi(-2),
            |x| 1.0 / (x * x),
            |x| -2.0 / (x * x * x),
            0.3,
            3.0,
        ),
        (Powf(1.5), |x| x * x.sqrt(), |x| 1.5 * x.sqrt(), 0.1, 3.0),
        (Affine(2.0, -3.0), |x| 2.0 * x - 3.0, |_| 2.0, -3.0, 3.0),
        (
            Clamp(-1.0, 0.5),
            |x| x.clamp(-1.0, 0.5),
            |x| if (-1.0..=0.5).contains(&x) { 1.0 } else { 0.0 },
            -3.0,
            3.0,
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn unary_functions_and_pullbacks(s in sizes(), l in lie(), lc in lie(), seed in 1u64..1000) {
        for (op, f, slope, lo, hi) in cases() {
            let x = make_f64(&s, l, seed, lo, hi);
            let ct = make_f64(&s, lc, seed + 1, -2.0, 2.0);
            let acc = make_f64(&s, Lie::Dense, seed + 2, -2.0, 2.0);
            let xs = x.to_vec();
            let expected: Vec<f64> = xs.iter().map(|&x| f(x)).collect();
            let y = x.clone().unary(op);
            assert_close(&y.to_vec(), &expected, 1e-12);
            // In place: a dense tensor with one owner.
            assert_close(&x.copied().unary(op).to_vec(), &expected, 1e-12);

            let saved = if op.saves() == Saves::Output { &y } else { &x };
            let expected: Vec<f64> = xs.iter().zip(ct.to_vec()).map(|(&x, c)| c * slope(x)).collect();
            assert_close(&Raw::unary_pullback(op, saved, ct.clone()).to_vec(), &expected, 1e-9);
            assert_close(&Raw::unary_pullback(op, saved, ct.copied()).to_vec(), &expected, 1e-9);
            let mut sum = acc.clone();
            Raw::unary_pullback_into(op, saved, &ct, &mut sum);
            let expected: Vec<f64> = expected.iter().zip(acc.to_vec()).map(|(e, a)| e + a).collect();
            assert_close(&sum.to_vec(), &expected, 1e-9);

            let x32 = make_f32(&s, l, seed, lo, hi);
            let expected: Vec<f64> = x32.to_vec().iter().map(|&x| f(f64::from(x))).collect();
            assert_close(&wide(&x32.unary(op).to_vec()), &expected, 4e-6);
        }
    }

    #[test]
    fn binary_functions_broadcast(
        s in sizes(), drop in 0usize..4, ones in prop::collection::vec(any::<bool>(), 4),
        la in lie(), lb in lie(), seed in 1u64..1000,
    ) {
        use BinaryOp::*;
        let short: Vec<usize> = s.iter().zip(&ones).skip(drop.min(s.len())).map(|(&d, &one)| if one { 1 } else { d }).collect();
        let ops: [(BinaryOp, Binary); 9] = [
            (Add, |a, b| a + b), (Sub, |a, b| a - b), (Mul, |a, b| a * b), (Div, |a, b| a / b), (Powf, f64::powf),
            (Atan2, f64::atan2), (Hypot, f64::hypot), (Max, f64::max), (Min, f64::min),
        ];
        let a = make_f64(&s, la, seed, 0.2, 3.0);
        let b = make_f64(&short, lb, seed + 1, 0.2, 3.0);
        let at = indices(&s);
        let (av, bv) = (a.to_vec(), b.to_vec());
        for (op, f) in ops {
            let expected: Vec<f64> = at.iter().map(|i| f(av[position(&s, i)], bv[position(&short, i)])).collect();
            let flipped: Vec<f64> = at.iter().map(|i| f(bv[position(&short, i)], av[position(&s, i)])).collect();
            assert_close(&Raw::binary(op, a.clone(), b.clone()).to_vec(), &expected, 1e-14);
            assert_close(&Raw::binary(op, a.copied(), b.copied()).to_vec(), &expected, 1e-14);
            assert_close(&Raw::binary(op, b.clone(), a.copied()).to_vec(), &flipped, 1e-14);
            let mut acc = a.copied();
            Raw::binary_into(op, &a, &b, &mut acc);
            let sums: Vec<f64> = expected.iter().zip(&av).map(|(e, a)| e + a).collect();
            assert_close(&acc.to_vec(), &sums, 1e-14);
            let scalar: Vec<f64> = av.iter().map(|&a| f(a, 0.7)).collect();
            assert_close(&a.clone().binary_scalar(op, 0.7).to_vec(), &scalar, 1e-14);
            assert_close(&a.copied().binary_scalar(op, 0.7).to_vec(), &scalar, 1e-14);
            let scalar: Vec<f64> = av.iter().map(|&a| f(0.7, a)).collect();
            assert_close(&Raw::scalar_binary(op, 0.7, a.clone()).to_vec(), &scalar, 1e-14);
            assert_close(&Raw::scalar_binary(op, 0.7, a.copied()).to_vec(), &scalar, 1e-14);

            // Pullbacks against central differences.
            let ct = make_f64(&s, la, seed + 2, -2.0, 2.0);
            let h = 1e-5;
            for side in [Side::Left, Side::Right] {
                let slope: Vec<f64> = at.iter().zip(ct.to_vec()).map(|(i, c)| {
                    let (x, y) = (av[position(&s, i)], bv[position(&short, i)]);
                    if matches!(op, Max | Min) && (x - y).abs() <= h {
                        // The difference would step over the kink.
                        let left = (x > y) == (op == Max);
                        assert!(x != y, "a tie has its own test");
                        return if left == (side == Side::Left) { c } else { 0.0 };
                    }
                    let g = |d: f64| if side == Side::Left { f(x + d, y) } else { f(x, y + d) };
                    c * (g(h) - g(-h)) / (2.0 * h)
                }).collect();
                assert_close(&Raw::binary_pullback(op, side, &a, &b, ct.clone()).to_vec(), &slope, 2e-7);
                assert_close(&Raw::binary_pullback(op, side, &a, &b, ct.copied()).to_vec(), &slope, 2e-7);
                let mut acc = a.copied();
                Raw::binary_pullback_into(op, side, &a, &b, &ct, &mut acc);
                let sums: Vec<f64> = slope.iter().zip(&av).map(|(e, a)| e + a).collect();
                assert_close(&acc.to_vec(), &sums, 2e-7);
            }
        }
        let mut acc = a.copied();
        acc.add_scaled(-0.5, &b);
        let expected: Vec<f64> = at.iter().map(|i| av[position(&s, i)] - 0.5 * bv[position(&short, i)]).collect();
        assert_close(&acc.to_vec(), &expected, 1e-14);
    }

    #[test]
    fn comparison_and_selection(s in sizes(), la in lie(), lb in lie(), seed in 1u64..1000) {
        let mut next = numbers(seed, 0.0, 3.0);
        let a = make(&s, la, |i| next(i) as i64);
        let b = make(&s, lb, |i| next(i) as i64);
        let ops: [(CompareOp, Comparison); 6] = [
            (CompareOp::Eq, i64::eq), (CompareOp::Ne, i64::ne), (CompareOp::Lt, i64::lt),
            (CompareOp::Le, i64::le), (CompareOp::Gt, i64::gt), (CompareOp::Ge, i64::ge),
        ];
        for (op, f) in ops {
            let mask = Raw::compare(op, &a, &b);
            let m: Vec<bool> = a.to_vec().iter().zip(&b.to_vec()).map(|(a, b)| f(a, b)).collect();
            prop_assert_eq!(mask.to_vec(), m.clone());
            let pick: Vec<i64> = m.iter().zip(a.to_vec().iter().zip(b.to_vec())).map(|(&m, (&a, b))| if m { a } else { b }).collect();
            prop_assert_eq!(Raw::select(&mask, &a, &b).to_vec(), pick);
            let keep: Vec<i64> = m.iter().zip(a.to_vec()).map(|(&m, a)| if m { a } else { 7 }).collect();
            prop_assert_eq!(a.clone().keep_where(&mask, 7).to_vec(), keep.clone());
            prop_assert_eq!(a.copied().keep_where(&mask, 7).to_vec(), keep);
        }
    }
}

fn row(x: &[f64]) -> Tensor<f64> {
    Raw::from_slice(&Cpu, [x.len()], x)
}

#[test]
fn kinks_and_special_values() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let x = row(&[-0.0, 0.0, nan, inf, -inf]);
    let ones = || row(&[1.0; 5]);
    let relu = x.clone().unary(UnaryOp::Relu);
    assert_close(&relu.to_vec(), &[0.0, 0.0, nan, inf, 0.0], 0.0);
    assert_close(
        &Raw::unary_pullback(UnaryOp::Relu, &relu, ones()).to_vec(),
        &[0.0, 0.0, 0.0, 1.0, 0.0],
        0.0,
    );
    assert_close(
        &Raw::unary_pullback(UnaryOp::Abs, &x, ones()).to_vec(),
        &[0.0, 0.0, nan, 1.0, -1.0],
        0.0,
    );
    assert!(x.clone().unary(UnaryOp::Sqrt).to_vec()[0].is_sign_negative());
    assert_close(
        &x.clone().unary(UnaryOp::Exp).to_vec(),
        &[1.0, 1.0, nan, inf, 0.0],
        0.0,
    );
    assert_close(
        &x.clone().unary(UnaryOp::Ln).to_vec(),
        &[-inf, -inf, nan, inf, nan],
        0.0,
    );
    assert_close(
        &x.clone().unary(UnaryOp::Sigmoid).to_vec(),
        &[0.5, 0.5, nan, 1.0, 0.0],
        0.0,
    );
    assert_close(
        &x.clone().unary(UnaryOp::Softplus).to_vec(),
        &[2f64.ln(), 2f64.ln(), nan, inf, 0.0],
        1e-15,
    );
    let clamp = UnaryOp::Clamp(0.0, 1.0);
    assert_close(
        &x.clone().unary(clamp).to_vec(),
        &[0.0, 0.0, nan, 1.0, 0.0],
        0.0,
    );
    assert_close(
        &Raw::unary_pullback(clamp, &row(&[0.0, 1.0, -1.0, 2.0, 0.5]), ones()).to_vec(),
        &[1.0, 1.0, 0.0, 0.0, 1.0],
        0.0,
    );
}

#[test]
fn ties_share_and_nan_loses() {
    let nan = f64::NAN;
    // Of two, the first gets all, as with scalars: its value is taken.
    let (a, b) = (
        row(&[1.0, 1.0, nan, 2.0, nan]),
        row(&[1.0, 2.0, 3.0, nan, nan]),
    );
    for (op, left) in [
        (BinaryOp::Max, [0.5, 0.0, 0.0, 1.0, 1.0]),
        (BinaryOp::Min, [0.5, 1.0, 0.0, 1.0, 1.0]),
    ] {
        let l = Raw::binary_pullback(op, Side::Left, &a, &b, row(&[1.0; 5])).to_vec();
        let r = Raw::binary_pullback(op, Side::Right, &a, &b, row(&[1.0; 5])).to_vec();
        assert_eq!(l, left);
        assert!(l.iter().zip(&r).all(|(l, r)| l + r == 1.0));
    }
    assert_close(
        &Raw::binary(BinaryOp::Max, a, b).to_vec(),
        &[1.0, 2.0, 3.0, 2.0, nan],
        0.0,
    );
}

#[test]
fn powers_at_zero() {
    let (a, b) = (row(&[0.0, 0.0, 2.0, 0.0]), row(&[0.0, 2.0, 0.0, 1.0]));
    let one = || row(&[1.0; 4]);
    assert_eq!(
        Raw::binary_pullback(BinaryOp::Powf, Side::Left, &a, &b, one()).to_vec(),
        [0.0, 0.0, 0.0, 1.0]
    );
    assert_close(
        &Raw::binary_pullback(BinaryOp::Powf, Side::Right, &a, &b, one()).to_vec(),
        &[0.0, 0.0, 2f64.ln(), 0.0],
        1e-15,
    );
}

#[test]
fn casts() {
    let x = Raw::from_slice(&Cpu, Dims::new(&[4]), &[1.7f32, -1.7, f32::NAN, 3e9]);
    assert_eq!(x.cast::<i64>().to_vec(), [1, -1, 0, 3_000_000_000]);
    assert_eq!(x.cast::<u8>().to_vec(), [1, 0, 0, 255]);
    let big = Raw::from_slice(&Cpu, [1], &[(1i64 << 53) + 1]);
    assert_eq!(big.cast::<u32>().to_vec(), [1]);
    assert_eq!(big.cast::<f64>().cast::<i64>().to_vec(), [1 << 53]);
    assert_eq!(
        Raw::from_slice(&Cpu, [2], &[true, false])
            .cast::<f64>()
            .to_vec(),
        [1.0, 0.0]
    );
    let halves = Raw::from_slice(&Cpu, [2], &[1.0f32, 0.333_333]).cast::<half::bf16>();
    assert_eq!(halves.cast::<f32>().to_vec(), [1.0, 0.333_984_38]);
}
