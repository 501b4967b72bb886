//! Rules that are generic over their scalar: derivatives of every order.

use differentiable::ad::{Scalar, check_grads, check_hvp};
use differentiable::prelude::*;

/// `ln(1 + eˣ)`, without overflow.
fn soft<T: Scalar>(x: T) -> T {
    let far = x > T::ZERO;
    let e = if far { (-x).exp() } else { x.exp() };
    let y = e.ln_1p();
    if far { x + y } else { y }
}

#[derivative(of = soft)]
fn soft_rule<T: Scalar>(x: T) -> (T, impl Fn(T) -> T) {
    let slope = T::ONE / (T::ONE + (-x).exp());
    (soft(x), move |ct| ct * slope)
}

/// The logarithm of a mean of exponentials, the hardness `k` of which is a parameter.
fn smooth_max<T: Scalar>(x: &[T], k: T) -> T {
    let sum = x.iter().fold(T::ZERO, |sum, x| sum + (*x * k).exp());
    sum.ln() / k
}

#[derivative(of = smooth_max)]
fn smooth_max_rule<T: Scalar>(x: &[T], k: T) -> (T, impl Fn(T) -> (Vec<T>, T)) {
    let (x, y) = (x.to_vec(), smooth_max(x, k));
    (y, move |ct| {
        let shares: Vec<T> = x.iter().map(|x| ((*x - y) * k).exp()).collect();
        let pairs = shares.iter().zip(&x);
        let mean = pairs.fold(T::ZERO, |sum, (p, x)| sum + *p * *x);
        let by_x = shares.iter().map(|p| *p * ct).collect();
        (by_x, ct * (mean - y) / k)
    })
}

fn norm<T: Scalar, const N: usize>(x: &[T; N]) -> T {
    x.iter().fold(T::ZERO, |sum, x| sum + *x * *x).sqrt()
}

#[derivative(of = norm)]
fn norm_rule<T: Scalar, const N: usize>(x: &[T; N]) -> (T, impl Fn(T) -> [T; N]) {
    let (x, y) = (*x, norm(x));
    (y, move |ct| x.map(|x| ct * x / y))
}

/// A value of several numbers, whose forward rule is given.
fn turned<T: Scalar>(x: [T; 2], angle: T) -> [T; 2] {
    let (s, c) = angle.sin_cos();
    [c * x[0] - s * x[1], s * x[0] + c * x[1]]
}

#[derivative(of = turned, jvp = turned_forward)]
fn turned_rule<T: Scalar>(x: [T; 2], angle: T) -> ([T; 2], impl Fn([T; 2]) -> ([T; 2], T)) {
    let y = turned(x, angle);
    let pull = move |ct: [T; 2]| (turned(ct, -angle), ct[1] * y[0] - ct[0] * y[1]);
    (y, pull)
}

fn turned_forward<T: Scalar>((x, dx): ([T; 2], [T; 2]), (a, da): (T, T)) -> ([T; 2], [T; 2]) {
    let (y, t) = (turned(x, a), turned(dx, a));
    (y, [t[0] - da * y[1], t[1] + da * y[0]])
}

#[differentiable]
fn first(x: f64) -> f64 {
    soft(x) * x
}

#[differentiable]
fn single(x: f32) -> f32 {
    soft(x) * x
}

#[differentiable(higher_order)]
fn energy(x: &[f64], k: f64) -> f64 {
    let both = turned([x[0], x[1]], k);
    smooth_max(x, k) * soft(x[0]) + norm(&[x[1], k, x[2]]) * smooth_max(&[both[0], x[1] * k], 2.0)
}

/// The largest slope in some places: a gradient of what has a rule.
#[differentiable(higher_order)]
fn steepest(x: f64, k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        let slope = bent::grad(x + 0.5 * i as f64, k).0;
        sum += slope * slope;
    }
    sum.sqrt()
}

#[differentiable(higher_order)]
fn bent(x: f64, k: f64) -> f64 {
    soft(x * k) * norm(&[x, k])
}

#[test]
fn first_order() {
    check_grads::<first, _>(&(0.3,)).unwrap();
    assert!((single::grad(0.3) - first::grad(0.3) as f32).abs() < 1e-6);
    let (_, t) = first::jvp((0.3, 2.0));
    assert!((t - 2.0 * first::grad(0.3)).abs() < 1e-15);
}

#[test]
fn higher_orders() {
    for k in [0.7, 1.9] {
        let args = (vec![0.1, 0.4, -0.3], k);
        check_grads::<energy, _>(&args).unwrap();
        check_hvp::<energy, f64, _>(&args).unwrap();
        check_grads::<steepest, _>(&(0.2, k)).unwrap();
        check_hvp::<steepest, f64, _>(&(0.2, k)).unwrap();
    }
    // The third derivative of a sum of logarithms, by hand: s (1 - s) (1 - 2 s) of the sigmoid s.
    #[differentiable(higher_order)]
    fn slope(x: f64) -> f64 {
        plain::grad(x)
    }
    #[differentiable(higher_order)]
    fn plain(x: f64) -> f64 {
        soft(x)
    }
    let s = 1.0 / (1.0 + (-0.3_f64).exp());
    assert!((slope::hessian(0.3) - s * (1.0 - s) * (1.0 - 2.0 * s)).abs() < 1e-15);
}
