//! Constants of any type over any scalar: what is read of them, in loops, chains, patterns and methods.

use crate::near;
use differentiable::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// The derivative at zero, by differences of two steps.
pub fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let d = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (4.0 * d(5e-4) - d(1e-3)) / 3.0
}

/// Compares a gradient with differences of the function, and a Hessian with those of the gradient.
pub fn slopes<const N: usize>(
    x: &[f64; N],
    f: impl Fn(&[f64]) -> f64,
    grad: impl Fn(&[f64]) -> Vec<f64>,
    hessian: impl Fn(&[f64]) -> Vec<Vec<f64>>,
) {
    let moved = |j: usize, d: f64| {
        let mut x = *x;
        x[j] += d;
        x
    };
    let (g, h) = (grad(x), hessian(x));
    for j in 0..N {
        near(g[j], slope(|d| f(&moved(j, d))), 1e-7);
        for i in 0..N {
            near(h[i][j], slope(|d| grad(&moved(j, d))[i]), 1e-7);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Call,
    Put,
    Digital(f64),
}
#[derive(Clone, Debug, PartialEq)]
struct Leg {
    w: f64,
    name: String,
    kind: Kind,
}
struct Setup {
    legs: Vec<Leg>,
    strike: f64,
    by_name: HashMap<String, f64>,
    table: Vec<(usize, f64)>,
    pair: (f64, f64),
    grid: [[f64; 2]; 2],
    opt: Option<f64>,
    codes: HashMap<String, Vec<u8>>,
    n: usize,
    flag: bool,
}
impl Setup {
    fn rate(&self, t: f64) -> f64 {
        self.strike * t + 1.0
    }
    fn leg(&self, name: &str) -> Option<&Leg> {
        self.legs.iter().find(|l| l.name == name)
    }
    fn count(&self) -> usize {
        self.legs.len()
    }
}
fn setup() -> Setup {
    Setup {
        legs: vec![
            Leg {
                w: 0.7,
                name: "a".into(),
                kind: Kind::Call,
            },
            Leg {
                w: -0.4,
                name: "b".into(),
                kind: Kind::Digital(0.3),
            },
            Leg {
                w: 1.4,
                name: "c".into(),
                kind: Kind::Put,
            },
        ],
        strike: 1.3,
        by_name: HashMap::from([("a".to_string(), 0.6), ("b".to_string(), 1.7)]),
        table: vec![(0, 0.5), (1, -0.25), (5, 3.0)],
        pair: (0.3, 0.9),
        grid: [[0.1, 0.2], [0.3, 0.4]],
        opt: Some(0.8),
        codes: HashMap::from([("x".to_string(), vec![1u8, 2, 3])]),
        n: 2,
        flag: true,
    }
}

#[differentiable(higher_order)]
fn loops(x: f64, y: f64, #[constant] s: &Setup) -> f64 {
    let mut total = s.strike;
    for leg in &s.legs {
        let w = leg.w;
        total += w * x * y;
        match leg.kind {
            Kind::Call => total *= x,
            Kind::Put if s.flag => total += y.sin(),
            Kind::Put => total -= y,
            Kind::Digital(d) => total += d * x * x,
        }
        if leg.name == "b" {
            total += x * x * x;
        }
        if leg.kind == Kind::Put {
            total += x * y * y;
        }
    }
    for (i, v) in &s.table {
        if *i > 3 {
            break;
        }
        total += v * x * x * (*i as f64 + 1.0);
    }
    total * x.powf(s.strike) + s.grid[1][0] * y * x
}

#[differentiable(higher_order)]
fn chains(x: &[f64], #[constant] s: &Setup) -> f64 {
    let a: f64 = s.legs.iter().map(|l| l.w * x[0] * x[1]).sum();
    let b = s.by_name.get("a").copied().unwrap_or(0.5);
    let c = s.by_name["b"] * 2.0;
    let d = s.legs.iter().map(|l| l.w).fold(0.0, |a: f64, w| a.max(w));
    let e = s.opt.unwrap_or(0.1) + s.opt.map_or(0.0, |o| o * 2.0);
    let f = s.legs.iter().filter(|l| l.kind != Kind::Call).count() as f64;
    let (p, q) = s.pair;
    let k = s.codes["x"].iter().map(|&b| b as usize).sum::<usize>();
    let found = s.leg("c").map(|l| l.w).unwrap_or(0.0);
    let Setup { strike, n, .. } = s;
    let mut sum =
        a * a + b * x[0].exp() + c * x[1] * x[1] + d.sqrt() * x[0] + e * x[1] + f * x[0] * x[1];
    for i in 0..s.count() {
        sum += x[i % 2] * x[0] * s.legs[i].w.abs();
    }
    for i in 0..*n {
        sum += x[i] * x[i] * x[1];
    }
    sum + p * q * x[0] * x[1] * k as f64
        + found * x[0].sin()
        + strike * x[0] * x[0]
        + s.rate(0.5) * x[1].cos()
}

#[differentiable(higher_order)]
fn inner(v: f64, #[constant] leg: &Leg, k: f64) -> f64 {
    v * v * leg.w
        + k * v
        + if leg.name.starts_with('a') {
            v.exp()
        } else {
            v
        }
}
#[differentiable(higher_order)]
fn outer(
    x: f64,
    y: f64,
    #[constant] s: &Setup,
    #[constant] kind: Kind,
    #[constant] scale: f64,
) -> f64 {
    let mut v = x;
    let mut i = 0;
    while i < s.legs.len() {
        v = inner(v * y, &s.legs[i], s.strike) * 0.3;
        i += 1;
    }
    let best = s.legs.iter().max_by(|a, b| a.w.total_cmp(&b.w)).unwrap();
    let last = s.legs.last().unwrap();
    v += inner(y, &*last, scale) * best.w;
    match kind {
        Kind::Call => v * y,
        Kind::Digital(d) => v * d * y * y,
        _ => v,
    }
}
#[differentiable(higher_order)]
fn tables(
    x: f64,
    #[constant] t: &[(String, f64)],
    #[constant] m: &BTreeMap<String, f64>,
    #[constant] codes: &HashMap<String, Vec<u8>>,
    #[constant] kinds: &[Kind],
    #[constant] names: &[String],
) -> f64 {
    let mut sum = 0.0;
    for (name, v) in t {
        sum += v * x * x * name.len() as f64;
    }
    for (name, v) in m.iter() {
        if name != "skip" {
            sum += x.powi(3) * v;
        }
    }
    for &b in &codes["q"] {
        sum += x.sin() * b as f64;
    }
    for (k, n) in kinds.iter().zip(names) {
        sum += match k {
            Kind::Digital(d) => d * x * x,
            Kind::Call => x * n.len() as f64,
            Kind::Put => 0.0,
        };
    }
    sum
}

#[test]
fn loops_and_patterns() {
    let s = setup();
    let (x, y) = (0.7, 1.2);
    let (g, h) = (loops::grad(x, y, &s), loops::hessian(x, y, &s));
    near(g.0, slope(|d| loops(x + d, y, &s)), 1e-8);
    near(g.1, slope(|d| loops(x, y + d, &s)), 1e-8);
    near(h.0.0, slope(|d| loops::grad(x + d, y, &s).0), 1e-8);
    near(h.0.1, slope(|d| loops::grad(x, y + d, &s).0), 1e-8);
    near(h.1.1, slope(|d| loops::grad(x, y + d, &s).1), 1e-8);
}

#[test]
fn chains_and_methods() {
    let (s, x) = (setup(), [0.4, 0.9]);
    slopes(
        &x,
        |x| chains(x, &s),
        |x| chains::grad(x, &s),
        |x| chains::hessian(x, &s),
    );
}

#[test]
fn passed_on() {
    let (s, x, y) = (setup(), 0.7, 1.2);
    for k in [Kind::Call, Kind::Digital(1.7), Kind::Put] {
        let g = |x, y| outer::grad(x, y, &s, k, 0.4);
        let h = outer::hessian(x, y, &s, k, 0.4);
        near(g(x, y).1, slope(|d| outer(x, y + d, &s, k, 0.4)), 1e-8);
        near(h.0.1, slope(|d| g(x, y + d).0), 1e-8);
        near(h.1.1, slope(|d| g(x, y + d).1), 1e-8);
    }
}

#[test]
fn maps_and_tables() {
    let t = vec![("ab".to_string(), 0.3), ("c".to_string(), 1.1)];
    let m = BTreeMap::from([("a".to_string(), 2.0), ("skip".to_string(), 9.0)]);
    let codes = HashMap::from([("q".to_string(), vec![1u8, 4])]);
    let kinds = [Kind::Call, Kind::Digital(0.4)];
    let names = ["abc".to_string(), "d".to_string()];
    let g = |x| tables::grad(x, &t, &m, &codes, &kinds, &names);
    near(
        g(0.7),
        slope(|d| tables(0.7 + d, &t, &m, &codes, &kinds, &names)),
        1e-8,
    );
    near(
        tables::hessian(0.7, &t, &m, &codes, &kinds, &names),
        slope(|d| g(0.7 + d)),
        1e-8,
    );
}
