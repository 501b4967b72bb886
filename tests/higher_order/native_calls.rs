//! Functions of `f64` that are called where no derivative is asked: their value decides, or is held constant.
//!
//! First and second derivatives against central differences, at points away from where the decision changes.

use differentiable::ad::Scalar;
use differentiable::{differentiable, no_grad, stop_gradient};
use std::time::Duration;

fn far(x: f64) -> f64 {
    x.abs()
}
fn is_far(x: f64) -> bool {
    x.abs() > 1.0
}
fn bin(x: f64, width: f64) -> usize {
    (x / width) as usize
}
fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
fn limit() -> f64 {
    1.5
}
fn coefficients(i: usize) -> [f64; 3] {
    [i as f64, 0.5, 1.0 + i as f64]
}
fn pick<T: Copy>(v: &[T], i: usize) -> T {
    v[i]
}
fn residual<T: Scalar>(x: T, a: T) -> T {
    x * x - a
}
fn wave(i: i32, x: f64) -> f64 {
    x + f64::from(i)
}
fn try_far(x: f64) -> Result<bool, String> {
    if x.is_nan() {
        Err("not a number".into())
    } else {
        Ok(x > 1.0)
    }
}
#[differentiable]
fn first_only(x: f64) -> f64 {
    x.sin()
}

#[differentiable(higher_order)]
fn branch(x: f64) -> f64 {
    assert!(x.is_finite() && !is_far(x * 0.01));
    let mut y = if far(x) > 1.0 { x * x * x } else { x.sin() };
    if is_far(x * 2.0) {
        y *= x;
    }
    if first_only(x) > 0.5 { y * x } else { y }
}

#[test]
fn branches() {
    check!(branch(0.3), branch(0.7), branch(1.7), branch(-2.0));
}

#[differentiable(higher_order)]
fn sums(v: &[f64]) -> f64 {
    let mut s = v[0] * v[1] * v[1];
    for &x in v {
        s += if is_far(x) { x * x * x } else { x * x };
    }
    if norm(v) > limit() {
        s = s * s;
    }
    if norm(&v[1..]) > limit() {
        s *= 3.0;
    }
    let near = v.iter().filter(|x| !is_far(**x)).count();
    if v.iter().all(|x| is_far(*x)) {
        s
    } else {
        s * near as f64
    }
}

#[test]
fn slices() {
    check!(
        sums(vec![1.3, 2.0, 0.5]),
        sums(vec![0.9, 0.2, 0.5]),
        sums(vec![1.3, 2.0])
    );
}

#[differentiable(higher_order)]
fn root(x: f64, a: f64) -> f64 {
    let mut y = x;
    let mut n = 0;
    while residual(y, a).abs() > 1e-13 && n < 60 {
        y = 0.5 * (y + a / y);
        n += 1;
    }
    while far(y * y - a) > 1e-13 {
        y = 0.5 * (y + a / y);
    }
    y * x
}

#[test]
fn iterations() {
    check!(root(1.2, 2.0));
    // (x√a)'' by a
    let [[_, _], [_, aa]] = {
        let ((a, b), (c, d)) = root::hessian(1.2, 2.0);
        [[a, b], [c, d]]
    };
    super::near(aa, -1.2 * 0.25 * 2f64.powf(-1.5), 1e-10);
}

#[differentiable(higher_order)]
fn polynomial(x: f64) -> f64 {
    let n = bin(x, 0.5);
    let c = coefficients(2);
    let mut s = c[0] + c[1] * x + c[2] * x * x;
    for k in 0..n {
        s += x.powi(k as i32) * coefficients(k)[2] * limit();
    }
    let mut i = 0;
    while wave(i, x) < 3.0 {
        i += 1;
    }
    let k = 2;
    if wave(k, 0.0) > 1.0 && wave(-1, x) < 9.0 {
        s * x * i as f64
    } else {
        x
    }
}

#[test]
fn integers_without_a_type() {
    check!(polynomial(0.3), polynomial(1.3));
}

#[differentiable(higher_order)]
fn cubic(x: f64, y: f64) -> f64 {
    x * x * x * y + y.exp() - x
}

#[differentiable(higher_order)]
fn by_slopes(x: f64, y: f64) -> f64 {
    let (gx, _) = cubic::grad(x, y);
    let (value, (_, gy)) = cubic::value_and_grad(x, y);
    let (_, along) = cubic::jvp((x, 1.0), (y, 0.5));
    let hessian = cubic::hessian(x, y);
    let mut s = x * x * y;
    if gx > 0.0 && value < 100.0 {
        s *= x;
    }
    if gy > 0.0 {
        s *= y;
    }
    if along > 0.0 {
        s += x;
    }
    if hessian.0.0 > 0.0 {
        s *= 2.0;
    }
    if cubic::grad(x, y).0 > 0.5 {
        s *= x;
    }
    s
}

#[test]
fn derivatives_decide() {
    check!(
        by_slopes(0.7, 0.2),
        by_slopes(1.7, 0.4),
        by_slopes(-0.7, -2.0)
    );
}

/// A name of a variable that is the name of the function too.
#[differentiable(higher_order)]
fn shadowed(v: &[f64]) -> f64 {
    let first = no_grad!(pick(v, 0));
    let far = far(v[1]);
    let norm = norm(v);
    if far > first && norm > 0.1 {
        v[0] * v[1]
    } else {
        v[0] * v[0] * v[1]
    }
}

#[test]
fn shadowed_names() {
    check!(shadowed(vec![0.5, 0.2, 1.0]), shadowed(vec![0.1, 0.2, 0.3]));
}

#[differentiable(higher_order)]
fn held(x: f64) -> f64 {
    x * x * stop_gradient(far(x)) + no_grad!(norm(&[x, x])) * x
}

#[test]
fn held_values() {
    // By hand: |x| and √2|x| are constants.
    super::near(held::grad(1.5), 2.0 * 1.5 * 1.5 + 1.5 * 2f64.sqrt(), 1e-14);
    super::near(held::hessian(1.5), 3.0, 1e-14);
}

fn bisect(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if f(lo) * f(middle) <= 0.0 {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    0.5 * (lo + hi)
}

/// A square root by one step of Newton's method from a constant.
#[differentiable(higher_order)]
fn one_step(x: f64, #[constant] scale: &[f64]) -> f64 {
    let start = no_grad!(bisect(|t| (t * t - x) * scale[0], 0.0, 2.0));
    let y = 0.5 * (start + x / start);
    if bisect(|t| t - x, 0.0, 10.0) > 1.0 {
        y * y * y
    } else {
        y
    }
}

#[test]
fn closures() {
    let (x, scale) = (0.8, vec![2.0]);
    super::near(one_step::value_and_grad(x, &scale).0, x.sqrt(), 1e-12);
    super::near(one_step::grad(x, &scale), 0.5 / x.sqrt(), 1e-12);
    // The step is linear in x for a start that is constant.
    super::near(one_step::hessian(x, &scale), 0.0, 1e-12);
    super::near(one_step::grad(1.7, &scale), 1.5 * 1.7f64.sqrt(), 1e-12);
}

/// Calls at the start of a closure's body and of a branch, and with arguments in lines of their own.
#[differentiable(higher_order)]
fn starts(v: &[f64]) -> f64 {
    let f = |x: f64| if far(x) > 1.0 { x * x } else { x };
    let small: Vec<f64> = v.iter().copied().filter(|x| far(*x) < 1.5).collect();
    let large = v.iter().position(|x| wave(1, *x) * 2.0 > 2.7).unwrap_or(0);
    let count = (0..v.len())
        .filter(|&i| bisect(|t| t - v[i], -9.0, 9.0) > 0.2)
        .count();
    let any = v.iter().any(|x| {
        norm(&[
            *x, //
            0.1,
        ]) < 0.2
    });
    let s = small.iter().map(|&x| f(x)).sum::<f64>() * v[large] * count as f64;
    if any { s } else { s * v[0] }
}

/// Names of operators, as functions of modules.
mod camera {
    use differentiable::differentiable;

    #[differentiable(higher_order)]
    pub fn jacobian(x: f64) -> f64 {
        x * x * x
    }
    #[differentiable(higher_order)]
    pub fn linearize(x: f64) -> f64 {
        jacobian(x) * x
    }
    pub fn hessian(x: f64) -> f64 {
        x + 1.0
    }
}

#[differentiable(higher_order)]
fn by_operator_names(x: f64) -> f64 {
    let y = camera::jacobian(x) + camera::linearize(x);
    if camera::hessian(x) > 1.5 { y * x } else { y }
}

#[test]
fn functions_named_like_operators() {
    check!(by_operator_names(0.2), by_operator_names(0.7));
}

fn bin_of(k: usize, x: f64, n: usize) -> usize {
    (k + n + x as usize) % 3
}
fn put<T: Copy>(v: &mut Vec<T>, x: T) -> usize {
    v.push(x);
    v.len()
}

/// Casts of scalars, and numbers beside what is changed.
#[differentiable(higher_order)]
fn casts(x: f64, n: usize) -> f64 {
    let k: usize = bin_of(x as usize, x, n + 1) + bin_of((2.0 * x) as usize, 0.5, 1);
    let mut seen = vec![x];
    let longer = put(&mut seen, 2.0) > 1;
    if longer && seen[0] > 0.5 && bin_of(x as usize, 0.5, 1) == 2 {
        x.powi(k as i32)
    } else {
        x * x * k as f64
    }
}

#[test]
fn casts_and_buffers() {
    check!(casts(0.2, 1), casts(1.3, 1), casts(1.7, 2), casts(2.2, 0));
}

fn smallest<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if a < b { a } else { b }
}
fn buckets<const N: usize>(x: f64) -> usize {
    ((x * N as f64) as usize).min(N - 1)
}
fn at_half(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(0.5 * x)
}

#[differentiable(higher_order)]
fn generics_and_functions(x: f64) -> f64 {
    let y = if smallest::<f64>(0.5, x) < 0.4 {
        x * x
    } else {
        x
    };
    let z = if smallest(x, 2.0) > 0.7 { y * x } else { y };
    let k = buckets::<4>(x);
    if at_half(f64::exp, x) > 1.2 && at_half(far, x) > 0.1 {
        z * x.powi(k as i32)
    } else {
        z
    }
}

#[test]
fn functions_as_arguments() {
    check!(
        generics_and_functions(0.2),
        generics_and_functions(0.45),
        generics_and_functions(0.8)
    );
}

#[test]
fn starts_of_statements() {
    check!(
        starts(vec![0.3, 0.9, 1.7, 0.05]),
        starts(vec![0.3, 1.2, 0.25])
    );
}

mod inner {
    pub mod deep {
        pub fn steep(x: f64) -> bool {
            x > 0.7
        }
    }
    pub fn choose(x: (f64, f64), v: Vec<f64>) -> Vec<f64> {
        if x.0 > x.1 { v } else { vec![] }
    }
}

#[differentiable(higher_order)]
fn paths(x: f64) -> f64 {
    fn local(x: f64) -> bool {
        x > 1.0
    }
    let close = |d: f64| d.abs() < 0.1;
    let picked = inner::choose((x, 0.2), vec![x, 2.0]);
    let mut s = x;
    if local(x) {
        s *= x;
    }
    if close(x - 1.0) {
        s *= x;
    }
    if inner::deep::steep(x) {
        s *= x * x;
    }
    if picked.len() > 1 && picked[0] > 0.3 {
        s *= x;
    }
    s
}

#[test]
fn modules_and_functions_inside() {
    check!(
        paths(0.1),
        paths(0.25),
        paths(0.35),
        paths(0.8),
        paths(1.07)
    );
}

#[differentiable(higher_order)]
fn recursive(x: f64, n: usize) -> f64 {
    if n == 0 || is_far(x) {
        x
    } else {
        recursive(x * x + x, n - 1)
    }
}

#[differentiable(higher_order)]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    if f(x) > 1.0 { f(x) * x } else { f(x) }
}

#[differentiable(higher_order)]
fn of_own_kind(x: f64) -> f64 {
    let y = if recursive(x, 3) > 2.0 {
        recursive(x, 2)
    } else {
        x
    };
    apply(|t| t * t * y, x)
}

#[differentiable(higher_order, checkpoint)]
fn checkpointed(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        y = if is_far(y) {
            y / (1.0 + y * y)
        } else {
            y + x * 0.3
        };
        if bin(y, 0.2) == 3 && i > 3 {
            break;
        }
    }
    y * y
}

#[test]
fn functions_with_derivatives() {
    check!(of_own_kind(0.3), of_own_kind(1.3), checkpointed(0.25, 10));
}

fn timeout(x: f64) -> Duration {
    Duration::from_secs_f64(x.abs())
}
fn options() -> (f64, usize) {
    (0.25, 3)
}
fn note(log: &mut Vec<usize>, i: usize) -> f64 {
    log.push(i);
    log.len() as f64
}

#[differentiable(higher_order)]
fn of_many_types(x: f64) -> f64 {
    let (a, n) = options();
    let mut log = Vec::new();
    let noted = note(&mut log, n);
    let far = try_far(x).unwrap_or(false);
    let y = if timeout(x) > Duration::from_millis(500) {
        x * x
    } else {
        x
    };
    if far { y * y * a } else { y * y * noted }
}

#[differentiable(higher_order)]
fn maybe(x: f64) -> Option<f64> {
    let far = try_far(x).ok()?;
    if far { None } else { Some(x * x) }
}

#[differentiable(higher_order)]
fn or_cubed(x: f64) -> f64 {
    maybe(x).unwrap_or(x * x * x)
}

#[test]
fn values_of_many_types() {
    check!(of_many_types(0.3), of_many_types(0.7), of_many_types(1.7));
    check!(or_cubed(0.3), or_cubed(1.3));
}

fn double(x: f32) -> f32 {
    2.0 * x
}

#[differentiable(higher_order)]
fn single(x: f32) -> f32 {
    let scale = stop_gradient(double(x));
    if double(x) > 1.0 {
        x * x * x * scale
    } else {
        x
    }
}

#[test]
fn single_precision() {
    assert_eq!(single::hessian(1.5), 6.0 * 1.5 * 3.0);
    assert_eq!(single::hessian(0.25), 0.0);
}

/// What decides in a function of any scalar may have a first derivative only.
#[differentiable]
fn generic<T: Scalar>(x: T) -> T {
    if residual(x, T::ONE) > T::ZERO {
        x * x * x
    } else {
        x
    }
}

#[differentiable(higher_order)]
fn of_generic(x: f64) -> f64 {
    let y = generic(x);
    if generic(y) > 2.0 { y * x } else { y }
}

#[test]
fn generic_functions() {
    check!(of_generic(0.7), of_generic(1.2), of_generic(2.0));
}
