//! Functions of the same module: arrays, structs, generics, several results.

use differentiable::ad::check_grads;
use differentiable::prelude::*;

/// A root by bisection, whose derivative is that of the implicit function.
fn root(a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 10.0);
    while high - low > 1e-14 {
        let x = 0.5 * (low + high);
        if x * x * x + a * x - b > 0.0 {
            high = x;
        } else {
            low = x;
        }
    }
    0.5 * (low + high)
}

#[derivative(of = root)]
fn root_rule(a: f64, b: f64) -> (f64, impl Fn(f64) -> (f64, f64)) {
    let x = root(a, b);
    let slope = 3.0 * x * x + a;
    (x, move |ct| (-ct * x / slope, ct / slope))
}

#[differentiable]
fn path(a: f64) -> f64 {
    let mut b = a;
    while b < 4.0 {
        b = root(a, b) + b;
    }
    b * a
}

fn rotate(v: [f64; 2], angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [c * v[0] - s * v[1], s * v[0] + c * v[1]]
}

#[derivative(of = rotate, jvp = rotate_forward)]
fn rotate_rule(v: [f64; 2], angle: f64) -> ([f64; 2], impl Fn([f64; 2]) -> ([f64; 2], f64)) {
    let y = rotate(v, angle);
    (y, move |ct| {
        (rotate(ct, -angle), ct[1] * y[0] - ct[0] * y[1])
    })
}

fn rotate_forward(
    (v, dv): ([f64; 2], [f64; 2]),
    (angle, turn): (f64, f64),
) -> ([f64; 2], [f64; 2]) {
    let (y, t) = (rotate(v, angle), rotate(dv, angle));
    (y, [t[0] - turn * y[1], t[1] + turn * y[0]])
}

#[differentiable]
fn twice_around(x: f64, angle: f64) -> f64 {
    let v = rotate(rotate([x, 1.0], angle), angle * x);
    v[0] * v[1] + v[0]
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Spring {
    stiffness: f64,
    rest: f64,
}

fn energy(s: &Spring, x: f64) -> f64 {
    0.5 * s.stiffness * (x - s.rest).powi(2)
}

#[derivative(of = energy)]
fn energy_rule(s: &Spring, x: f64) -> (f64, impl Fn(f64) -> (SpringTangent, f64)) {
    let (k, d) = (s.stiffness, x - s.rest);
    (energy(s, x), move |ct| {
        let by_s = SpringTangent {
            stiffness: ct * 0.5 * d * d,
            rest: -ct * k * d,
        };
        (by_s, ct * k * d)
    })
}

#[differentiable]
fn chain(s: Spring, x: f64) -> f64 {
    energy(&s, x) + energy(&s, x * 2.0).sqrt()
}

/// Generics are those of the rule.
fn norm<const N: usize>(x: &[f64; N]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[derivative(of = norm)]
fn norm_rule<const N: usize>(x: &[f64; N]) -> (f64, impl Fn(f64) -> [f64; N]) {
    let (x, y) = (*x, norm(x));
    (y, move |ct| x.map(|x| ct * x / y))
}

#[differentiable]
fn lengths(x: &[f64; 3], k: f64) -> f64 {
    let short = [x[0] * k, x[1]];
    norm(x) * norm(&short)
}

/// A pullback of a type of its own.
fn scale(x: f64) -> f64 {
    x * 7.0
}

#[derivative(of = scale)]
fn scale_rule(x: f64) -> (f64, fn(f64) -> f64) {
    (x * 7.0, |ct| ct * 7.0)
}

#[differentiable]
fn scaled(x: f64) -> f64 {
    scale(x) * scale(x + 1.0)
}

#[test]
fn implicit_functions() {
    for (a, b) in [(1.0, 2.0), (0.3, 5.0)] {
        check_grads::<root, _>(&(a, b)).unwrap();
        check_grads::<path, _>(&(a,)).unwrap();
    }
}

#[test]
fn several_results() {
    check_grads::<rotate, _>(&([0.3, -1.2], 0.7)).unwrap();
    check_grads::<twice_around, _>(&(0.4, 0.9)).unwrap();
}

#[test]
fn structs_and_generics() {
    let s = Spring {
        stiffness: 3.0,
        rest: 0.4,
    };
    check_grads::<chain, _>(&(s, 1.3)).unwrap();
    check_grads::<lengths, _>(&([0.3, -0.5, 1.1], 0.6)).unwrap();
    check_grads::<scaled, _>(&(0.6,)).unwrap();
}

/// The rule runs only where a derivative is asked for.
#[test]
fn constants_are_not_pulled() {
    #[differentiable]
    fn partly(x: f64, #[constant] a: f64) -> f64 {
        root(a, x) * x
    }
    let d = partly::grad(2.0, 0.5);
    let at = |x: f64| partly(x, 0.5);
    assert!((d - (at(2.0 + 1e-5) - at(2.0 - 1e-5)) / 2e-5).abs() < 1e-7);
}
