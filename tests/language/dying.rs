//! Values that nothing names any more are moved: into fields of literals, out of variants, into what is returned after a branch.

use crate::{check, copies};
use differentiable::prelude::*;

/// A vector that counts its copies.
#[derive(Debug, PartialEq, Differentiable)]
struct Counted {
    of: Vec<f64>,
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        copies::count();
        Counted {
            of: self.of.clone(),
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Pair {
    left: Counted,
    right: Counted,
}

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Ball { center: Counted, radius: f64 },
    Box(Counted, Counted),
    Nothing,
}

#[derive(Clone, Debug)]
struct Fault;

#[differentiable]
fn scaled(x: &[f64], by: f64) -> Counted {
    Counted {
        of: x.iter().map(|x| x * by).collect(),
    }
}

#[differentiable]
fn total(c: &Counted) -> f64 {
    c.of.iter().map(|x| x * x * x).sum()
}

#[differentiable]
fn both(x: &[f64], k: f64) -> Pair {
    let part = |by: f64| scaled(x, by * k);
    Pair {
        left: part(2.0),
        right: part(x[0]),
    }
}

/// The literal in a branch, as what follows a `return` is.
#[differentiable]
fn grown(x: &[f64], k: f64) -> Option<Pair> {
    let mut left = Vec::new();
    let mut right = vec![];
    for &v in x {
        if v > 100.0 {
            return None;
        }
        left.push(v * k);
        if v > 0.0 {
            right.push(v * v);
        }
    }
    if right.is_empty() {
        return None;
    }
    let whole = Pair {
        left: Counted { of: left },
        right: Counted { of: right },
    };
    Some(whole)
}

#[differentiable]
fn solved(x: &[f64], k: f64) -> Result<Counted, Fault> {
    if x.len() > 50 {
        return Err(Fault);
    }
    Ok(scaled(x, k.sin()))
}

#[differentiable]
fn chosen(x: &[f64], k: f64) -> Shape {
    if k > 2.0 {
        return Shape::Nothing;
    }
    let center = scaled(x, k);
    if k > 0.5 {
        Shape::Ball {
            center,
            radius: k * x[0],
        }
    } else {
        Shape::Box(center, scaled(x, k * k))
    }
}

#[differentiable]
fn of_literal(x: &[f64], k: f64) -> f64 {
    let p = both(x, k);
    total(&p.left) + k * total(&p.right)
}

#[differentiable]
fn of_branch(x: &[f64], k: f64) -> f64 {
    let Some(p) = grown(x, k) else {
        return -k;
    };
    total(&p.left) * total(&p.right)
}

#[differentiable]
fn tried(x: &[f64], k: f64) -> Result<f64, Fault> {
    let first = solved(x, k)?;
    let second = solved(&first.of, k * k)?;
    let mut sum = 0.0;
    for i in 0..x.len() {
        let third = solved(&second.of[i..], k)?;
        sum += total(&third) * first.of[i];
    }
    Ok(sum + total(&second))
}

#[differentiable]
fn of_results(x: &[f64], k: f64) -> f64 {
    tried(x, k).unwrap_or(k)
}

#[differentiable]
fn of_variants(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        let shape = chosen(x, k - 0.3 * i as f64);
        sum += match shape {
            Shape::Ball { center, radius } => total(&center) * radius,
            Shape::Box(a, b) => {
                let more = if i > 1 { a } else { b };
                total(&more) + k
            }
            Shape::Nothing => k,
        };
    }
    sum
}

/// Named again afterwards, taken twice, taken in a loop: these stay.
#[differentiable]
fn of_what_stays(x: &[f64], k: f64) -> f64 {
    let mut list = Vec::new();
    for v in x {
        list.push(v * k);
    }
    let twice = (Counted { of: list.clone() }, Counted { of: list.clone() });
    let mut kept = Vec::new();
    for i in 0..2 {
        if i == 0 || k > 0.0 {
            kept.push(Counted { of: list.clone() });
        }
    }
    let shape = chosen(x, k);
    let mut sum = 0.0;
    if let Shape::Ball { center, .. } = &shape {
        sum += total(center);
    }
    if let Shape::Ball { center, radius } = shape {
        sum += total(&center) + radius;
    }
    list.push(k);
    for c in &kept {
        sum += total(c);
    }
    sum + total(&twice.0) * total(&twice.1) + list[list.len() - 1] * list[0]
}

/// In one arm it is taken, in the other one it changes and is taken then.
#[differentiable]
fn of_arms(x: &[f64], k: f64) -> f64 {
    let mut list = vec![k];
    list.extend(x.iter().map(|v| v * k));
    let c = if list.len() % 2 == 0 {
        Counted { of: list }
    } else {
        list.push(k * k);
        list[0] = list[1] * x[0];
        Counted { of: list }
    };
    let d = match c.of.len() {
        0 => None,
        n if n > 100 => None,
        _ => Some(c),
    };
    d.map_or(0.0, |d| total(&d))
}

fn points() -> Vec<(Vec<f64>, f64)> {
    vec![
        (vec![0.31, 0.42, -0.55, 0.83], 0.7),
        (vec![0.31, 0.42, -0.55], 1.3),
        (vec![-0.4, -0.2], 0.45),
        (vec![0.9], 2.4),
        (vec![0.3; 60], 0.2),
    ]
}

#[test]
fn values_die_in_many_ways() {
    for p in points() {
        check::<of_literal, _>(&p);
        check::<of_branch, _>(&p);
        check::<of_results, _>(&p);
        check::<of_variants, _>(&p);
        check::<of_what_stays, _>(&p);
        check::<of_arms, _>(&p);
    }
}

#[test]
fn what_dies_is_not_copied() {
    let x = [0.31, 0.42, -0.55, 0.83];
    for f in [
        |x: &[f64]| drop(of_literal::value_and_grad(x, 0.7)),
        |x: &[f64]| drop(of_branch::value_and_grad(x, 0.7)),
        |x: &[f64]| drop(of_results::value_and_grad(x, 0.7)),
    ] {
        let before = copies::so_far();
        f(&x);
        assert_eq!(copies::so_far(), before);
    }
}
