//! Derivatives along a direction inside of differentiable functions: `g::jvp` in a body.

use super::near;
use differentiable::ad::{check_grads, check_hvp};
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn product(x: f64, y: f64) -> f64 {
    x * x * y + (x * y).sin()
}

/// The derivative of [`product`] along `(u, v)`.
#[differentiable(higher_order)]
fn along(x: f64, y: f64, u: f64, v: f64) -> f64 {
    let (_, t) = product::jvp((x, u), (y, v));
    t
}

fn along_by_hand(x: f64, y: f64, u: f64, v: f64) -> f64 {
    let c = (x * y).cos();
    (2.0 * x * y + y * c) * u + (x * x + x * c) * v
}

#[test]
fn of_numbers() {
    let at = (0.7, -1.2, 0.3, 2.0);
    near(
        along(at.0, at.1, at.2, at.3),
        along_by_hand(0.7, -1.2, 0.3, 2.0),
        1e-14,
    );
    let (x, y, u, v) = at;
    let (s, c) = (x * y).sin_cos();
    let (by_x, by_y, by_u, by_v) = along::grad(x, y, u, v);
    near(
        by_x,
        (2.0 * y - y * y * s) * u + (2.0 * x + c - x * y * s) * v,
        1e-13,
    );
    near(by_y, (2.0 * x + c - x * y * s) * u - x * x * s * v, 1e-13);
    near(by_u, 2.0 * x * y + y * c, 1e-13);
    near(by_v, x * x + x * c, 1e-13);
    check_grads::<along, _>(&at).unwrap();
    check_hvp::<along, f64, _>(&at).unwrap();
}

/// Both parts of the pair are used, and the direction depends on the place.
#[differentiable(higher_order)]
fn both(x: f64, y: f64) -> f64 {
    let (value, t) = product::jvp((x.exp(), y), (y, x * x));
    value * t + product::jvp((y, 1.0), (x, 0.0)).1
}

#[test]
fn of_the_value_and_directions_that_depend_on_the_place() {
    check_grads::<both, _>(&(0.3, -0.4)).unwrap();
    check_hvp::<both, f64, _>(&(0.3, -0.4)).unwrap();
    let expected = {
        let (a, t) = (
            product(0.3f64.exp(), -0.4),
            along_by_hand(0.3f64.exp(), -0.4, -0.4, 0.09),
        );
        a * t + along_by_hand(-0.4, 0.3, 1.0, 0.0)
    };
    near(both(0.3, -0.4), expected, 1e-13);
}

// Perturbation confusion (Siskind and Pearlmutter 2005): the inner direction is not the outer one.

#[differentiable(higher_order)]
fn sum(x: f64, y: f64) -> f64 {
    x + y
}

#[differentiable(higher_order)]
fn confusing(x: f64) -> f64 {
    x * sum::jvp((x, 0.0), (1.0, 1.0)).1
}

#[differentiable(higher_order)]
fn cube(x: f64) -> f64 {
    x * x * x
}
#[differentiable(higher_order)]
fn first(x: f64) -> f64 {
    cube::jvp((x, 1.0)).1
}
#[differentiable(higher_order)]
fn second(x: f64) -> f64 {
    first::jvp((x, 1.0)).1
}
#[differentiable(higher_order)]
fn third(x: f64) -> f64 {
    second::jvp((x, 1.0)).1 + first::grad(x)
}

#[test]
fn levels_do_not_mix() {
    assert_eq!(confusing::grad(1.0), 1.0);
    assert_eq!(confusing::jvp((1.0, 1.0)), (1.0, 1.0));
    near(second(0.5), 3.0, 1e-14);
    near(third(0.5), 9.0, 1e-14);
    near(third::grad(0.5), 6.0, 1e-14);
}

/// Values that are vectors, constants, and vectors among the arguments.
#[differentiable(higher_order)]
fn field(x: &[f64], #[constant] scale: &[f64], power: i32, shift: [f64; 2]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    for i in 0..x.len() {
        let next = x[(i + 1) % x.len()];
        out[i] = scale[i] * x[i].powi(power) * next + shift[0] * next.sin() + shift[1];
    }
    out
}

/// How `field` changes along itself, squared: the acceleration of what it moves.
#[differentiable(higher_order)]
fn acceleration(x: &[f64], #[constant] scale: &[f64], shift: [f64; 2]) -> f64 {
    let flow = field(x, scale, 2, shift);
    let (value, along) = field::jvp((x, &flow), scale, 2, (shift, [0.5, shift[0]]));
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += along[i] * along[i] + value[i];
    }
    sum
}

/// The divergence, by a direction for each axis.
#[differentiable(higher_order)]
fn divergence(x: &[f64], #[constant] scale: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let mut unit = vec![0.0; x.len()];
        unit[i] = 1.0;
        sum += field::jvp((x, &unit), scale, 3, ([0.1, 0.2], [0.0, 0.0])).1[i];
    }
    sum
}

#[test]
fn of_vectors() {
    let (x, scale) = (vec![0.3, -0.5, 0.8], vec![1.0, 2.0, -0.5]);
    let at = (x.clone(), scale.clone(), [0.4, -0.3]);
    check_grads::<acceleration, _>(&at).unwrap();
    check_hvp::<acceleration, f64, _>(&at).unwrap();
    let expected: f64 = (0..3)
        .map(|i| scale[i] * 3.0 * x[i] * x[i] * x[(i + 1) % 3])
        .sum();
    near(divergence(&x, &scale), expected, 1e-14);
    let gradient = divergence::grad(&x, &scale);
    for i in 0..3 {
        let (before, next) = ((i + 2) % 3, (i + 1) % 3);
        let by_hand = 6.0 * scale[i] * x[i] * x[next] + 3.0 * scale[before] * x[before] * x[before];
        near(gradient[i], by_hand, 1e-13);
    }
}

#[differentiable(higher_order)]
fn well(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += k * x[i].powi(4) + (x[i] * x[(i + 1) % x.len()]).sin();
    }
    sum
}

#[differentiable(higher_order)]
fn force(x: &[f64], k: f64) -> Vec<f64> {
    well::grad(x, k).0
}

/// The curvature of `well` along `v`, `vᵀ H v`, by the derivative of its gradient.
#[differentiable(higher_order)]
fn curvature(x: &[f64], v: &[f64], k: f64) -> f64 {
    let (_, along) = force::jvp((x, v), (k, 0.0));
    let mut sum = 0.0;
    for i in 0..v.len() {
        sum += v[i] * along[i];
    }
    sum
}

#[test]
fn products_with_hessians() {
    let (x, v, k) = (vec![0.3, -0.5, 0.8, 0.1], vec![1.0, 0.5, -2.0, 0.3], 0.7);
    let (product, _) = well::hvp((&x, &v), (k, 0.0));
    let expected: f64 = product.iter().zip(&v).map(|(h, v)| h * v).sum();
    near(curvature(&x, &v, k), expected, 1e-13);
    let (by_x, by_v, by_k) = curvature::grad(&x, &v, k);
    for i in 0..4 {
        near(by_v[i], 2.0 * product[i], 1e-13);
    }
    near(
        by_k,
        x.iter().zip(&v).map(|(x, v)| 12.0 * x * x * v * v).sum(),
        1e-13,
    );
    assert_eq!(by_x.len(), 4);
    check_grads::<curvature, _>(&(x.clone(), v.clone(), k)).unwrap();
    check_hvp::<curvature, f64, _>(&(x, v, k)).unwrap();
}

/// A struct, by reference and by value, and a value in single precision.
#[derive(Clone, Copy, Differentiable)]
#[differentiable(higher_order)]
struct Spring {
    k: f64,
    rest: f64,
}

#[differentiable(higher_order)]
fn stored(s: &Spring, x: f64) -> f64 {
    0.5 * s.k * (x - s.rest).powi(2) * x
}

#[differentiable(higher_order)]
fn power(s: &Spring, x: f64, speed: f64) -> f64 {
    let still = SpringTangent { k: 0.0, rest: 0.5 };
    stored::jvp((s, &still), (x, speed)).1
}

#[differentiable(higher_order)]
fn single(x: f32) -> f32 {
    x.exp()
}

#[differentiable]
fn single_slope(x: f32) -> f32 {
    single::jvp((x * 2.0, 1.0)).1 * x
}

#[test]
fn of_structs_and_single_precision() {
    let spring = Spring { k: 3.0, rest: 0.4 };
    let (x, speed) = (1.1, 0.6);
    let d = x - spring.rest;
    let expected = (spring.k * d * x + 0.5 * spring.k * d * d) * speed - spring.k * d * x * 0.5;
    near(power(&spring, x, speed), expected, 1e-13);
    check_grads::<power, _>(&(spring, x, speed)).unwrap();
    check_hvp::<power, f64, _>(&(spring, x, speed)).unwrap();
    let (e, x) = (1.4f32.exp(), 0.7f32);
    assert!((single_slope::grad(x) - (e + 2.0 * x * e)).abs() < 1e-4);
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
enum Potential {
    Harmonic { k: f64 },
    Morse { depth: f64, width: f64 },
}

#[differentiable(higher_order)]
fn value(p: &Potential, r: f64) -> f64 {
    match p {
        Potential::Harmonic { k } => 0.5 * k * r * r,
        Potential::Morse { depth, width } => depth * (1.0 - (-width * r).exp()).powi(2),
    }
}

#[differentiable(higher_order)]
fn pull(p: &Potential, r: f64) -> f64 {
    -value::grad(p, r).1
}

/// Where the force is `target`, by Newton's method. What does not move has the tangent zero.
#[differentiable(higher_order)]
fn place(p: &Potential, target: f64) -> f64 {
    let mut r = 0.5;
    for _ in 0..30 {
        let (f, slope) = pull::jvp((p, &p.zero_tangent()), (r, 1.0));
        r -= (f - target) / slope;
    }
    r
}

#[test]
fn of_what_does_not_move() {
    let spring = Potential::Harmonic { k: 2.0 };
    near(place(&spring, -0.3), 0.15, 1e-14);
    let (by_spring, by_target) = place::grad(&spring, -0.3);
    assert!(matches!(by_spring, PotentialTangent::Harmonic { k } if (k + 0.075).abs() < 1e-14));
    near(by_target, -0.5, 1e-14);
    let morse = Potential::Morse {
        depth: 2.0,
        width: 0.7,
    };
    check_grads::<place, _>(&(morse, -0.3)).unwrap();
    check_hvp::<place, f64, _>(&(morse, -0.3)).unwrap();
}

// A network of one variable and its derivatives by it: what is asked of a solution of a differential equation.

type Weights = Tensor![f64; 1, 8];

#[differentiable(higher_order(Tensor))]
fn u(
    x: &Tensor![f64; 5, 1],
    w: &Weights,
    b: &Tensor![f64; 8],
    #[constant] out: &Tensor![f64; 8, 1],
) -> Tensor![f64; 5, 1] {
    (x.matmul(w) + b).tanh().matmul(out)
}

#[differentiable]
fn equation(
    x: &Tensor![f64; 5, 1],
    w: &Weights,
    #[constant] out: &Tensor![f64; 8, 1],
    ones: &Tensor![f64; 5, 1],
) -> Tensor![f64;] {
    let b = Tensor::ones();
    let (value, slope) = u::jvp(
        (x, ones),
        (w, &w.zero_tangent()),
        (&b, &Tensor::zeros()),
        out,
    );
    (slope + value).square().mean()
}

#[test]
fn of_tensors() {
    let x: Tensor![f64; 5, 1] = Tensor::randn(1);
    let (w, out): (Weights, Tensor![f64; 8, 1]) = (Tensor::randn(2), Tensor::randn(3));
    let ones = Tensor::ones();
    let (by_x, by_w, _) = equation::grad(&x, &w, &out, &ones);
    let h = 1e-6;
    let slope = |dx: &Tensor![f64; 5, 1], dw: &Weights| {
        let at = |h: f64| equation(&(&x + dx * h), &(&w + dw * h), &out, &ones).item();
        (at(h) - at(-h)) / (2.0 * h)
    };
    let (dx, dw): (Tensor![f64; 5, 1], Weights) = (Tensor::randn(4), Tensor::randn(5));
    near(
        (by_x * &dx).sum().item(),
        slope(&dx, &Tensor::zeros()),
        1e-8,
    );
    near(
        (by_w * &dw).sum().item(),
        slope(&Tensor::zeros(), &dw),
        1e-8,
    );
}

/// Generic over the scalar.
#[differentiable(higher_order)]
fn wave<T: differentiable::ad::Scalar>(x: T, k: T) -> T {
    (x * k).sin()
}

#[differentiable(higher_order)]
fn energy<T: differentiable::ad::Scalar>(x: T, k: T) -> T {
    let (value, slope) = wave::jvp((x, T::ONE), (k, T::ZERO));
    value * value + slope * slope
}

#[test]
fn of_any_scalar() {
    let (x, k) = (0.3, 2.0f64);
    let expected = (x * k).sin().powi(2) + (k * (x * k).cos()).powi(2);
    near(energy(x, k), expected, 1e-14);
    check_grads::<energy, _>(&(x, k)).unwrap();
}
