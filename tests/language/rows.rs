//! Rows of an array: they change places, and two of them are lent to one call.

use crate::check;
use differentiable::prelude::*;

#[derive(Debug)]
struct Singular;

#[derive(Clone, Debug, Differentiable)]
struct Table {
    rows: Vec<Vec<f64>>,
    order: Vec<usize>,
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[differentiable]
fn apart(a: &Vec<f64>, b: &Vec<f64>) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - y) * (x - y))
        .sum::<f64>()
        .sqrt()
}

/// Factors with the largest pivot, and solves.
#[differentiable]
fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Result<Vec<f64>, Singular> {
    let n = b.len();
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[p][k].abs() {
                p = i;
            }
        }
        if a[p][k].abs() < 1e-12 {
            return Err(Singular);
        }
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for i in (0..n).rev() {
        let s = dot(&a[i][i + 1..], &b[i + 1..]);
        b[i] = (b[i] - s) / a[i][i];
    }
    Ok(b)
}

#[differentiable]
fn of_solver(x: &[f64]) -> f64 {
    let n = x.len();
    let a: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| (x[i] * x[j]).sin() + if j == (i + 1) % n { 2.0 } else { 0.1 })
                .collect()
        })
        .collect();
    match solved(a, x.to_vec()) {
        Ok(y) => y.iter().map(|y| y.cos()).sum(),
        Err(Singular) => x[0],
    }
}

#[differentiable]
impl Table {
    fn exchange(&mut self, i: usize, j: usize) {
        self.rows.swap(i, j);
        self.order.swap(i, j);
    }
    fn gram(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.rows.len() {
            for j in 0..=i {
                sum += dot(&self.rows[i][..1], &self.rows[j])
                    * apart(&self.rows[i], &self.rows[j]).max(0.1);
            }
        }
        sum
    }
    fn sum(&self) -> f64 {
        self.rows
            .iter()
            .zip(&self.order)
            .map(|(row, k)| row.iter().sum::<f64>() * (1 + *k) as f64)
            .sum()
    }
}

#[differentiable]
fn turned(rows: &mut [Vec<f64>], by: f64) {
    let last = rows.len() - 1;
    rows[0][0] *= by;
    rows.swap(0, last);
    rows[0].push(by * by);
    rows.swap(last, 0);
    rows.swap(last / 2, last / 2);
}

/// Rows of different lengths change places, in fields, behind references, and in the reverse order of what is read.
#[differentiable]
fn of_swaps(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = (0..x.len())
        .map(|i| x[..=i].iter().map(|v| v * v).collect())
        .collect();
    let order = (0..x.len()).collect();
    let mut t = Table { rows, order };
    let mut sum = 0.0;
    for i in 0..x.len() {
        let j = (7 * i + 3) % x.len();
        sum += t.rows[j][0] * t.rows[i][0];
        t.exchange(i, j);
        t.rows[i][0] *= x[0];
        sum += t.sum() + t.gram();
    }
    turned(&mut t.rows, x[0]);
    sum + t.sum() + t.rows[0][0]
}

/// Of a local array, with equal indices and different ones.
#[differentiable]
fn of_local(x: &[f64]) -> f64 {
    let n = x.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let s = x[i] * x[j] + if i == j { 2.0 } else { 0.0 } - dot(&l[i][..j], &l[j][..j]);
            l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
        }
    }
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..n {
            sum += dot(&l[i], &l[j]) * apart(&l[i], &l[(j + 1) % n]).max(0.01);
        }
    }
    sum
}

/// Of what the caller lends.
#[differentiable]
fn of_lent(x: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            sum += dot(&x[i], &x[j]);
            if i != j {
                sum += apart(&x[i], &x[j]) * dot(&x[j][1..], &x[i][..1]);
            }
        }
    }
    sum
}

#[differentiable]
fn written(x: &mut [Vec<f64>], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += dot(&x[i - 1], &x[i]) + dot(&x[i], &x[i]);
        x[i][0] = k * dot(&x[i][..1], &x[i - 1][1..]);
    }
    sum
}

#[differentiable]
fn of_written(x: &[Vec<f64>]) -> f64 {
    let mut own = x.to_vec();
    let first = written(&mut own, 0.7);
    let t = Table {
        rows: own,
        order: vec![],
    };
    let mut sum = first;
    for i in 0..t.rows.len() {
        sum += dot(&t.rows[i], &t.rows[0]) * t.rows[i][0];
    }
    sum
}

#[derive(Clone, Debug, Differentiable)]
struct Buffers {
    now: Vec<f64>,
    next: Vec<f64>,
    #[constant]
    marks: Vec<f64>,
    #[constant]
    old: Vec<f64>,
    names: (String, String),
    scale: f64,
    other: f64,
}

#[differentiable]
impl Buffers {
    fn step(&mut self, rate: f64) {
        for i in 1..self.now.len() {
            self.next[i] = self.now[i] + rate * self.now[i - 1] * self.scale * self.marks[i];
        }
        self.next[0] = self.now[0];
        std::mem::swap(&mut self.now, &mut self.next);
        std::mem::swap(&mut self.marks, &mut self.old);
        std::mem::swap(&mut self.scale, &mut self.other);
    }
}

/// Buffers that take turns: fields of one struct, of two, and of a reference.
#[differentiable]
fn of_buffers(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut a = Buffers {
        now: x.to_vec(),
        next: vec![0.0; n + 1],
        marks: vec![1.0; n],
        old: vec![0.5; n],
        names: (String::new(), String::new()),
        scale: 0.7,
        other: x[0],
    };
    let mut b = a.clone();
    let mut sum = 0.0;
    for k in 0..steps {
        a.step(0.3);
        a.next.resize(n, x[0]);
        std::mem::swap(&mut a.now, &mut b.next);
        b.next.push(a.now[0] * x[n - 1]);
        sum += b.next.iter().map(|v| v * v).sum::<f64>() * (k + 1) as f64;
        std::mem::swap(&mut a.now, &mut b.next);
        a.now.truncate(n);
        let r = &mut b;
        std::mem::swap(&mut r.now, &mut r.next);
        r.now.resize(n, 0.1);
        r.next.resize(n, 0.2);
    }
    sum + a.now.iter().zip(&b.now).map(|(p, q)| p * q).sum::<f64>() + a.scale * b.other
}

#[test]
fn fields_change_places() {
    for n in [1, 2, 4] {
        for steps in [0, 1, 2, 5] {
            let x: Vec<f64> = (0..n).map(|i| 0.4 + 0.37 * i as f64).collect();
            check::<of_buffers, _>(&(x, steps));
        }
    }
}

#[test]
fn rows_change_places() {
    for n in [1, 2, 3, 5, 8] {
        let x: Vec<f64> = (0..n).map(|i| 0.4 + 0.37 * i as f64).collect();
        check::<of_solver, _>(&(x.clone(),));
        check::<of_swaps, _>(&(x,));
    }
}

#[test]
fn two_rows_are_lent() {
    for n in [1, 2, 3, 6] {
        let x: Vec<f64> = (0..n).map(|i| 0.4 + 0.37 * i as f64).collect();
        check::<of_local, _>(&(x.clone(),));
        let rows: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..3).map(|j| x[i] + (j * j) as f64 * 0.21).collect())
            .collect();
        check::<of_lent, _>(&(rows.clone(),));
        check::<of_written, _>(&(rows,));
    }
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn rows_that_are_not_there() {
    let _ = outside::grad(&[vec![1.0, 2.0], vec![3.0]]);
}

#[differentiable]
fn outside(x: &[Vec<f64>]) -> f64 {
    let mut own = x.to_vec();
    own.swap(0, 2);
    own[0][0]
}
