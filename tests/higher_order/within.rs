//! Products with Hessians, Hessians, Jacobians and pullbacks inside of differentiable functions: value, both modes and
//! products with the Hessian of what is made of them against differences.

use crate::near;
use differentiable::ad::{Scalar, check_grads};
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn g(x: f64, y: f64) -> f64 {
    x * x * y + (x * y).sin()
}

#[differentiable(higher_order)]
fn chain(x: &[f64], k: f64, #[constant] data: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += (x[i] * x[i + 1] * k).sin() * x[i] * data[i];
    }
    s
}

#[differentiable(higher_order)]
fn field(x: &[f64], k: f64) -> [f64; 2] {
    [x[0] * (k * x[1]).sin(), x[0].powi(3) + k * x[1]]
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Spring {
    k: f64,
    w: Vec<f64>,
}

#[differentiable(higher_order)]
fn stored(s: &Spring, x: f64) -> f64 {
    (s.k * x).sin() * x + s.w[0] * s.w[1] * x * x * s.k
}

#[differentiable(higher_order)]
fn products(x: &[f64], v: &[f64], k: f64, #[constant] data: &[f64]) -> f64 {
    let (h, by_k) = chain::hvp((x, v), (k, 0.5 * k), data, 3);
    let mut s = by_k * k;
    for i in 0..h.len() {
        s += h[i] * h[i] * x[i];
    }
    s
}

#[differentiable(higher_order)]
fn of_a_struct(s: &Spring, x: f64) -> f64 {
    let (by_s, by_x) = stored::grad(s, x);
    let (h, along) = stored::hvp((s, &by_s), (x, by_x));
    h.k * along + h.w[0] * h.w[1]
}

#[differentiable(higher_order)]
fn hessians(x: &[f64], k: f64, #[constant] data: &[f64]) -> f64 {
    let (h, by_k) = chain::hessian(x, k, data, 3);
    let mut s = by_k.1 * by_k.0[1];
    for i in 0..4 {
        s += h[i].0[i] * h[i].1 + h[i].0[0] * x[i];
    }
    s
}

/// A step of Newton's method, whose own Hessian is taken below.
#[differentiable(higher_order)]
fn newton(x: f64, y: f64) -> f64 {
    let (((a, b), (c, d)), (p, q)) = (g::hessian(x, y), g::grad(x, y));
    let det = a * d - b * c;
    x - (d * p - b * q) / det + y * (a * q - c * p) / det
}

#[differentiable(higher_order)]
fn levels(x: f64) -> f64 {
    let ((a, _), _) = newton::hessian(x, 0.5 * x);
    a * x
}

#[differentiable(higher_order)]
fn jacobians(x: &[f64], k: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        let j = field::jacobian(x, k * (i as f64 + 1.0));
        s += j[0].0[0] * j[1].0[1] - j[0].0[1] * j[1].0[0] + j[i].1;
    }
    s
}

#[differentiable(higher_order)]
fn pullbacks(x: &[f64], k: f64) -> f64 {
    let mut y = x.to_vec();
    let mut s = 0.0;
    for i in 0..3 {
        let (v, pullback) = field::vjp(&y, k);
        y[1] += 0.3 * v[0]; // the pullback has a copy
        let (by_y, by_k) = pullback.clone()([v[1], k * i as f64]);
        s += by_y[0] * by_k + pullback([1.0, s]).1;
        y[0] += 0.1 * by_y[0];
    }
    s
}

#[differentiable(higher_order)]
fn linear(x: &[f64], k: f64) -> f64 {
    let (v, along) = field::linearize(x, k);
    let (a, b) = (along(&[k, x[0]], 1.0), along(&[0.3, 1.0], k));
    let ((p, _), (q, _)) = g::grad_and_hvp((k, 1.0), (x[0], k));
    v[0] * a[0] + a[1] * b[0] * b[1] + p * q
}

#[test]
fn operators_have_derivatives() {
    let x = vec![0.3, 0.9, -0.4, 0.7];
    let data = vec![1.0, 2.0, -1.0, 0.5];
    check!(
        products(x.clone(), vec![0.1, -0.2, 0.4, 0.3], 1.1, data.clone()),
        hessians(x, 1.1, data),
        newton(0.7, 0.3),
        levels(0.9),
        jacobians(vec![0.7, 0.3], 1.3),
        pullbacks(vec![0.7, 0.3], 1.3),
        linear(vec![0.7, 0.3], 1.3),
        of_a_struct(
            Spring {
                k: 1.3,
                w: vec![0.4, 0.7]
            },
            0.7
        ),
    );
}

#[differentiable]
fn third(x: f64) -> f64 {
    let ((a, _), _) = cubic::hessian(x, 1.0);
    a
}

#[differentiable(higher_order)]
fn cubic<T: Scalar>(x: T, k: T) -> T {
    k * x * x * x
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    a: f64,
}

#[differentiable]
impl Model {
    fn run(&self, x: f64) -> f64 {
        let mut y = x;
        #[checkpoint]
        for _ in 0..4 {
            let ((h, c), _) = g::hessian(y, self.a);
            if h > 0.0 {
                y += 0.1 * h;
            } else {
                y -= 0.05 * c;
            }
            y += 0.01 * g::hvp((y, self.a), (self.a, 1.0)).0;
        }
        let along = |t: f64| g::hvp((t, 1.0), (self.a, 0.0)).0;
        y + [1.0, y].iter().map(|v| along(*v)).sum::<f64>()
    }
}

#[differentiable]
fn run(m: &Model, x: f64) -> f64 {
    m.run(x)
}

#[differentiable(higher_order)]
fn single(x: f32, y: f32) -> f32 {
    x * x * y * y
}

#[differentiable]
fn in_single(x: f32) -> f32 {
    let ((a, b), _) = single::hessian(x, 2.0 * x);
    a * b
}

#[test]
fn in_methods_loops_and_other_scalars() {
    near(third(2.0), 12.0, 1e-14);
    near(third::grad(2.0), 6.0, 1e-14);
    check_grads::<run, _>(&(Model { a: 0.7 }, 0.3)).unwrap();
    // 2 (2x)² · 8x² = 64 x⁴
    near(f64::from(in_single::grad(0.5)), 32.0, 1e-4);
}

#[differentiable(higher_order)]
fn weighed(w: &Tensor![f64; 3], x: &Tensor![f64; 3]) -> f64 {
    ((w * x).sin() * x).sum().item()
}

#[differentiable]
fn of_tensors(w: &Tensor![f64; 3], x: &Tensor![f64; 3]) -> f64 {
    let (a, b) = weighed::hvp((w, x), (x, w));
    (a * b).sum().item()
}

#[test]
fn products_by_tensors() {
    let args = (tensor([0.1, 0.2, 0.3]), tensor([0.5, 0.6, -0.3]));
    check_grads::<of_tensors, _>(&args).unwrap();
}

#[derive(Clone, Debug)]
struct Config {
    rate: f64,
    power: usize,
}

#[differentiable(higher_order)]
fn rated(x: f64, y: f64, #[constant] c: &Config) -> f64 {
    (x * c.rate).sin() * y * y + x * c.power as f64
}

/// A constant of any type has no tangent.
#[differentiable(higher_order)]
fn with_constants(x: f64, y: f64, #[constant] c: &Config) -> f64 {
    let ((a, b), (_, d)) = rated::hessian(x, y, c);
    let (gradient, product) = rated::grad_and_hvp((x * y, y), (y + 1.0, 1.0), c);
    let (value, pullback) = rated::vjp(x, y, c);
    let (by_x, by_y) = pullback(2.0 * x);
    let (_, along) = rated::linearize(x, y, c);
    a * b + d + gradient.0 * product.1 + value * by_x + by_y * along(x, y)
}

#[differentiable(higher_order)]
fn applied(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

#[differentiable(higher_order)]
fn passed_on(x: f64, y: f64) -> f64 {
    let (value, pullback) = g::vjp(x, y);
    let (_, along) = g::linearize(x, y);
    let curved = |a: f64, b: f64| {
        let ((p, q), (_, r)) = g::hessian(a, b);
        p * q + r * x
    };
    applied(|t| pullback.clone()(t).0 + along(t, value), x) + curved(y, 0.5)
}

#[differentiable]
fn where_it_decides(x: f64, y: f64) -> f64 {
    let (value, pullback) = g::vjp(x, y);
    if g::hessian(x, y).0.0 > 0.5 && g::hvp((x, 1.0), (y, 0.0)).0 > 0.0 {
        return value * pullback(1.0).0;
    }
    x * pullback(y).1
}

#[test]
fn constants_and_closures() {
    let config = Config {
        rate: 1.5,
        power: 2,
    };
    let (x, y, h) = (0.7, 0.4, 1e-5);
    let slopes = with_constants::grad(x, y, &config);
    let slope = |a: f64, b: f64| (a - b) / (2.0 * h);
    near(
        slopes.0,
        slope(
            with_constants(x + h, y, &config),
            with_constants(x - h, y, &config),
        ),
        1e-7,
    );
    near(
        slopes.1,
        slope(
            with_constants(x, y + h, &config),
            with_constants(x, y - h, &config),
        ),
        1e-7,
    );
    let (second, _) = with_constants::hvp((x, 1.0), (y, 0.0), &config);
    let at = |x: f64| with_constants::grad(x, y, &config).0;
    near(second, slope(at(x + h), at(x - h)), 1e-6);
    check!(passed_on(x, y));
    for y in [0.4, -0.4] {
        check_grads::<where_it_decides, _>(&(x, y)).unwrap();
    }
}
