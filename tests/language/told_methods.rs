//! What signatures in the file say: whether a method changes its receiver, that a path is one of a method, that a method of a
//! standard name is one of the file, and what a closure takes.

use crate::{check, copies};
use differentiable::prelude::*;

#[derive(Debug, Differentiable)]
struct Dense {
    columns: usize,
    data: Vec<f64>,
}

impl Clone for Dense {
    fn clone(&self) -> Self {
        copies::count();
        Dense {
            columns: self.columns,
            data: self.data.clone(),
        }
    }
}

#[differentiable]
impl Dense {
    fn zeros(rows: usize, columns: usize) -> Dense {
        Dense {
            columns,
            data: vec![0.0; rows * columns],
        }
    }

    fn accumulate(&mut self, i: usize, j: usize, v: f64) {
        self.data[i * self.columns + j] += v;
    }

    fn scaled(&self, i: usize, by: f64) -> f64 {
        self.data[i * self.columns] * by
    }
}

#[differentiable]
fn assembled(x: &[f64]) -> f64 {
    let n = x.len();
    let mut k = Dense::zeros(n, n);
    for i in 0..n {
        for j in 0..3 {
            k.accumulate(i, (i + j) % n, x[i] * x[(i + j) % n]);
        }
    }
    let mut total = 0.0;
    for i in 0..n {
        total += k.scaled(i, x[i]) * k.data[i * n + i];
    }
    total
}

#[test]
fn nothing_is_copied_for_methods_of_the_file() {
    let x: Vec<f64> = (0..9).map(|i| 0.5 + 0.1 * f64::from(i)).collect();
    check::<assembled, _>(&(x.clone(),));
    let before = copies::so_far();
    assembled::grad(&x);
    assert_eq!(copies::so_far(), before);
}

#[allow(clippy::too_many_arguments)]
mod elsewhere {
    use super::*;

    #[derive(Debug, Differentiable)]
    pub struct Table {
        pub columns: usize,
        pub data: Vec<f64>,
    }

    impl Clone for Table {
        fn clone(&self) -> Self {
            copies::count();
            Table {
                columns: self.columns,
                data: self.data.clone(),
            }
        }
    }

    #[differentiable]
    impl Table {
        pub fn accumulate(&mut self, i: usize, j: usize, v: f64, scales: &[f64]) -> f64 {
            self.data[i * self.columns + j] += v * scales[i];
            self.data[i * self.columns] * v
        }

        /// As many arguments as the types are asked about.
        pub fn seven(
            &mut self,
            a: &f64,
            b: &f64,
            c: &f64,
            d: &f64,
            e: &f64,
            f: &f64,
            g: &f64,
        ) -> f64 {
            self.data[0] += a * b + c * d;
            self.data[0] * (e + f) * g
        }

        /// One more.
        pub fn eight(
            &mut self,
            n: usize,
            a: &f64,
            b: &f64,
            c: &f64,
            d: &f64,
            e: &f64,
            f: &f64,
            g: &f64,
        ) -> f64 {
            self.data[n] += a * b + c * d;
            self.data[n] * (e + f) * g
        }

        pub fn row(&self, i: usize, weights: &[f64]) -> f64 {
            let mut sum = 0.0;
            for j in 0..self.columns {
                sum += self.data[i * self.columns + j] * weights[j];
            }
            sum
        }
    }
}

use elsewhere::Table;

/// What the methods take is not seen here.
#[differentiable]
fn of_an_import(x: &[f64]) -> f64 {
    let (n, mut sum) = (x.len(), 0.0);
    let mut table = Table {
        columns: n,
        data: vec![0.1; n * n],
    };
    for i in 0..n {
        for j in 0..3 {
            sum += table.accumulate(i, (i + j) % n, x[i] * x[j], x);
        }
    }
    for i in 0..n {
        sum *= 0.5 + table.row(i, x);
        table.accumulate(i, i, sum, x);
    }
    sum + table.data[1]
}

#[test]
fn types_tell_what_is_kept() {
    let x: Vec<f64> = (0..5).map(|i| 0.5 + 0.1 * f64::from(i)).collect();
    check::<of_an_import, _>(&(x.clone(),));
    let before = copies::so_far();
    of_an_import::grad(&x);
    // One for each call of `row`, and none for those of `accumulate`.
    assert_eq!(copies::so_far(), before + x.len());
}

#[differentiable]
fn of_many_arguments(x: &[f64], n: usize) -> f64 {
    let mut table = Table {
        columns: 2,
        data: vec![0.1; 4],
    };
    let mut total = 0.0;
    for i in 0..n {
        let y = total * 0.1 + x[i];
        total += table.seven(&x[0], &x[1], &x[2], &y, &x[1], &x[0], &x[i]);
        total += table.eight(i % 2, &x[0], &x[1], &x[2], &y, &x[1], &x[0], &x[i]);
    }
    total + table.data[0] * table.data[1]
}

#[test]
fn many_arguments() {
    check::<of_many_arguments, _>(&(vec![0.4, -0.3, 1.2], 3));
}

#[differentiable]
fn by_paths(x: &[f64], w: f64) -> f64 {
    let mut k = Dense::zeros(x.len(), 2);
    for i in 0..x.len() {
        Dense::accumulate(&mut k, i, i % 2, x[i] * w);
    }
    let first = Dense::scaled(&k, 0, w);
    first * Dense::scaled(&k, 2, first) + k.data.iter().sum::<f64>().powi(2)
}

#[test]
fn methods_by_paths() {
    check::<by_paths, _>(&(vec![0.4, -0.3, 1.2], 0.7));
}

#[derive(Clone, Debug, Differentiable)]
struct Rows {
    rows: Vec<Vec<(usize, f64)>>,
    total: f64,
}

#[differentiable]
impl Rows {
    fn push(&mut self, i: usize, j: usize, v: f64) {
        self.rows[i].push((j, v));
    }

    fn fill(&mut self, x: &[f64], k: f64) {
        for i in 0..x.len() {
            self.push(i, (i + 1) % x.len(), k * x[i]);
        }
    }

    fn insert(&mut self, i: usize, j: usize, v: f64) {
        self.total += v * self.rows[i][j].1;
    }
}

#[differentiable]
fn of_standard_names(x: &[f64], k: f64) -> f64 {
    let mut rows = Rows {
        rows: vec![vec![]; x.len()],
        total: k,
    };
    rows.fill(x, k);
    for i in 0..x.len() {
        rows.push(i, 0, x[i]);
        rows.insert(i, 0, x[i] + k);
    }
    let mut sum = rows.total;
    for row in &rows.rows {
        for &(j, v) in row {
            sum += v * x[j];
        }
    }
    sum
}

#[test]
fn methods_of_standard_names() {
    check::<of_standard_names, _>(&(vec![0.4, -0.3, 1.2], 0.7));
}

#[differentiable]
fn euler<F: Fn(&[f64]) -> Vec<f64>>(f: F, x: &[f64], h: f64) -> Vec<f64> {
    let k = f(x);
    x.iter().zip(&k).map(|(x, k)| x + h * k).collect()
}

#[differentiable]
fn heun<F>(f: F, x: &Vec<f64>, h: f64) -> Vec<f64>
where
    F: Fn(&Vec<f64>, f64) -> Vec<f64>,
{
    let k = f(x, 0.0);
    let next: Vec<f64> = x.iter().zip(&k).map(|(x, k)| x + h * k).collect();
    let l = f(&next, h);
    (0..x.len())
        .map(|i| x[i] + 0.5 * h * (k[i] + l[i]))
        .collect()
}

#[differentiable]
fn twice(f: impl Fn([f64; 2]) -> f64, x: &[f64]) -> f64 {
    f([x[0], x[1]]) * f([x[1], x[0]])
}

#[differentiable]
fn tendency(x: &[f64], k: f64) -> Vec<f64> {
    x.iter().map(|v| v * k - v.powi(3)).collect()
}

#[differentiable]
fn solved(x: &[f64], k: f64) -> f64 {
    let mut x = x.to_vec();
    for _ in 0..3 {
        x = euler(|x| tendency(x, k), &x, 0.1);
        x = heun(|x, t| tendency(x, k + t), &x, 0.2);
    }
    twice(|p| p[0] * p[0] * k + p[1], &x) + x[0]
}

#[test]
fn closures_of_solvers() {
    check::<solved, _>(&(vec![0.4, -0.3], 0.7));
}

#[differentiable]
fn half(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| 0.5 * x).collect()
}

#[differentiable]
fn rows(x: &[f64]) -> Vec<Vec<f64>> {
    vec![x.to_vec(), half(x)]
}

/// `r` is a reference and a value.
#[differentiable]
fn names_twice(x: &[Vec<f64>]) -> f64 {
    let halves: Vec<Vec<f64>> = x.iter().map(|r| half(r)).collect();
    let waves: Vec<Vec<f64>> = rows(&halves[0])
        .into_iter()
        .map(|r| r.into_iter().map(f64::sin).collect())
        .collect();
    let joined: Vec<f64> = waves.iter().flat_map(|r| r.clone()).collect();
    let all: Vec<f64> = x.iter().flat_map(|row| half(row)).collect();
    joined.iter().zip(&all).map(|(a, b)| a * b).sum()
}

#[test]
fn one_name_of_a_reference_and_of_a_value() {
    check::<names_twice, _>(&(vec![vec![0.4, -0.3], vec![1.2, 0.8]],));
}

mod operators {
    use super::*;

    /// The name is that of an operator.
    #[differentiable]
    fn jacobian(rows: &[Rows], c: &[f64]) -> f64 {
        rows[0].total * c[0] + rows[0].rows[0][0].1 * c[1]
    }

    #[differentiable]
    fn hessian(rows: &Rows, c: f64) -> f64 {
        rows.total * c * c
    }

    #[differentiable]
    fn both(rows: &[Rows], c: &[f64]) -> f64 {
        jacobian(rows, c) + hessian(&rows[0], c[1])
    }

    #[test]
    fn names_of_operators() {
        let rows = Rows {
            rows: vec![vec![(0, 0.4)]],
            total: 1.3,
        };
        check::<both, _>(&(vec![rows], vec![0.6, -0.2]));
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Counter {
    calls: usize,
    last: f64,
}

#[differentiable]
impl Counter {
    fn next(#[constant] &mut self, x: f64) -> f64 {
        self.calls += 1;
        x * self.calls as f64
    }
}

/// A receiver that is a constant.
#[differentiable]
fn counted(x: &[f64], #[constant] seen: &mut Counter) -> f64 {
    let mut total = 0.0;
    for x in x {
        total += seen.next(x * x) * x;
        total *= seen.next(*x);
    }
    total + seen.last * seen.calls as f64
}

#[test]
fn constants_change() {
    let x = [0.4, -0.3, 1.2];
    let seen = || Counter {
        calls: 2,
        last: 0.0,
    };
    let gradient = counted::grad(&x, &mut seen());
    for (i, slope) in gradient.iter().enumerate() {
        let at = |h: f64| {
            let mut x = x;
            x[i] += h;
            counted(&x, &mut seen())
        };
        let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
        let close = (slope - difference).abs() < 1e-8 * (1.0 + slope.abs());
        assert!(close, "{i}: {slope} {difference}");
    }
}
