//! Products with a Hessian inside of differentiable functions: `g::hvp` in a body.

use super::near;
use differentiable::ad::{check_grads, check_hvp};
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn energy(x: f64, y: f64) -> f64 {
    x * x * y + (x * y).sin()
}

/// `uᵀ H v`, of numbers.
#[differentiable(higher_order)]
fn curvature(x: f64, y: f64, u: f64, v: f64) -> f64 {
    let (a, b) = energy::hvp((x, u), (y, v));
    a * u + b * v + a.sin()
}

fn by_hand(x: f64, y: f64, u: f64, v: f64) -> f64 {
    let (s, c) = (x * y).sin_cos();
    let (xx, xy, yy) = (2.0 * y - y * y * s, 2.0 * x + c - x * y * s, -x * x * s);
    let (a, b) = (xx * u + xy * v, xy * u + yy * v);
    a * u + b * v + a.sin()
}

#[test]
fn of_numbers() {
    let at = (0.7, -1.2, 0.3, 2.0);
    near(
        curvature(0.7, -1.2, 0.3, 2.0),
        by_hand(0.7, -1.2, 0.3, 2.0),
        1e-13,
    );
    check_grads::<curvature, _>(&at).unwrap();
    check_hvp::<curvature, f64, _>(&at).unwrap();
}

/// Of a struct, slices and arrays; one argument has no direction, another is an integer.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Spring {
    stiffness: f64,
    rest: [f64; 2],
}

#[differentiable(higher_order)]
fn potential(
    spring: &Spring,
    q: &[f64],
    w: [f64; 2],
    power: i32,
    #[constant] scale: &[f64],
) -> f64 {
    let mut total = 0.0;
    for i in 0..2 {
        let d = q[i] - spring.rest[i] * w[1 - i];
        total += scale[i] * spring.stiffness * d.powi(power) * q[1 - i].cos();
    }
    total
}

#[differentiable(higher_order)]
fn forces(spring: &Spring, q: &[f64], v: &[f64]) -> f64 {
    let scale = [1.5, 0.5];
    let mut total = 0.0;
    for k in 0..2 {
        let mut unit = [0.0; 2];
        unit[k] = v[k];
        let (s, h, w) = potential::hvp(
            (spring, &spring.zero_tangent()),
            (q, &unit),
            ([v[1], q[0]], [q[1], 1.0]),
            3,
            &scale,
        );
        total += h[1 - k] * v[k] + w[k] * s.stiffness + s.rest[0];
    }
    total
}

fn with(x: &[f64]) -> f64 {
    forces(
        &Spring {
            stiffness: x[0],
            rest: [x[1], x[2]],
        },
        &x[3..5],
        &x[5..],
    )
}

#[test]
fn of_structs_slices_and_arrays() {
    let x = [1.3, 0.2, -0.4, 0.5, 0.9, -0.7, 0.3];
    let spring = Spring {
        stiffness: x[0],
        rest: [x[1], x[2]],
    };
    let (s, q, v) = forces::grad(&spring, &x[3..5], &x[5..]);
    let all = [s.stiffness, s.rest[0], s.rest[1], q[0], q[1], v[0], v[1]];
    for (k, g) in all.into_iter().enumerate() {
        let at = |h: f64| {
            let mut y = x;
            y[k] += h;
            with(&y)
        };
        near(g, (at(1e-5) - at(-1e-5)) / 2e-5, 1e-8);
    }
    check_hvp::<forces, f64, _>(&(spring, x[3..5].to_vec(), x[5..].to_vec())).unwrap();
}

/// In a function of first order, and generic over its scalar.
#[differentiable(higher_order)]
fn generic<T: differentiable::ad::Scalar>(x: T, y: T) -> T {
    x.exp() * y * y
}

#[differentiable]
fn first_order(x: f64, y: f64) -> f64 {
    let (a, _) = generic::hvp((x, y), (y, 1.0));
    a * energy::hvp((x * y, x), (y, a)).1
}

#[test]
fn of_a_generic_function_in_one_of_first_order() {
    check_grads::<first_order, _>(&(0.3, -0.4)).unwrap();
}
