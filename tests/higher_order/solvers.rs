//! Derivatives of higher order through the solvers of equations: products with Hessians against differences of the
//! gradient, Hessians against formulas.

use differentiable::ad::check_hvp;
use differentiable::implicit::{NewtonOptions, fixed_point, newton, root};
use differentiable::ode::{
    Checkpoints, Crossing, Options, dopri5, dopri5_at, dopri5_until, rk4, rk4_path, rk4_with,
};
use differentiable::prelude::*;

/// `y' = k y`
#[differentiable(higher_order)]
fn growth(y0: f64, k: f64, t0: f64, t1: f64, #[constant] steps: usize) -> f64 {
    rk4(|_, y| k * y, &y0, t0, t1, steps)
}

#[test]
fn growth_is_exponential() {
    let (by_y0, by_k, _, by_t1) = growth::hessian(2.0, 0.5, 0.0, 1.0, 400);
    let e = 0.5f64.exp(); // of y0 exp(k t)
    assert!(by_y0.0.abs() < 1e-10 && (by_y0.1 - e).abs() < 1e-9);
    assert!((by_k.1 - 2.0 * e).abs() < 1e-9 && (by_k.0 - e).abs() < 1e-9);
    assert!((by_t1.3 - 0.5 * e).abs() < 1e-9 && (by_t1.1 - 3.0 * e).abs() < 1e-9);
    check!(growth(2.0, 0.5, 0.3, 1.5, 3), growth(2.0, 0.5, 1.5, 0.3, 7));
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Spring {
    stiffness: f64,
    drag: Vec<f64>,
}

#[differentiable(higher_order)]
fn driven(y0: &[f64], spring: &Spring, amplitude: f64, end: f64) -> f64 {
    let doubled = 2.0 * amplitude;
    let rate = |t: f64, y: &[f64]| {
        let force = doubled * (3.0 * t).sin() - spring.stiffness * y[0];
        vec![
            y[1],
            force - spring.drag[0] * y[1] - spring.drag[1] * y[1].powi(3),
        ]
    };
    let y = rk4_with(rate, y0, 0.0, end, 20, &Checkpoints::Every(3));
    y[0] * y[0] + 0.5 * y[1]
}

#[differentiable(higher_order)]
fn along(start: f64, k: f64, end: f64) -> f64 {
    let path = rk4_path(
        |_, y: &[f64; 2]| [y[1], -k * y[0].sin()],
        &[start, 0.0],
        0.0,
        end,
        12,
    );
    path.iter().map(|y| y[0] * y[0]).sum::<f64>()
}

#[test]
fn steps_of_one_size() {
    let spring = Spring {
        stiffness: 2.0,
        drag: vec![0.2, 0.1],
    };
    check!(
        driven(vec![1.0, -0.3], spring, 0.7, 1.3),
        along(1.2, 2.0, 1.7)
    );
}

#[differentiable(higher_order)]
fn logistic(start: f64, rate: f64, capacity: f64, t0: f64, t1: f64) -> f64 {
    let options = Options {
        rtol: 1e-11,
        atol: 1e-13,
        ..Options::default()
    };
    dopri5(
        |_, y| rate * y * (1.0 - y / capacity),
        &start,
        t0,
        t1,
        &options,
    )
    .unwrap()
}

#[test]
fn steps_of_a_chosen_size() {
    let (_, by_rate, _, _, _) = logistic::hessian(1.0, 1.5, 10.0, 0.0, 2.0);
    // y = 10 g / (9 + g) with g = exp(2 r): y_r = 180 g / (9 + g)², y_rr = 360 g (9 − g) / (9 + g)³
    let g = 3f64.exp();
    assert!((by_rate.1 - 360.0 * g * (9.0 - g) / (9.0 + g).powi(3)).abs() < 1e-7);
    check_hvp::<logistic, _, _>(&(1.0, 1.5, 10.0, 0.1, 2.0)).unwrap();
}

/// Options in full, with a constant argument among them, and times that depend on the arguments.
#[differentiable(higher_order)]
fn observed(start: &[f64; 2], k: f64, drag: f64, #[constant] tolerance: f64) -> f64 {
    let options = Options {
        rtol: tolerance,
        atol: 0.1 * tolerance,
        first_step: None,
        max_step: Some(0.5),
        max_steps: 10_000,
        checkpoints: Checkpoints::Every(4),
    };
    let rate = |_, y: &[f64; 2]| [y[1], -k * y[0] - drag * y[1].powi(3)];
    let path = dopri5_at(rate, start, 0.0, &[0.5, 1.0 + 0.1 * k, 2.5], &options).unwrap();
    path.iter().map(|y| y[0] * y[0] + y[1]).sum::<f64>()
}

/// Options that are a parameter, and a result that is handed on.
#[differentiable(higher_order)]
fn held(start: f64, k: f64, #[constant] options: &Options) -> f64 {
    let end = dopri5(|t: f64, y| -k * y * t.cos(), &start, 0.0, 1.0, options);
    match end {
        Ok(y) => y * y,
        Err(_) => 0.0,
    }
}

#[test]
fn options_are_held() {
    check!(
        observed([1.0, 0.3], 2.0, 0.2, 1e-12),
        held(
            0.8,
            1.3,
            Options {
                rtol: 1e-12,
                atol: 1e-12,
                ..Options::default()
            }
        )
    );
}

/// The second bounce of a ball.
#[differentiable(higher_order)]
fn second_bounce(height: f64, gravity: f64, bounce: f64) -> f64 {
    let options = Options {
        rtol: 1e-10,
        ..Options::default()
    };
    let fall = |_, y: &[f64; 2]| [y[1], -gravity];
    let above = |_, y: &[f64; 2]| y[0];
    let (t, y, _) = dopri5_until(
        fall,
        above,
        Crossing::Falling,
        &[height, 0.0],
        0.0,
        9.0,
        &options,
    )
    .unwrap();
    let start = [0.0, -bounce * y[1]];
    let (t, _, _) = dopri5_until(fall, above, Crossing::Falling, &start, t, 9.0, &options).unwrap();
    t
}

#[differentiable(higher_order)]
fn crossing(start: &[f64; 2], k: f64, level: f64, end: f64) -> f64 {
    let options = Options {
        rtol: 1e-12,
        atol: 1e-12,
        ..Options::default()
    };
    let rate = |t: f64, y: &[f64; 2]| [y[1] + 0.1 * t, -k * y[0].sin()];
    let falls = |t: f64, y: &[f64; 2]| y[0] - level * t;
    let (t, y, _) = dopri5_until(rate, falls, Crossing::Any, start, 0.1, end, &options).unwrap();
    t * t + y[0] * y[1]
}

#[test]
fn events() {
    // √(2 h / g) (1 + 2 b)
    let (h, g, b): (f64, f64, f64) = (1.25, 10.0, 0.8);
    let time = (2.0 * h / g).sqrt() * (1.0 + 2.0 * b);
    let (by_h, by_g, by_b) = second_bounce::hessian(h, g, b);
    assert!((by_h.0 + 0.25 * time / (h * h)).abs() < 1e-9);
    assert!((by_g.1 - 0.75 * time / (g * g)).abs() < 1e-9);
    assert!((by_b.0 - 0.5 / h).abs() < 1e-9 && by_b.2.abs() < 1e-9);
    check!(second_bounce(h, g, b));
    // An event, and the end before there is one.
    check!(
        crossing([1.0, 0.2], 2.0, 0.5, 3.0),
        crossing([1.0, 0.2], 2.0, 0.5, 0.4)
    );
}

/// Of `x³ + a x = b`.
fn by_bisection(a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let x: f64 = 0.5 * (low + high);
        if x * x * x + a * x > b {
            high = x
        } else {
            low = x
        }
    }
    low
}

#[differentiable(higher_order)]
fn cubic(a: f64, b: f64) -> f64 {
    let x = no_grad!(by_bisection(a, b));
    root(|x| x * x * x + a * x - b, &x, 1e-9).unwrap()
}

#[differentiable(higher_order)]
fn kepler(mean: f64, e: f64) -> f64 {
    let x = newton(|x| x - e * x.sin() - mean, &mean, &NewtonOptions::default()).unwrap();
    (1.0 - e * x.cos()) * x
}

#[differentiable(higher_order)]
fn meet(radius: f64, k: f64) -> f64 {
    let off = |p: &[f64; 2]| {
        [
            p[0] * p[0] + p[1] * p[1] - radius * radius,
            k * p[0] * p[0] - p[1],
        ]
    };
    let options = NewtonOptions {
        tolerance: 1e-13,
        max_iterations: 60,
    };
    let p = newton(off, &[1.0, 1.0], &options).unwrap();
    p[0] * p[1] * p[1]
}

#[differentiable(higher_order)]
fn cosine(k: f64, shift: f64) -> f64 {
    let x = no_grad!((0..300).fold(0.5, |x: f64, _| (k * x).cos() + shift));
    let x = fixed_point(|x| (k * x).cos() + shift, &x, 1e-12).unwrap();
    x * x
}

/// A fixed point that iteration does not find.
#[differentiable(higher_order)]
fn repelling(a: f64) -> f64 {
    let x = no_grad!(1.0 - 1.0 / a);
    fixed_point(|x| a * x * (1.0 - x), &x, 1e-12).unwrap()
}

#[differentiable(higher_order)]
fn linear(a: &[[f64; 2]; 2], b: &[f64]) -> f64 {
    let x = no_grad!({
        let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        vec![
            (a[1][1] * b[0] - a[0][1] * b[1]) / det,
            (a[0][0] * b[1] - a[1][0] * b[0]) / det,
        ]
    });
    let off = |x: &[f64]| {
        vec![
            a[0][0] * x[0] + a[0][1] * x[1] - b[0],
            a[1][0] * x[0] + a[1][1] * x[1] - b[1],
        ]
    };
    let x = root(off, &x, 1e-12).unwrap();
    x[0] * x[1]
}

#[test]
fn roots_and_fixed_points() {
    let x = by_bisection(2.0, 1.0);
    let slope = 3.0 * x * x + 2.0; // x_b = 1 / slope, x_bb = −6 x / slope³
    let (_, by_b) = cubic::hessian(2.0, 1.0);
    assert!((by_b.1 + 6.0 * x / slope.powi(3)).abs() < 1e-13);
    check!(
        cubic(2.0, 1.0),
        kepler(1.0, 0.3),
        meet(2f64.sqrt(), 1.0),
        cosine(0.8, 0.1),
        linear([[2.0, 1.0], [1.0, 3.0]], vec![3.0, 5.0]),
    );
    // 1 − 1/a
    assert!((repelling::hessian(3.5) + 2.0 / 3.5f64.powi(3)).abs() < 1e-12);
    check!(repelling(3.5));
}

/// The gradient of an energy through a solution, inside of another function.
#[differentiable(higher_order)]
fn reached(k: f64, push: f64) -> f64 {
    let y = rk4(
        |t: f64, y: &[f64; 2]| [y[1], push * t.cos() - k * y[0]],
        &[1.0, 0.0],
        0.0,
        1.0,
        10,
    );
    y[0] * y[0] + y[1] * y[1]
}

#[differentiable(higher_order)]
fn corrected(k: f64, rate: f64) -> f64 {
    let (_, slope) = reached::grad(k, 0.3);
    let (_, along) = reached::jvp((k, 1.0), (0.3, 0.5));
    reached(k, 0.3 - rate * slope) * along
}

/// Third derivatives, of an implicit function too.
#[differentiable(higher_order)]
fn by_b(a: f64, b: f64) -> f64 {
    cubic::grad(a, b).1
}

#[test]
fn gradients_inside_and_third_derivatives() {
    check!(corrected(2.0, 0.1), by_b(2.0, 1.0));
    // With s = 3 x² + a: x_b = 1/s, x_bb = −6 x / s³, x_bbb = (108 x² − 6 s) / s⁵
    let x = by_bisection(2.0, 1.0);
    let s = 3.0 * x * x + 2.0;
    let (_, (_, third)) = by_b::hessian(2.0, 1.0);
    assert!((third - (108.0 * x * x - 6.0 * s) / s.powi(5)).abs() < 1e-12);
}

/// Jacobians of the state at the end, with several tangents and several cotangents at once.
#[differentiable(higher_order)]
fn state(start: &[f64; 3], k: &[f64; 3]) -> [f64; 3] {
    let rate = |_, y: &[f64; 3]| [y[1] * k[0], y[2] - k[1] * y[0], -k[2] * y[1] * y[2]];
    rk4(rate, start, 0.0, 0.7, 8)
}

/// The fixed point of a small network.
#[differentiable(higher_order)]
fn at_rest(w: &[[f64; 3]; 3], b: &[f64; 3]) -> [f64; 3] {
    let options = NewtonOptions {
        tolerance: 1e-14,
        ..NewtonOptions::default()
    };
    let off = |x: &[f64; 3]| {
        let next = layer(w, b, x);
        [next[0] - x[0], next[1] - x[1], next[2] - x[2]]
    };
    let x = newton(off, b, &options).unwrap();
    fixed_point(|x: &[f64; 3]| layer(w, b, x), &x, 1e-12).unwrap()
}

#[differentiable(higher_order)]
fn layer(w: &[[f64; 3]; 3], b: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let mut next = *b;
    for i in 0..3 {
        for j in 0..3 {
            next[i] += w[i][j] * x[j];
        }
        next[i] = next[i].tanh();
    }
    next
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} {b}");
}

#[test]
fn jacobians_in_both_modes() {
    let (start, k) = ([1.0, 0.5, -0.2], [0.9, 1.1, 0.4]);
    let w = [[0.2, -0.3, 0.1], [0.4, 0.1, -0.2], [-0.1, 0.3, 0.2]];
    let forward = state::jacobian_fwd(&start, &k);
    let reverse = state::jacobian_rev(&start, &k);
    let of_rest = (
        at_rest::jacobian_fwd(&w, &start),
        at_rest::jacobian_rev(&w, &start),
    );
    let first = state::jacobian_matrix(&start, &k);
    for i in 0..3 {
        for j in 0..3 {
            close(forward[i].0[j], reverse[i].0[j]);
            close(forward[i].1[j], reverse[i].1[j]);
            close(first.row(i)[j], reverse[i].0[j]);
            close(of_rest.0[i].1[j], of_rest.1[i].1[j]);
            for l in 0..3 {
                close(of_rest.0[i].0[l][j], of_rest.1[i].0[l][j]);
            }
        }
    }
    let (end, push) = state::linearize(&start, &k);
    assert_eq!(end, state(&start, &k));
    let direction = push(&[1.0, 0.0, 0.0], &[0.0; 3]);
    (0..3).for_each(|i| close(direction[i], reverse[i].0[0]));
}

/// A sparse Jacobian: each of the equations by itself.
#[differentiable(higher_order)]
fn decays(rates: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    for i in 0..rates.len() {
        let end = rk4(|_, y| -rates[i] * y, &1.0, 0.0, 1.0, 20);
        out.push(end + root(|x| x * x - rates[i], &no_grad!(rates[i].sqrt()), 1e-9).unwrap());
    }
    out
}

#[test]
fn patterns_are_found_through_solvers() {
    let rates = [0.5, 1.0, 1.5, 2.0];
    let plan = decays::sparse_jacobian_plan(&rates);
    assert_eq!(plan.colours(), 1);
    let jacobian = decays::sparse_jacobian(&plan, &rates).unwrap();
    for (i, rate) in rates.iter().enumerate() {
        assert_eq!(jacobian.row(i).0, [i]);
        assert!((jacobian.row(i).1[0] - (0.5 / rate.sqrt() - (-rate).exp())).abs() < 1e-6);
    }
}
