//! A `Vec` that grows, and chains that are collected.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn powers(x: f64, n: usize) -> f64 {
    let mut v = Vec::new();
    v.push(1.0);
    for i in 0..n {
        let next = v[i] * x;
        v.push(next);
    }
    let mut s = 0.0;
    for p in v.iter() {
        s += p * p;
    }
    s + v[v.len() - 1]
}

#[differentiable]
fn some_of(x: &[f64], limit: f64) -> f64 {
    let mut kept: Vec<f64> = Vec::with_capacity(x.len());
    kept.push(limit);
    for v in x {
        if *v < limit {
            kept.push(v * v);
        } else {
            kept.push(2.0);
        }
    }
    let n = kept.len() as f64;
    kept.iter().sum::<f64>() / n
}

#[differentiable]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * v).collect()
}

#[differentiable]
fn collected(x: &[f64], k: f64) -> f64 {
    let s = squares(x);
    let scaled: Vec<f64> = s
        .iter()
        .enumerate()
        .map(|(i, v)| v * k * i as f64)
        .collect();
    let large = scaled
        .iter()
        .copied()
        .filter(|v| *v > 0.5)
        .collect::<Vec<f64>>();
    large.iter().product::<f64>() + scaled[0]
}

#[differentiable]
fn rows(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut row = Vec::new();
        for v in x {
            row.push(v * (i as f64 + 1.0));
        }
        row.push(x[0]);
        row[1] *= row[0];
        total += row[1] * row[row.len() - 1];
    }
    total
}

#[differentiable]
fn returned(x: f64) -> Vec<f64> {
    let mut v = vec![x];
    while v.len() < 4 {
        let last = v[v.len() - 1];
        v.push(last * x + 1.0);
        if last > 10.0 {
            return v;
        }
    }
    v
}

#[differentiable]
fn of_returned(x: f64) -> f64 {
    let v = returned(x);
    v.iter().map(|a| a.ln()).sum()
}

#[differentiable]
fn points(x: &[f64]) -> f64 {
    let mut pairs = Vec::new();
    for i in 1..x.len() {
        pairs.push((x[i - 1], x[i] * x[i]));
    }
    let mut s = 0.0;
    for i in 0..pairs.len() {
        s += pairs[i].0 * pairs[i].1;
    }
    s
}

#[test]
fn pushes() {
    check::<powers, _>(&(0.9, 4));
    check::<powers, _>(&(0.9, 0));
    check::<some_of, _>(&(vec![0.3, 1.2, 0.7], 1.0));
    check::<some_of, _>(&(vec![], 1.0));
    check::<rows, _>(&(vec![0.3, 1.2, 0.7], 3));
    check::<of_returned, _>(&(1.3,));
    check::<of_returned, _>(&(11.0,));
    check::<points, _>(&(vec![0.3, 1.2, 0.7],));
}

#[test]
fn collects() {
    check::<collected, _>(&(vec![0.3, 1.2, 0.7, 2.0], 1.5));
    let (value, pullback) = squares::vjp(&[3.0, 4.0]);
    assert_eq!(value, vec![9.0, 16.0]);
    assert_eq!(pullback(vec![1.0, 10.0]), vec![6.0, 80.0]);
}

#[differentiable]
fn listed(x: &[f64], k: f64) -> Vec<f64> {
    let scaled = |v: f64| v * k;
    let v: Vec<f64> = vec![scaled(x[0]), x.iter().map(|v| v.tanh()).product::<f64>()];
    vec![v[0] * v[1], if k > 1.0 { k * k } else { k }, squares(x)[1]]
}

#[differentiable]
fn of_listed(x: &[f64], k: f64) -> f64 {
    let v = listed(x, k);
    let w = vec![v.iter().sum::<f64>(); 2];
    w[0] * w[1] + v[2]
}

#[test]
fn calls_and_chains_in_a_vec() {
    check::<of_listed, _>(&(vec![0.3, 1.2], 1.5));
    check::<of_listed, _>(&(vec![0.3, 1.2], 0.5));
}

mod units {
    use crate::{check, check_outputs};
    use differentiable::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Queue {
        v: Vec<f64>,
    }
    #[differentiable]
    impl Queue {
        #[rustfmt::skip]
        fn put(&mut self, x: f64) { self.v.push(x) }
        fn both(&mut self, x: f64) {
            if x > 0.5 {
                self.put(x * x)
            } else {
                self.v.push(x)
            }
        }
    }
    #[differentiable]
    #[rustfmt::skip]
    fn put(q: &mut Queue, x: f64) { q.v.push(x * x) }

    // Calls without a value at the end of a block, with and without a semicolon.
    #[differentiable]
    #[rustfmt::skip]
    fn pushed(x: &[f64]) -> f64 {
        let mut s = vec![];
        for v in x { s.push(*v) }
        for v in x { if *v > 0.5 { s.push(*v * 2.0) } }
        for v in x { match *v > 0.5 { true => {} _ => s.push(*v) } }
        let mut g: Vec<f64> = vec![1.0];
        for &v in x { match g.last_mut() { Some(l) => *l *= v, None => g.push(v) } }
        let mut q = Queue { v: vec![] };
        put(&mut q, x[0]);
        for v in x { q.both(*v) }
        s.iter().map(|v| v * v).sum::<f64>() + g[0] + q.v.iter().map(|v| v * v).sum::<f64>()
    }

    #[differentiable]
    fn activation(x: f64) -> f64 {
        x.tanh()
    }

    /// The type of the zeros is found by rustc.
    #[differentiable]
    fn layer(x: &[f64]) -> (Vec<f64>, f64) {
        let mut out = vec![0.0; x.len()];
        let mut m = vec![vec![0.0; 2]; x.len()];
        for i in 0..x.len() {
            out[i] = activation(x[i]);
            m[i][1] = activation(x[i] * 2.0);
            out[i] = out[i] * activation(out[i]);
        }
        let moved = m;
        (out, moved[0][1] * moved[1][1])
    }

    #[test]
    fn calls_without_a_value() {
        check::<pushed, _>(&(vec![0.3, 2.0],));
    }

    #[test]
    fn entries_set_by_calls() {
        check_outputs::<layer, _>(&(vec![0.3, 2.0],));
    }
}
