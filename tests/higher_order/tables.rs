//! Tables of constants in functions of higher order.

use crate::near;
use differentiable::prelude::*;

const PAIRS: [(f64, f64); 2] = [(0.1, 0.2), (0.3, 0.4)];
static NODES: [(f64, usize); 3] = [(0.5, 0), (0.25, 1), (0.75, 0)];
const NAMED: &[(&str, f64)] = &[("a", 0.5), ("b", 1.5)];
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Sine,
    Power,
}
#[derive(Clone, Copy)]
struct Term {
    kind: Kind,
    weight: f64,
    powers: [f64; 2],
}
const TERMS: [Term; 2] = [
    Term {
        kind: Kind::Sine,
        weight: 0.5,
        powers: [2.0, 3.0],
    },
    Term {
        kind: Kind::Power,
        weight: 1.5,
        powers: [3.0, 2.0],
    },
];
struct Limits {
    low: f64,
    name: &'static str,
}
static LIMITS: Limits = Limits {
    low: 0.3,
    name: "low",
};

#[differentiable(higher_order)]
fn of_pairs(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (n, w) in &PAIRS {
        sum += n * x[1] * x[1] * w;
    }
    PAIRS
        .iter()
        .map(|&(n, w)| w * (n * x[0]).cos())
        .sum::<f64>()
        * sum
        + PAIRS[1].0 * x[0]
}
#[differentiable(higher_order)]
fn of_nodes(x: &[f64]) -> f64 {
    let mut product = 1.0;
    for &(w, i) in NODES.iter() {
        product *= (w * x[i]).sin() + x[NODES[1].1];
    }
    for (name, w) in NAMED.iter() {
        if *name == "b" {
            product += w * x[0] * x[0] * x[1];
        }
    }
    product
}
#[differentiable(higher_order)]
fn of_structs(x: &[f64]) -> f64 {
    let mut sum = LIMITS.low * x[0] * x[1] * LIMITS.name.len() as f64;
    for i in 0..TERMS.len() {
        if TERMS[i].kind == Kind::Sine {
            sum += TERMS[i].weight * (TERMS[i].powers[0] * x[0]).sin() * x[1];
        } else {
            sum += TERMS[i].weight * x[0].powf(TERMS[i].powers[0]) * x[1].powf(TERMS[i].powers[1]);
        }
    }
    sum
}

macro_rules! checks {
    ($($f:ident)*) => { $(
        let x = [0.4, 0.7];
        let hessian = $f::hessian(&x);
        let h = 1e-5;
        for k in 0..2 {
            let at = |t: f64| {
                let mut y = x;
                y[k] += t;
                $f::grad(&y)
            };
            let (above, below) = (at(h), at(-h));
            for j in 0..2 {
                near(hessian[j][k], (above[j] - below[j]) / (2.0 * h), 1e-8);
            }
        }
    )* };
}

#[test]
fn constants_in_tables() {
    checks!(of_pairs of_nodes of_structs);
}
