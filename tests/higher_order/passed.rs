//! Functions that are passed on, chosen or local, and methods of own types that are named like those of floats: second
//! derivatives against differences of the first.

use crate::near;
use differentiable::prelude::*;

/// Products with unit vectors, against central differences of the gradient.
fn second(
    x: &[f64],
    gradient: impl Fn(&[f64]) -> Vec<f64>,
    product: impl Fn(&[f64], &[f64]) -> Vec<f64>,
) {
    for k in 0..x.len() {
        let mut unit = vec![0.0; x.len()];
        unit[k] = 1.0;
        let at = |h: f64| {
            let mut x = x.to_vec();
            x[k] += h;
            gradient(&x)
        };
        let (up, down) = (at(1e-5), at(-1e-5));
        for (i, found) in product(x, &unit).into_iter().enumerate() {
            near(found, (up[i] - down[i]) / 2e-5, 1e-7);
        }
    }
}

const AT: [f64; 4] = [0.31, 0.42, -0.55, 0.83];

#[derive(Clone, Copy, Differentiable)]
#[differentiable(higher_order)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable(higher_order)]
impl Point {
    fn abs(&self) -> Point {
        Point {
            x: self.x.abs(),
            y: self.y.abs(),
        }
    }
    fn max(self, k: f64) -> Point {
        Point {
            x: self.x.max(k),
            y: self.y.max(k),
        }
    }
    fn name(&self) -> &'static str {
        "point"
    }
    fn integral<F: Fn(f64) -> f64>(&self, f: F) -> f64 {
        (f(self.x) + f(self.y)) * (self.y - self.x)
    }
}

#[differentiable(higher_order)]
fn two<F, H: Fn(f64, f64) -> f64>(f: F, h: &H, x: f64) -> f64
where
    F: Fn(f64) -> f64,
{
    let a = f(x);
    h(a, f(a)) * x
}

#[differentiable(higher_order)]
fn of_slices<F: Fn(&[f64]) -> f64>(f: F, x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    y[0] *= 2.0;
    f(&y) + f(x)
}

#[differentiable(higher_order)]
fn of_points<F: Fn(&Point) -> Point>(f: F, p: Point) -> f64 {
    let mut q = p;
    for _ in 0..3 {
        q = f(&q);
    }
    q.x * q.y
}

#[differentiable(higher_order)]
fn passed_on<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    two(&f, &|a, b| a * b, x) + two(|t| f(t) * t, &|a, b| a + b, x)
}

#[differentiable(higher_order)]
fn newton<F: Fn(f64) -> f64, D: Fn(f64) -> f64>(f: F, slope: D, start: f64) -> f64 {
    let mut x = start;
    for _ in 0..20 {
        let step = f(x) / slope(x);
        x -= step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    x
}

#[differentiable(higher_order)]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[test]
fn of_parameters_with_a_type_of_their_own() {
    #[differentiable(higher_order)]
    fn f(x: &[f64]) -> f64 {
        let k = x[3];
        let p = Point { x: x[0], y: x[1] };
        two(|a| a * x[1], &|a: f64, b| a.sin() * b + k, x[0])
            + of_slices(|v| v.iter().map(|e| e * e * k).sum::<f64>(), x)
            + of_points(
                |p: &Point| Point {
                    x: p.x * x[2],
                    y: p.y + k * p.x,
                },
                p,
            )
            + passed_on(|t| (t * x[2]).exp(), x[0])
            + passed_on(cube, x[1])
            + p.integral(|t| (t * k).cos())
            + newton(|t| t * t - k, |t| 2.0 * t, 1.0)
    }
    second(&AT, f::grad, |x, v| f::hvp((x, v)));
}

#[test]
fn chosen_and_local() {
    #[differentiable(higher_order)]
    fn f(x: &[f64]) -> f64 {
        fn bell(t: f64) -> f64 {
            (-t * t).exp()
        }
        let basis = [bell, cube, f64::sin];
        let one = if x[0] > 0.0 { cube } else { bell };
        let s: f64 = basis.iter().zip(x).map(|(g, v)| g(*v * x[3])).sum();
        s * one(x[2]) * basis[2](x[1])
    }
    second(&AT, f::grad, |x, v| f::hvp((x, v)));
}

#[test]
fn methods_named_like_those_of_floats() {
    #[differentiable(higher_order)]
    fn f(x: &[f64]) -> f64 {
        let p = Point {
            x: x[0] * x[1],
            y: x[2] * x[3],
        };
        let q = p.abs().max(x[0] * x[0]);
        q.x * q.y * q.y
    }
    second(&AT, f::grad, |x, v| f::hvp((x, v)));
    assert_eq!(Point { x: 0.0, y: 0.0 }.name(), "point");
}

#[test]
fn of_generics_that_are_written() {
    #[differentiable(higher_order)]
    fn power<const N: usize>(x: f64) -> f64 {
        x.powi(N as i32)
    }
    #[differentiable(higher_order)]
    fn f(x: &[f64]) -> f64 {
        power::<3>(x[0]) * power::<2>(x[1]) * x[2]
    }
    second(&AT, f::grad, |x, v| f::hvp((x, v)));
}
