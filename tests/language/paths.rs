//! Vectors that get longer: what an entry was is there in the end, unless something else changes it.

use crate::{check, copies};
use differentiable::prelude::*;

#[derive(Debug, Differentiable)]
struct State {
    x: Vec<f64>,
    t: f64,
}

impl Clone for State {
    fn clone(&self) -> Self {
        copies::count();
        State {
            x: self.x.clone(),
            t: self.t,
        }
    }
}

#[differentiable]
fn step(s: &State, k: f64) -> State {
    let x = s.x.iter().map(|v| v.sin() * k + s.t).collect();
    State { x, t: s.t + k }
}

#[differentiable]
fn cost(s: &State, of: &State) -> f64 {
    s.x.iter().zip(&of.x).map(|(a, b)| a * b * s.t).sum()
}

#[differentiable]
fn all(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// Each state is made of the one before.
#[differentiable]
fn by_index(x: &[f64], k: f64) -> f64 {
    let first = State {
        x: x.to_vec(),
        t: 0.1,
    };
    let mut states = vec![first];
    let mut sum = 0.0;
    for i in 0..5 {
        let next = step(&states[i], k);
        sum += next.x[0];
        states.push(next);
        sum += cost(&states[i + 1], &states[i]) + cost(&states[i / 2], &states[i]);
    }
    sum + cost(&states[5], &states[2])
}

#[differentiable]
fn by_last(x: &[f64], k: f64) -> f64 {
    let mut states = vec![State {
        x: x.to_vec(),
        t: 0.1,
    }];
    for _ in 0..4 {
        let last = states.last().unwrap();
        let next = step(last, k);
        states.push(next);
    }
    for _ in 0..2 {
        let next = step(&states[states.len() - 1], k);
        states.push(next);
    }
    states.iter().map(|s| s.x[0] * s.t).sum()
}

/// A forward substitution, and ranges with and without an end.
#[differentiable]
fn ranges(x: &[f64], k: f64) -> f64 {
    let mut y = vec![k, k * x[0]];
    let mut sum = 0.0;
    for i in 0..x.len() {
        let s = all(&y[..=i]) + all(&y[i..]) * k + all(&y) + all(&y[1..][..i]);
        y.push((x[i] - 0.01 * s) / (1.0 + y[i] * y[i + 1]));
        sum += y[i] * y[y.len() - 1];
    }
    sum + all(&y)
}

/// What else happens to such vectors: entries change, go, come between others, and all are others.
#[differentiable]
fn changed(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    let mut set = vec![k];
    for i in 0..x.len() {
        sum += set[i] * set[0] * x[i];
        set.push(set[i] * x[i]);
        set[i] = set[i + 1] * k;
    }
    let mut popped = vec![k, k * k];
    for v in x {
        sum += popped[1] * popped[0] * v;
        popped.push(popped[1] * v);
        let top = popped.pop().unwrap();
        sum += top * popped[1];
        if *v > 0.0 {
            popped.pop();
            popped.push(v * k);
        }
    }
    let mut cut = vec![k; 3];
    for v in x {
        sum += cut[2] * cut[1] * v;
        cut.truncate(1);
        cut.push(cut[0] * v);
        cut.insert(0, v * v);
        sum += cut[2] * cut[0];
    }
    let mut other = vec![k];
    for (i, v) in x.iter().enumerate() {
        sum += other[0] * other[other.len() - 1];
        other.push(v * other[0]);
        if i % 2 == 1 {
            other = vec![v * k, *v];
        }
    }
    let mut rows: Vec<Vec<f64>> = vec![x.to_vec()];
    for i in 0..x.len() {
        sum += rows[i][0] * rows[0][i];
        let row: Vec<f64> = rows[i].iter().map(|v| v * k).collect();
        rows.push(row);
        rows[i][0] *= x[0];
        sum += all(&rows[i]);
        rows[0].push(k);
    }
    sum + all(&other) + all(&cut) + all(&popped) + all(&set)
}

/// One vector for each round, and one through all.
#[differentiable]
fn nested(x: &[f64], k: f64) -> f64 {
    let mut through = vec![k];
    let mut sum = 0.0;
    for i in 0..x.len() {
        let mut inner = vec![x[i]];
        for j in 0..3 {
            inner.push(inner[j] * through[i] + inner[0]);
            through.push(0.5 * inner[j] * inner[j + 1] + through[3 * i + j]);
        }
        sum += inner[3] * through[i + 1];
    }
    let mut w = 1;
    while w < 4 {
        through.push(through[w] * through[w - 1]);
        sum += through[w] * through[through.len() - 1];
        w += 1;
    }
    sum
}

#[differentiable]
fn newest(states: &[State], k: f64) -> f64 {
    let last = states.len() - 1;
    cost(&states[last], &states[last / 2]) * k
}

/// Calls that borrow all entries that there are so far, beside a closure of the name.
#[differentiable]
fn so_far(x: &[f64], k: f64) -> f64 {
    let mut states = vec![State {
        x: x.to_vec(),
        t: 0.1,
    }];
    let mut y = vec![k];
    let mut sum = 0.0;
    for i in 0..4 {
        sum += newest(&states, k + y[i]);
        let next = step(&states[i], k);
        states.push(next);
        let v = all(&y) * 0.1 + cost(&states[i], &states[i + 1]);
        y.push(v);
        sum += newest(&states, all(&y));
    }
    let mut k = 0;
    while k < 2 {
        let all = |v: &Vec<f64>| v[0] * v[v.len() - 1];
        sum += all(&y);
        y.push(sum);
        k += 1;
    }
    sum
}

#[test]
fn vectors_get_longer() {
    for x in [vec![0.4, 0.7, -0.3, 0.5], vec![0.6], vec![-0.5, 0.9]] {
        let p = (x, 0.7);
        check::<by_index, _>(&p);
        check::<by_last, _>(&p);
        check::<ranges, _>(&p);
        check::<changed, _>(&p);
        check::<nested, _>(&p);
        check::<so_far, _>(&p);
    }
}

#[test]
fn states_of_a_path_are_not_copied() {
    let before = copies::so_far();
    let _ = by_index::value_and_grad(&[0.4, 0.7], 0.7);
    let _ = so_far::value_and_grad(&[0.4, 0.7], 0.7);
    assert_eq!(copies::so_far(), before);
}
