//! Constants with references in them: tables of text, maps by text, structs that borrow.

use crate::any_constants::slope;
use crate::near;
use differentiable::prelude::*;
use std::collections::HashMap;

#[differentiable(higher_order)]
fn inner(x: f64, #[constant] table: &[(&str, f64)], #[constant] name: &str) -> f64 {
    let v = table
        .iter()
        .find(|(n, _)| *n == name)
        .map_or(0.25, |(_, v)| *v);
    v * x * x * x
}
#[differentiable(higher_order)]
fn u(
    x: f64,
    #[constant] table: &[(&str, f64)],
    #[constant] by: &HashMap<&str, f64>,
    #[constant] names: &[&str],
    #[constant] pair: &(&str, f64),
) -> f64 {
    let mut s = 0.0;
    for (name, v) in table {
        if *name == "q" {
            s += v * x * x;
        } else {
            s += v * x.exp();
        }
    }
    for n in names {
        s += x.sin() * n.len() as f64 + inner(x, table, "q");
    }
    s + by["k"] * x.powi(3) + pair.1 * x * x
}
#[differentiable]
fn first(x: f64) -> f64 {
    let t = [("q", 0.5), ("z", 1.5)];
    inner(x, &t, "z")
        + u(
            x,
            &t,
            &HashMap::from([("k", 0.7f64)]),
            &["a", "bc"],
            &("p", 2.0),
        )
}
struct Holder<'a> {
    rows: &'a [f64],
    name: &'a str,
}
#[differentiable]
fn borrowed(x: f64, #[constant] d: &Holder<'_>) -> f64 {
    d.rows[0] * x * x * d.name.len() as f64
}

#[test]
fn tables_of_text() {
    let table = [("q", 0.5), ("z", 1.5)];
    let by = HashMap::from([("k", 0.7)]);
    let f = |x| u(x, &table, &by, &["a", "bc"], &("p", 2.0));
    let g = |x| u::grad(x, &table, &by, &["a", "bc"], &("p", 2.0));
    near(g(0.8), slope(|d| f(0.8 + d)), 1e-8);
    let h = u::hessian(0.8, &table, &by, &["a", "bc"], &("p", 2.0));
    near(h, slope(|d| g(0.8 + d)), 1e-8);
    let (_, pullback) = u::vjp(0.8, &table, &by, &["a", "bc"], &("p", 2.0));
    near(pullback(1.0), g(0.8), 1e-12);
    near(first::grad(0.8), slope(|d| first(0.8 + d)), 1e-8);
}

#[test]
fn structs_that_borrow() {
    let rows = [1.5, 2.0];
    let d = Holder {
        rows: &rows,
        name: "ab",
    };
    near(borrowed::grad(0.8, &d), 4.8, 1e-12);
}
