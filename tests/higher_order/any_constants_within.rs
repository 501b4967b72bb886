//! Constants of any type over any scalar: with marked types in them, in methods, nested gradients, checkpoints.

use crate::any_constants::{slope, slopes};
use crate::near;
use differentiable::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Species {
    A,
    B,
}
#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Pair {
    eps: f64,
    sigma: f64,
}
#[differentiable(higher_order)]
impl Pair {
    fn energy(&self, r2: f64) -> f64 {
        let s = self.sigma * self.sigma / r2;
        self.eps * s * s * (s - 1.0)
    }
    fn made(k: f64) -> Pair {
        Pair {
            eps: k * k,
            sigma: k.exp(),
        }
    }
}
struct World {
    pairs: HashMap<(Species, Species), Pair>,
    default: Pair,
    kinds: Vec<Species>,
    side: f64,
    weights: Vec<f64>,
    label: Option<String>,
}

#[differentiable(higher_order)]
fn energy(x: &[f64], #[constant] w: &World) -> f64 {
    let mut e = 0.0;
    for i in 0..x.len() {
        for j in 0..i {
            let d = x[i] - x[j];
            let r2 = d * d + w.side;
            let p = w.pairs.get(&(w.kinds[i], w.kinds[j])).unwrap_or(&w.default);
            e += p.energy(r2);
            e += w.default.energy(r2) * w.weights[i];
        }
    }
    let first = &w.weights;
    e + dot(x, first) + dot(x, &w.weights) * x[0] + made(x[1], w.side)
}
#[differentiable(higher_order)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b * a).sum()
}

// nested gradient
#[differentiable(higher_order)]
fn force(x: &[f64], #[constant] w: &World, k: f64) -> f64 {
    let g = energy::grad(x, w);
    let mut s = 0.0;
    for i in 0..g.len() {
        s += g[i] * g[i] * k;
    }
    s
}
// marked constants as before
#[differentiable(higher_order)]
fn marked(x: f64, #[constant] p: &Pair, #[constant] list: &[Pair]) -> f64 {
    let mut s = p.energy(x) + p.eps * x;
    for q in list {
        s += q.energy(x * p.sigma);
    }
    s
}
#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Model {
    a: f64,
    b: Vec<f64>,
}
#[derive(Clone)]
struct Options {
    gain: f64,
    steps: usize,
    mode: Mode,
}
#[derive(Clone, Copy)]
enum Mode {
    Fast,
    Slow { factor: f64 },
}
#[differentiable(higher_order)]
impl Model {
    fn run(&self, x: f64, #[constant] o: &Options) -> f64 {
        let mut v = x;
        for k in 0..o.steps {
            v = self.step(v, o) + self.b[k % self.b.len()];
        }
        v
    }
    fn step(&self, v: f64, #[constant] o: &Options) -> f64 {
        let f = match o.mode {
            Mode::Fast => 1.0,
            Mode::Slow { factor } => factor,
        };
        (self.a * v * o.gain).sin() * f
    }
}
// jacobians, checkpoints, &mut, f32
#[differentiable(higher_order)]
fn vector(x: &[f64], #[constant] o: &Options) -> Vec<f64> {
    x.iter().map(|v| v * v * o.gain).collect()
}
#[differentiable(higher_order)]
fn advance(s: &mut Vec<f64>, k: f64, #[constant] o: &Options) {
    for i in 0..s.len() {
        s[i] = s[i] * k * o.gain + k.sin();
    }
}
#[differentiable(higher_order)]
fn changed(x: f64, #[constant] o: &Options) -> f64 {
    let mut s = vec![x, x * x, 1.0];
    #[checkpoint]
    for _ in 0..o.steps {
        advance(&mut s, x, o);
    }
    s.iter().sum()
}
struct Single {
    k: f32,
    names: Vec<String>,
}
#[differentiable(higher_order)]
fn single(x: f32, #[constant] s: &Single) -> f32 {
    let m = s.k.max(0.25) * s.names.len() as f32;
    if s.names.iter().any(|n| n == "q") {
        return x * x * m;
    }
    x.powi(3) * s.k + m * x
}
#[differentiable(higher_order)]
fn early(x: f64, #[constant] o: &Option<Options>) -> f64 {
    let Some(o) = o else { return x * x };
    if o.gain > 10.0 {
        return x.exp();
    }
    o.gain * x * x * x
}
#[differentiable(higher_order(Pair))]
fn made(x: f64, side: f64) -> f64 {
    Pair::made(x).energy(side)
}

fn world() -> World {
    World {
        pairs: HashMap::from([
            (
                (Species::A, Species::B),
                Pair {
                    eps: 0.4,
                    sigma: 1.1,
                },
            ),
            (
                (Species::B, Species::B),
                Pair {
                    eps: 0.8,
                    sigma: 0.9,
                },
            ),
        ]),
        default: Pair {
            eps: 1.2,
            sigma: 0.7,
        },
        kinds: vec![Species::A, Species::B, Species::B],
        side: 1.3,
        weights: vec![0.2, 0.5, -0.3],
        label: None,
    }
}

#[test]
fn marked_types_inside() {
    let (w, x) = (world(), [0.3, 0.9, -0.4]);
    assert!(w.label.is_none());
    slopes(
        &x,
        |x| energy(x, &w),
        |x| energy::grad(x, &w),
        |x| energy::hessian(x, &w),
    );
    let p = Pair {
        eps: 0.4,
        sigma: 1.1,
    };
    let l = [
        p.clone(),
        Pair {
            eps: 1.4,
            sigma: 0.6,
        },
    ];
    near(
        marked::hessian(0.8, &p, &l),
        slope(|d| marked::grad(0.8 + d, &p, &l)),
        1e-8,
    );
}

#[test]
fn nested_gradients() {
    let (w, x) = (world(), [0.3, 0.9, -0.4]);
    slopes(
        &x,
        |x| force(x, &w, 0.7),
        |x| force::grad(x, &w, 0.7).0,
        |x| {
            let rows = force::hessian(x, &w, 0.7).0;
            rows.into_iter().map(|r| r.0).collect()
        },
    );
}

#[test]
fn methods_and_operators() {
    let m = Model {
        a: 0.7,
        b: vec![0.1, -0.2],
    };
    let moved = |d: f64| Model {
        a: 0.7 + d,
        ..m.clone()
    };
    let x = [0.3, 0.9, -0.4];
    for mode in [Mode::Fast, Mode::Slow { factor: 0.8 }] {
        let o = Options {
            gain: 1.1,
            steps: 3,
            mode,
        };
        let h = m.run_hessian(0.4, &o);
        near(
            m.run_grad(0.4, &o).0.a,
            slope(|d| moved(d).run(0.4, &o)),
            1e-8,
        );
        near(h.1.1, slope(|d| m.run_grad(0.4 + d, &o).1), 1e-8);
        near(h.1.0.a, slope(|d| moved(d).run_grad(0.4, &o).1), 1e-8);
        near(
            changed::grad(0.6, &o),
            slope(|d| changed(0.6 + d, &o)),
            1e-8,
        );
        near(
            changed::hessian(0.6, &o),
            slope(|d| changed::grad(0.6 + d, &o)),
            1e-8,
        );
        let row = |d: f64| vector(&[x[0], x[1] + d, x[2]], &o)[1];
        let j = vector::jacobian(&x, &o);
        near(j[1][1], slope(row), 1e-8);
        near(
            vector::linearize(&x, &o).1(&[0.0, 1.0, 0.0])[1],
            j[1][1],
            1e-12,
        );
        let some = Some(o.clone());
        near(
            early::hessian(0.6, &some),
            slope(|d| early::grad(0.6 + d, &some)),
            1e-8,
        );
    }
    near(early::hessian(0.6, &None), 2.0, 1e-12);
    let s = Single {
        k: 0.5,
        names: vec!["a".into(), "b".into()],
    };
    near(single::hessian(0.6, &s).into(), 1.8, 1e-5);
    assert_eq!(made(0.3, 0.7), Pair::made(0.3).energy(0.7));
}
