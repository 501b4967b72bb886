//! Sequences changed in place, late initialisation, destructuring assignment, `..base`.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn swapped(xs: &[f64]) -> f64 {
    let mut v = xs.to_vec();
    v.swap(0, 2);
    v[1] *= v[0];
    v.reverse();
    let (mut a, mut b) = (v[0], v[1] * v[1]);
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, b * 2.0);
    (a, b) = (b, a + old);
    a * b + v[2] / v[3]
}

#[test]
fn swap_reverse_replace_and_destructuring_assignment() {
    check::<swapped, _>(&(vec![0.5, 2.0, 1.5, 0.7],));
}

#[differentiable]
fn filled(x: f64, ys: &[f64]) -> f64 {
    let mut a = [1.0; 4];
    a.fill(x * x);
    a[1] = 3.0;
    let mut b = vec![0.0; 3];
    b.copy_from_slice(&ys[1..4]);
    b[0] *= x;
    a[..2].copy_from_slice(&b[1..]);
    let mut s = 0.0;
    for i in 0..4 {
        s += a[i] * (i as f64 + x);
    }
    s + b[0] * b[2]
}

#[test]
fn fill_and_copy_from_slice() {
    check::<filled, _>(&(1.3, vec![0.1, 0.2, 0.7, 1.1, 2.0]));
}

#[differentiable]
fn resized(x: f64, ys: &[f64]) -> f64 {
    let mut v = Vec::new();
    v.push(x);
    v.extend_from_slice(ys);
    v.extend(ys.iter().map(|y| y * x));
    v.resize(9, x * x);
    v.insert(2, x.sin());
    let gone = v.remove(4);
    let taken = v.swap_remove(0);
    v.truncate(7);
    let mut s = gone * taken;
    for i in 0..v.len() {
        s += v[i] * v[i] * (i as f64 + 1.0);
    }
    v.clear();
    v.push(s);
    v.resize(3, x);
    s * v[0] + v[2]
}

#[test]
fn resize_insert_remove_clear() {
    check::<resized, _>(&(1.3, vec![0.1, 0.2, 0.7]));
}

#[differentiable]
fn halves(xs: &[f64], k: f64) -> f64 {
    let mut v = xs.to_vec();
    let (left, right) = v.split_at_mut(2);
    for i in 0..left.len() {
        left[i] += k * right[i];
        right[i] *= left[i];
    }
    let (a, b) = xs.split_at(1);
    let mut s = a[0] * b[0];
    for x in v {
        s += x * x;
    }
    s
}

#[test]
fn split_at_mut_and_split_at() {
    check::<halves, _>(&(vec![0.1, 0.2, 0.7, 1.4], 0.3));
}

#[differentiable]
fn late(x: f64, flag: bool) -> f64 {
    let y;
    let z: f64;
    if flag {
        y = x * x;
    } else {
        y = x.sin();
    }
    match flag {
        true => z = y + 1.0,
        false => {
            let t = y * 2.0;
            z = t * t;
        }
    }
    y * z
}

#[test]
fn late_initialisation() {
    check::<late, _>(&(0.7, true));
    check::<late, _>(&(0.7, false));
}

#[derive(Clone, Debug, Differentiable)]
struct Params {
    a: f64,
    b: f64,
    rates: Vec<f64>,
    #[constant]
    steps: usize,
}

#[differentiable]
fn based(p: &Params, x: f64) -> f64 {
    let q = Params {
        a: p.b * x,
        ..p.clone()
    };
    let r = Params {
        b: 2.0,
        steps: 2,
        ..q.clone()
    };
    let mut s = q.a * q.b + r.a * r.a + r.b;
    for i in 0..r.steps {
        s += r.rates[i] * q.rates[i] * x;
    }
    s
}

#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
struct Defaults {
    a: f64,
    b: Option<f64>,
}

/// A base whose type the literal alone tells.
#[differentiable]
fn on_defaults(x: f64) -> f64 {
    let d = Defaults {
        a: x * x,
        ..Default::default()
    };
    d.a * d.a + d.b.unwrap_or(1.0)
}

#[test]
fn struct_update() {
    let p = Params {
        a: 0.3,
        b: 1.2,
        rates: vec![0.5, 0.7],
        steps: 1,
    };
    check::<based, _>(&(p, 0.9));
    check::<on_defaults, _>(&(1.3,));
}

#[differentiable]
fn stack_machine(xs: &[f64], ops: &[u8]) -> f64 {
    let mut stack: Vec<f64> = Vec::new();
    for x in xs {
        stack.push(*x);
    }
    for op in ops {
        let b = stack.pop().unwrap();
        let a = stack.pop().unwrap();
        stack.push(match op {
            0 => a + b,
            1 => a * b,
            2 => a - b,
            _ => a / b,
        });
    }
    stack.pop().unwrap()
}

#[test]
fn a_stack() {
    check::<stack_machine, _>(&(vec![1.5, 0.7, 2.0, 3.0], vec![1, 2, 3]));
    check::<stack_machine, _>(&(vec![1.5], vec![]));
}

#[differentiable]
fn lengths_change(x: f64) -> f64 {
    let mut v = vec![x, x * 2.0, x * x];
    let a = v[2] * v[1];
    v = vec![a, x];
    let b = v[0] * v[1];
    v = Vec::new();
    v.push(b);
    v.push(a);
    let taken = std::mem::take(&mut v);
    v.push(taken[0] * taken[1]);
    v[0] + taken[1]
}

#[test]
fn a_vec_replaced_by_one_of_another_length() {
    check::<lengths_change, _>(&(0.8,));
}

#[differentiable]
fn jagged(x: f64, n: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..n {
        rows.push(Vec::new());
        for j in 0..=i {
            rows[i].push(x.powi(j as i32) * (i as f64 + 1.0));
        }
    }
    let mut s = 0.0;
    for row in &rows {
        for (j, v) in row.iter().enumerate() {
            s += v * v * j as f64;
        }
    }
    s
}

#[test]
fn rows_of_different_lengths() {
    check::<jagged, _>(&(0.8, 4));
    check::<jagged, _>(&(0.8, 0));
}
