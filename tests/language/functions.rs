//! Functions and closures that are passed to annotated functions.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

#[differentiable]
fn inline_closure(x: f64, k: f64) -> f64 {
    apply(|v| (k * v).sin(), x)
}

/// Midpoint rule.
#[differentiable]
fn integrate<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut sum = 0.0;
    for i in 0..n {
        sum += f(a + (i as f64 + 0.5) * h) * h;
    }
    sum
}

#[differentiable]
fn integral(a: f64, b: f64, w: &[f64]) -> f64 {
    let s = w[0] * w[0];
    integrate(|t| (s * t).sin() + w[1] * t, a, b, 7)
}

#[differentiable]
fn square_sine(x: f64) -> f64 {
    x.sin().powi(2)
}

#[differentiable]
fn by_name(a: f64) -> f64 {
    integrate(square_sine, 0.0, a, 5) + apply(&square_sine, a) + apply(f64::cos, a)
}

#[differentiable]
fn local(a: f64, k: f64) -> f64 {
    let g = |t: f64| k * t * t;
    integrate(g, 0.0, a, 4) + apply(&g, a) + g(k)
}

#[test]
fn passed() {
    check::<inline_closure, _>(&(0.7, 1.3));
    check::<integral, _>(&(0.1, 1.3, vec![0.8, 0.3]));
    check::<by_name, _>(&(0.7,));
    check::<local, _>(&(0.7, 1.2));
}

/// One classical Runge-Kutta step after the other.
#[differentiable]
fn rk4(f: impl Fn(f64, &[f64]) -> Vec<f64>, y0: &[f64], steps: usize, h: f64) -> Vec<f64> {
    let mut y = y0.to_vec();
    for k in 0..steps {
        let t = k as f64 * h;
        let k1 = f(t, &y);
        let y2: Vec<f64> = y.iter().zip(&k1).map(|(y, k)| y + 0.5 * h * k).collect();
        let k2 = f(t + 0.5 * h, &y2);
        let y3: Vec<f64> = y.iter().zip(&k2).map(|(y, k)| y + 0.5 * h * k).collect();
        let k3 = f(t + 0.5 * h, &y3);
        let y4: Vec<f64> = y.iter().zip(&k3).map(|(y, k)| y + h * k).collect();
        let k4 = f(t + h, &y4);
        for i in 0..y.len() {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y
}

#[differentiable]
fn pendulum(start: &[f64], length: f64, damping: f64) -> f64 {
    let w = 9.81 / length;
    let y = rk4(
        |_, y| vec![y[1], -w * y[0].sin() - damping * y[1]],
        start,
        9,
        0.05,
    );
    y[0] * y[0] + y[1]
}

#[differentiable]
fn field(y: &[f64], t: f64, rate: f64) -> Vec<f64> {
    y.iter().map(|y| rate * y * (1.0 - y) + t.sin()).collect()
}

#[differentiable]
fn reference_arguments(start: &[f64], rate: f64) -> f64 {
    let y = rk4(|t: f64, y: &[f64]| field(y, t, rate), start, 4, 0.1);
    y.iter().product()
}

#[differentiable]
fn newton<F, D>(f: F, df: D, start: f64) -> f64
where
    F: Fn(f64) -> f64,
    D: Fn(f64) -> f64,
{
    let mut x = start;
    let mut k = 0;
    while f(x).abs() > 1e-13 && k < 50 {
        x -= f(x) / df(x);
        k += 1;
    }
    x
}

#[differentiable]
fn kepler(mean: f64, e: f64) -> f64 {
    let anomaly = newton(|x| x - e * x.sin() - mean, |x| 1.0 - e * x.cos(), mean);
    anomaly.cos()
}

#[differentiable]
fn twice(f: &impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[differentiable]
fn four_times(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    twice(&f, x) + twice(&f, 2.0 * x) * f(1.0)
}

#[differentiable]
fn passed_through(x: f64, k: f64) -> f64 {
    four_times(|v| k * v * v, x)
}

/// Adaptive Simpson: recursion with a function parameter.
#[differentiable]
fn simpson(f: &dyn Fn(f64) -> f64, a: f64, b: f64, depth: usize) -> f64 {
    let m = 0.5 * (a + b);
    let whole = (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b));
    if depth == 0 {
        whole
    } else {
        let halves = simpson(f, a, m, depth - 1) + simpson(f, m, b, depth - 1);
        halves + (halves - whole) / 15.0
    }
}

#[differentiable]
fn recursive(a: f64, k: f64) -> f64 {
    simpson(&|x: f64| (k * x).exp(), 0.0, a, 3)
}

#[differentiable]
fn pointer(f: fn(f64, f64) -> f64, x: f64) -> f64 {
    f(x, 2.0) * f(3.0, x)
}

#[differentiable]
fn blend(x: f64, y: f64) -> f64 {
    x.powi(2) * y + y.sin()
}

#[differentiable]
fn pointers(x: f64) -> f64 {
    pointer(blend, x) + pointer(f64::atan2, x) + pointer(f64::max, x)
}

#[differentiable]
fn double_integral(k: f64, b: f64) -> f64 {
    integrate(
        |x| integrate(|y| (k * x * y).cos() + y, 0.0, x, 3),
        0.0,
        b,
        4,
    )
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut state = x[0];
    for i in 0..x.len() {
        let slope = x[i] * 0.5;
        state = apply(|v| v * slope + state * i as f64, state);
        total += state * state;
    }
    total
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Spring {
    k: f64,
    x0: f64,
}

#[differentiable]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.k * (x - self.x0).powi(2)
    }
    fn work(&self, a: f64, b: f64) -> f64 {
        integrate(|x| self.k * (x - self.x0), a, b, 3) + integrate(|x| self.energy(x), a, b, 3)
    }
    fn moved(&self, by: impl Fn(f64) -> f64) -> f64 {
        by(self.x0) * self.k
    }
}

#[differentiable]
fn methods(k: f64, x0: f64) -> f64 {
    let s = Spring { k, x0 };
    s.work(0.1, x0 * 2.0) + s.moved(|x| x * x + k) + s.moved(f64::exp)
}

#[differentiable]
fn structs(f: impl Fn(Spring, &Spring) -> Spring, a: f64) -> f64 {
    let one = Spring { k: a, x0: 2.0 };
    let two = f(one, &Spring { k: a * a, x0: a });
    two.k + two.x0
}

#[differentiable]
fn of_structs(a: f64, b: f64) -> f64 {
    structs(
        |s, t| Spring {
            k: s.k * t.k * b,
            x0: t.x0 + s.x0,
        },
        a,
    )
}

#[differentiable]
fn fixed_captures(x: f64, weights: &[usize], name: &str) -> f64 {
    let n = weights.len();
    let scale = name.len() as f64;
    integrate(
        |t| t.powi(n as i32) * weights[1] as f64 * scale + name.len() as f64,
        0.0,
        x,
        3,
    )
}

#[differentiable]
fn generic<T: differentiable::ad::Scalar>(f: impl Fn(T, &[T]) -> T, x: T, v: &[T]) -> T {
    f(x, v) * f(v[0], &v[1..])
}

#[differentiable]
fn of_generic(x: f64, v: &[f64]) -> f64 {
    generic(
        |x, v: &[f64]| x * v.iter().map(|v| v * v).sum::<f64>(),
        x,
        v,
    )
}

#[differentiable]
fn pattern(f: impl Fn((f64, f64), [f64; 2]) -> (f64, f64), x: f64) -> f64 {
    let (a, b) = f((x, x * x), [1.0, x]);
    a * b
}

#[differentiable]
fn of_patterns(x: f64, k: f64) -> f64 {
    pattern(
        |(a, b), mut c| {
            c[1] *= k;
            (a * c[1], b + c[0] * k)
        },
        x,
    )
}

#[differentiable]
fn blocks(x: f64, k: f64) -> f64 {
    let odd = |v: f64| v * k;
    let f = |v: f64| {
        let mut s = 0.0;
        for i in 0..3 {
            s += odd(v) * i as f64;
        }
        if s > k { s * s } else { s.sin() }
    };
    integrate(f, 0.0, x, 4)
}

#[differentiable]
fn nothing_captured(x: f64) -> f64 {
    integrate(|t| t * t, 1.0, x, 3) + if apply(|t| t, 2.0) > 1.0 { x } else { 0.0 }
}

#[differentiable]
fn whole_vector(c: &[f64], x: f64) -> f64 {
    let poly = |c: &[f64], x: f64| c.iter().rev().fold(0.0, |s, c| s * x + c);
    let own = c.to_vec();
    integrate(|t| poly(c, t) * own[0] + own.iter().sum::<f64>(), 0.0, x, 3)
}

#[differentiable]
fn mutable_function(mut f: impl FnMut(f64) -> f64, x: f64) -> f64 {
    f(x) + f(2.0)
}

#[differentiable]
fn once(f: impl FnOnce(f64) -> f64, x: f64) -> f64 {
    f(x * x)
}

#[differentiable]
fn other_kinds(x: f64, k: f64) -> f64 {
    mutable_function(|v| v * k, x) * once(move |v| v + k, x)
}

#[test]
fn more() {
    check::<pendulum, _>(&(vec![0.7, 0.1], 1.3, 0.2));
    check::<reference_arguments, _>(&(vec![0.7, 0.1], 1.3));
    check::<kepler, _>(&(0.7, 0.3));
    check::<passed_through, _>(&(0.7, 0.3));
    check::<recursive, _>(&(0.7, 0.3));
    check::<pointers, _>(&(0.7,));
    check::<double_integral, _>(&(0.7, 1.2));
    check::<in_a_loop, _>(&(vec![0.7, 1.2, -0.4],));
    check::<methods, _>(&(0.7, 1.2));
    check::<of_structs, _>(&(0.7, 1.2));
    check::<fixed_captures, _>(&(0.7, vec![1, 2], "ab".to_string()));
    check::<of_generic, _>(&(0.7, vec![0.3, 0.4, 0.5]));
    check::<of_patterns, _>(&(0.7, 1.1));
    check::<blocks, _>(&(0.7, 1.1));
    check::<nothing_captured, _>(&(0.7,));
    check::<whole_vector, _>(&(vec![0.7, 0.2, 0.4], 1.1));
    check::<other_kinds, _>(&(0.7, 1.1));
}

#[differentiable]
fn root(f: impl Fn(f64) -> f64, target: f64, start: f64) -> f64 {
    newton(
        |x| f(x) - target,
        |x| (f(x + 1e-3) - f(x - 1e-3)) / 2e-3,
        start,
    )
}

#[differentiable]
fn average(f: &impl Fn(f64) -> f64, x: f64, w: f64) -> f64 {
    let both = |v: f64| f(v) * w + f(-v);
    integrate(|t| twice(f, t) + both(t), 0.0, x, 3)
}

#[differentiable]
fn captured_functions(x: f64, k: f64) -> f64 {
    root(|v| v * v * k, x, 1.0) + average(&|v| (k * v).sin(), x, k)
}

#[differentiable]
fn early(x: f64, k: f64) -> f64 {
    integrate(
        |t| {
            if t > k {
                return t * t;
            }
            t * k
        },
        0.0,
        x,
        4,
    )
}

#[test]
fn captured_functions_and_returns() {
    check::<captured_functions, _>(&(0.7, 1.1));
    check::<early, _>(&(0.7, 0.4));
}

#[differentiable]
fn array_maps(v: &[f64; 3], k: f64) -> f64 {
    let norm = v.map(|x| x * x).iter().sum::<f64>().sqrt();
    let unit = v.map(|x| x / norm);
    let pairs = unit.map(|x| (x * k, x + k));
    let rows = pairs.map(|(a, b)| [a, b, a * b].map(|c| c.sin() * norm));
    rows[0][1] * rows[1][2] + rows[2][0]
}

#[test]
fn arrays_are_mapped() {
    check::<array_maps, _>(&([0.3, -0.4, 1.2], 0.7));
}
