//! Hessian-vector products against gradients and against products written by hand, and eight tangents
//! against one; of numbers, and of a network of tensors.
//!
//! `cargo bench -p differentiable --bench higher`; add `-- --quick` to only check that it runs.

mod support;

use differentiable::ode::rk4;
use differentiable::prelude::*;
use std::hint::black_box;
use support::{Effort, assert_close, case, compare};

/// Rosenbrock's function of many variables.
#[differentiable(higher_order)]
fn valley(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let (a, b) = (1.0 - x[i - 1], x[i] - x[i - 1] * x[i - 1]);
        sum += a * a + 100.0 * b * b;
    }
    sum
}

fn valley_product_by_hand(x: &[f64], v: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; x.len()];
    for i in 1..x.len() {
        let (x0, x1, v0, v1) = (x[i - 1], x[i], v[i - 1], v[i]);
        product[i - 1] += (2.0 - 400.0 * (x1 - x0 * x0) + 800.0 * x0 * x0) * v0 - 400.0 * x0 * v1;
        product[i] += 200.0 * v1 - 400.0 * x0 * v0;
    }
    product
}

/// The loss of a logistic regression with labels ±1.
#[differentiable(higher_order)]
fn logistic(w: &[f64], #[constant] points: &[f64], #[constant] labels: &[f64]) -> f64 {
    let d = w.len();
    let mut loss = 0.0;
    for i in 0..labels.len() {
        let mut margin = 0.0;
        for j in 0..d {
            margin += points[i * d + j] * w[j];
        }
        loss += (-labels[i] * margin).exp().ln_1p();
    }
    loss
}

fn logistic_product_by_hand(w: &[f64], points: &[f64], labels: &[f64], v: &[f64]) -> Vec<f64> {
    let d = w.len();
    let mut product = vec![0.0; d];
    for i in 0..labels.len() {
        let row = &points[i * d..(i + 1) * d];
        let (mut margin, mut along) = (0.0, 0.0);
        for j in 0..d {
            margin += row[j] * w[j];
            along += row[j] * v[j];
        }
        let e = (-labels[i] * margin).exp();
        let curvature = e / ((1.0 + e) * (1.0 + e)) * along;
        for j in 0..d {
            product[j] += curvature * row[j];
        }
    }
    product
}

/// The logarithm of the density of a mixture of normal distributions.
#[differentiable(higher_order)]
fn mixture(means: &[f64], weights: &[f64], #[constant] data: &[f64]) -> f64 {
    let k = means.len();
    let mut total = 0.0;
    for i in 0..data.len() {
        let mut s = 0.0;
        for j in 0..k {
            let d = data[i] - means[j];
            s += (weights[j] - 0.5 * d * d).exp();
        }
        total += s.ln();
    }
    total
}

/// The same by hand: with the shares `p` of the components in a point, and their tangents.
fn mixture_product_by_hand(
    (means, v): (&[f64], &[f64]),
    (weights, u): (&[f64], &[f64]),
    data: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let k = means.len();
    let (mut by_means, mut by_weights) = (vec![0.0; k], vec![0.0; k]);
    let (mut e, mut t) = (vec![0.0; k], vec![0.0; k]);
    for x in data {
        let (mut sum, mut along) = (0.0, 0.0);
        for j in 0..k {
            let d = x - means[j];
            e[j] = (weights[j] - 0.5 * d * d).exp();
            t[j] = u[j] + d * v[j];
            sum += e[j];
            along += e[j] * t[j];
        }
        for j in 0..k {
            let p = e[j] / sum;
            let tangent = p * (t[j] - along / sum);
            by_weights[j] += tangent;
            by_means[j] += tangent * (x - means[j]) - p * v[j];
        }
    }
    (by_means, by_weights)
}

/// Where a body is after some steps around another, squared.
#[differentiable(higher_order)]
fn orbit(start: &[f64], steps: usize) -> f64 {
    let (mut x, mut y, mut u, mut v) = (start[0], start[1], start[2], start[3]);
    for _ in 0..steps {
        let r2 = x * x + y * y;
        let f = start[4] / (r2 * r2.sqrt());
        u -= 0.01 * f * x;
        v -= 0.01 * f * y;
        x += 0.01 * u;
        y += 0.01 * v;
    }
    x * x + y * y
}

/// Such a body by steps of Runge and Kutta.
#[differentiable(higher_order)]
fn solved_orbit(start: &[f64; 5], steps: usize) -> f64 {
    let rate = |_, y: &[f64; 4]| {
        let r2 = y[0] * y[0] + y[1] * y[1];
        let f = start[4] / (r2 * r2.sqrt());
        [y[2], y[3], -f * y[0], -f * y[1]]
    };
    let first = [start[0], start[1], start[2], start[3]];
    let end = rk4(rate, &first, 0.0, 5.0, steps);
    end[0] * end[0] + end[1] * end[1]
}

/// A double pendulum of eight parameters: masses, lengths, angles, speeds. Where it is at the end.
#[differentiable(higher_order)]
fn pendulum(p: [f64; 8], steps: usize) -> [f64; 4] {
    let [m1, m2, l1, l2, mut a, mut b, mut u, mut v] = p;
    let h = 0.001;
    for _ in 0..steps {
        let (s, c) = (a - b).sin_cos();
        let denominator = m1 + m2 * s * s;
        let du = (-9.81 * (m1 + m2) * a.sin() - m2 * s * (l2 * v * v + l1 * u * u * c)
            + 9.81 * m2 * b.sin() * c)
            / (l1 * denominator);
        let dv = ((m1 + m2) * (l1 * u * u * s - 9.81 * b.sin() + 9.81 * a.sin() * c)
            + m2 * l2 * v * v * s * c)
            / (l2 * denominator);
        u += h * du;
        v += h * dv;
        a += h * u;
        b += h * v;
    }
    [a, b, u, v]
}

/// A polynomial filter: products and sums only, one output for each entry.
#[differentiable(higher_order)]
fn filtered(k: [f64; 8], #[constant] signal: &[f64]) -> Vec<f64> {
    let mut out = Vec::with_capacity(signal.len());
    let (mut s, mut t) = (0.0, 0.0);
    for i in 0..signal.len() {
        let x = signal[i];
        s = k[0] * s + k[1] * t + k[2] * x;
        t = k[3] * t + k[4] * s * x + k[5];
        out.push(k[6] * s + k[7] * t);
    }
    out
}

/// Numbers between -1 and 1.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Network {
    hidden: Tensor![f64; 256, 128],
    out: Tensor![f64; 128, 10],
}

/// The loss of a network with one hidden layer on 64 examples.
#[differentiable(higher_order)]
fn entropy(
    net: &Network,
    #[constant] x: &Tensor![f64; 64, 256],
    y: &Tensor![i64; 64],
) -> Tensor![f64;] {
    x.matmul(&net.hidden)
        .tanh()
        .matmul(&net.out)
        .cross_entropy(y)
}

fn network(effort: Effort) {
    let net = Network {
        hidden: Tensor::randn(1) * 0.05,
        out: Tensor::randn(2) * 0.1,
    };
    let x: Tensor![f64; 64, 256] = Tensor::randn(3);
    let y: Tensor![i64; 64] =
        Tensor::from_slice(&(0..64).map(|i| i % 10).collect::<Vec<_>>()).expect("64 labels");
    let along = entropy::grad(&net, &x, &y);
    let at = |h: f64| {
        let mut moved = net.clone();
        moved.add_scaled(h, &along);
        entropy::grad(&moved, &x, &y).out.to_vec()
    };
    let differences = at(1e-4)
        .into_iter()
        .zip(at(-1e-4))
        .map(|(p, m)| (p - m) / 2e-4);
    let found = entropy::hvp((&net, &along), &x, &y).out.to_vec();
    assert_close("network", &found, &differences.collect::<Vec<_>>(), 1e-6);
    compare(
        effort,
        "a network, 64 examples of 256 numbers, 128 hidden ones: a product with the Hessian",
        2.0,
        case("gradient", || entropy::grad(black_box(&net), &x, &y)),
        vec![case("hvp", || {
            entropy::hvp((black_box(&net), &along), &x, &y)
        })],
    );
}

fn main() {
    let effort = Effort::from_args();
    network(effort);
    let (x, v) = (numbers(1000, 1), numbers(1000, 2));
    let expected = valley_product_by_hand(&x, &v);
    assert_close("valley", &valley::hvp((&x, &v)), &expected, 1e-12);
    compare(
        effort,
        "Rosenbrock's function, 1000 variables: a product with the Hessian",
        2.0,
        case("gradient", || valley::grad(black_box(&x))),
        vec![
            case("product by hand", || {
                valley_product_by_hand(black_box(&x), &v)
            }),
            case("hvp", || valley::hvp((black_box(&x), &v))),
        ],
    );

    let (w, v) = (numbers(20, 3), numbers(20, 4));
    let points = numbers(20 * 500, 5);
    let labels: Vec<f64> = numbers(500, 6).iter().map(|x| x.signum()).collect();
    let expected = logistic_product_by_hand(&w, &points, &labels, &v);
    let found = logistic::hvp((&w, &v), &points, &labels);
    assert_close("logistic", &found, &expected, 1e-12);
    compare(
        effort,
        "logistic regression, 500 points in 20 dimensions: a product with the Hessian",
        2.0,
        case("gradient", || {
            logistic::grad(black_box(&w), &points, &labels)
        }),
        vec![
            case("product by hand", || {
                logistic_product_by_hand(black_box(&w), &points, &labels, &v)
            }),
            case("hvp", || {
                logistic::hvp((black_box(&w), &v), &points, &labels)
            }),
        ],
    );

    let (means, weights, data) = (numbers(10, 8), numbers(10, 9), numbers(500, 10));
    let (v, u) = (numbers(10, 11), numbers(10, 12));
    let expected = mixture_product_by_hand((&means, &v), (&weights, &u), &data);
    let found = mixture::hvp((&means, &v), (&weights, &u), &data);
    assert_close("mixture by means", &found.0, &expected.0, 1e-11);
    assert_close("mixture by weights", &found.1, &expected.1, 1e-11);
    compare(
        effort,
        "a mixture of 10 normal distributions, 500 points: a product with the Hessian",
        2.0,
        case("gradient", || {
            mixture::grad(black_box(&means), &weights, &data)
        }),
        vec![
            case("product by hand", || {
                mixture_product_by_hand((black_box(&means), &v), (&weights, &u), &data)
            }),
            case("hvp", || {
                mixture::hvp((black_box(&means), &v), (&weights, &u), &data)
            }),
        ],
    );

    let (start, v) = ([1.0, 0.2, 0.1, 0.9, 1.1], [0.3, -0.2, 0.5, 0.1, 0.7]);
    let h = 1e-6;
    let at = |h: f64| {
        let moved: Vec<f64> = start.iter().zip(v).map(|(x, v)| x + h * v).collect();
        orbit::grad(&moved, 100)
    };
    let (up, down) = (at(h), at(-h));
    let slopes = up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h));
    let expected: Vec<f64> = slopes.collect();
    assert_close("orbit", &orbit::hvp((&start, &v), 100), &expected, 1e-6);
    compare(
        effort,
        "an orbit of 500 steps: a product with the Hessian",
        2.0,
        case("gradient", || orbit::grad(black_box(&start), 500)),
        vec![case("hvp", || orbit::hvp((black_box(&start), &v), 500))],
    );

    let slopes = |h: f64| {
        let moved: [f64; 5] = std::array::from_fn(|i| start[i] + h * v[i]);
        solved_orbit::grad(&moved, 100)
    };
    let (up, down) = (slopes(h), slopes(-h));
    let expected: [f64; 5] = std::array::from_fn(|i| (up[i] - down[i]) / (2.0 * h));
    let found = solved_orbit::hvp((&start, &v), 100);
    assert_close("orbit by rk4", &found, &expected, 1e-6);
    compare(
        effort,
        "an orbit of 100 steps by ode::rk4: a product with the Hessian",
        2.0,
        case("gradient", || solved_orbit::grad(black_box(&start), 100)),
        vec![case("hvp", || {
            solved_orbit::hvp((black_box(&start), &v), 100)
        })],
    );

    let p = [1.0, 0.7, 1.1, 0.8, 1.2, 0.4, 0.0, 0.1];
    let unit = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let (_, column) = pendulum::jvp((p, unit), 100);
    let rows = pendulum::jacobian_fwd(p, 100);
    assert_close("pendulum", &rows.map(|row| row[4]), &column, 1e-12);
    compare(
        effort,
        "double pendulum, 100 steps: eight tangents",
        3.5,
        case("one tangent", || pendulum::jvp((black_box(p), unit), 100)),
        vec![case("eight tangents", || {
            pendulum::jacobian_fwd(black_box(p), 100)
        })],
    );

    let k = [0.5, 0.1, 0.3, 0.4, 0.2, 0.1, 0.7, 0.6];
    let signal = numbers(1000, 7);
    let (_, column) = filtered::jvp((k, unit), &signal);
    let rows = filtered::jacobian_fwd(k, &signal);
    let found: Vec<f64> = rows.iter().map(|row| row[4]).collect();
    assert_close("filter", &found, &column, 1e-12);
    compare(
        effort,
        "a filter of 1000 entries: eight tangents",
        3.5,
        case("one tangent", || {
            filtered::jvp((black_box(k), unit), &signal)
        }),
        vec![case("eight tangents, as rows", || {
            filtered::jacobian_fwd(black_box(k), &signal)
        })],
    );
}
