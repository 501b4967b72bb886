//! Arrays, slices and `Vec`s, indexed and lent in every way.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn product(a: &[f64], b: &[f64], n: usize) -> f64 {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        let row = &mut c[i * n..(i + 1) * n];
        for k in 0..n {
            for j in 0..n {
                row[j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    let mut trace = 0.0;
    for i in 0..n {
        trace += c[i * n + i] * c[i];
    }
    trace
}

#[test]
fn a_row_as_an_alias() {
    let b = vec![0.3, 0.1, 0.7, 0.2, 0.9, 0.4, 0.5, 0.8, 0.6];
    let a: Vec<f64> = b.iter().map(|v| v * v - 0.2).collect();
    check::<product, _>(&(a, b, 3));
}

#[differentiable]
fn two_dimensions(x: f64, rows: &[Vec<f64>]) -> f64 {
    let mut m = [[0.0; 3]; 2];
    for i in 0..2 {
        for j in 0..3 {
            m[i][j] = rows[i][j] * x;
            m[i][j] += m[0][j] * rows[1][i];
        }
    }
    let mut g = vec![vec![x; 2]; 3];
    for i in 0..3 {
        for j in 0..2 {
            g[i][j] *= m[j][i];
        }
        g[i][0] -= g[i][1];
    }
    m[1][2] * g[2][0] + g[1][1]
}

#[test]
fn indices_of_two_dimensions() {
    let rows = vec![vec![0.3, 0.7, 0.2], vec![1.1, 0.4, 0.6]];
    check::<two_dimensions, _>(&(1.3, rows));
}

#[differentiable]
fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

#[differentiable]
fn halve(v: &mut [f64], k: f64) {
    for e in v.iter_mut() {
        *e *= 0.5 * k;
    }
}

#[differentiable]
fn parts(x: &[f64], k: f64) -> f64 {
    let mut v = x.to_vec();
    let s = norm(&v[1..3]) * norm(&x[..2]) + norm(&v[2..]);
    halve(&mut v[1..], k);
    let tail = &v[1..];
    let inner = &tail[1..];
    s + inner[0] * tail[0] + norm(inner)
}

#[test]
fn sub_slices() {
    check::<parts, _>(&(vec![0.3, 1.2, 0.7, 0.9], 1.4));
}

#[differentiable]
fn blocks(x: &[f64], k: f64) -> f64 {
    let mut v = x.to_vec();
    for (i, block) in v.chunks_mut(2).enumerate() {
        block[0] *= k + i as f64;
        if block.len() > 1 {
            block[1] += block[0] * k;
        }
    }
    for block in v.chunks_exact_mut(3) {
        block[2] = block[0] * block[1];
    }
    norm(&v)
}

#[test]
fn chunks_mut() {
    check::<blocks, _>(&(vec![0.3, 1.2, 0.7, 0.9, 0.4], 1.4));
}

#[differentiable]
fn every_method(x: &[f64], k: f64) -> f64 {
    let mut v = Vec::with_capacity(8);
    v.push(k);
    v.extend(x.iter().copied());
    v.swap(0, 1);
    let last = v.pop().unwrap();
    v.resize(6, k * k);
    let mut w = [0.0; 6];
    w.copy_from_slice(&v);
    w[4..].fill(last);
    let mut old = v;
    v = vec![k; 2];
    std::mem::swap(&mut old, &mut v);
    let kept = std::mem::replace(&mut v, vec![last]);
    let gone = std::mem::take(&mut old);
    old.clear();
    norm(&w) + norm(&v) * norm(&kept) * norm(&gone) + old.len() as f64
}

#[test]
fn methods_of_vec() {
    check::<every_method, _>(&(vec![0.3, 1.2, 0.7], 1.4));
}

#[derive(Clone, Debug, Differentiable)]
struct Body {
    at: [f64; 2],
    v: [f64; 2],
    mass: f64,
}

#[differentiable]
fn kick(b: &mut Body, t: f64) {
    for i in 0..2 {
        b.v[i] -= t * b.at[i] / b.mass;
        b.at[i] += t * b.v[i];
    }
}

#[differentiable]
fn halved(x: &mut f64, table: &mut [f64; 3]) {
    *x *= 0.5;
    table[1] += *x * table[0];
}

#[differentiable]
fn bodies(b: &Body, t: f64) -> f64 {
    let mut all = vec![b.clone(); 3];
    all[1].mass *= 2.0;
    all[2].at = [t, t * t];
    for b in all.iter_mut() {
        kick(b, t);
    }
    let mut energy = 0.0;
    let mut table = [t, 0.0, 1.0];
    for i in 0..all.len() {
        kick(&mut all[i], t);
        let b = &mut all[i];
        b.mass += 0.1 * b.at[0];
        energy += b.mass * (b.v[0] * b.v[0] + b.v[1] * b.v[1]);
        halved(&mut energy, &mut table);
    }
    energy * table[1] + table[2]
}

#[test]
fn mutable_parameters_and_fields() {
    let b = Body {
        at: [0.3, 0.9],
        v: [0.1, -0.4],
        mass: 1.5,
    };
    check::<bodies, _>(&(b, 0.2));
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

#[differentiable]
fn times(a: f64, b: f64) -> f64 {
    a * b
}

#[differentiable]
fn twice_the_same(x: &[f64], k: f64) -> f64 {
    dot(x, x) + times(k, k) + dot(&x[1..], &x[..2]) * times(x[0], x[0])
}

#[test]
fn one_argument_passed_twice() {
    assert_eq!(twice_the_same::grad(&[0.0, 0.0, 0.0], 1.5).1, 3.0);
    check::<twice_the_same, _>(&(vec![0.3, 1.2, 0.7], 1.4));
}

#[differentiable]
fn over_nothing(x: &[f64], k: f64) -> f64 {
    let mut s = k;
    for v in x {
        s *= v;
    }
    for w in x.windows(2) {
        s += w[0] * w[1];
    }
    for c in x.chunks(2) {
        s += norm(c);
    }
    let m: Vec<f64> = x.iter().map(|v| v * k).collect();
    s + norm(&m) + x.iter().sum::<f64>() + x.iter().product::<f64>()
}

#[test]
fn empty_slices() {
    let (value, (d_x, d_k)) = over_nothing::value_and_grad(&[], 1.4);
    assert_eq!((value, d_x, d_k), (2.4, vec![], 1.0));
    check::<over_nothing, _>(&(vec![], 1.4));
    check::<over_nothing, _>(&(vec![0.7], 1.4));
}
