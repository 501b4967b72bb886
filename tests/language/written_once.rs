//! Arrays that change while their entries are read: what is written later must not reach the derivative.

use crate::{check, check_outputs};
use differentiable::prelude::*;

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.9 + 0.3 * (1.3 * i as f64).sin()).collect()
}

fn table(n: usize) -> Vec<Vec<f64>> {
    let row = |i: usize| numbers(n).iter().map(|x| x + 0.07 * i as f64).collect();
    (0..n).map(row).collect()
}

#[differentiable]
fn recurrence(a: &[f64]) -> f64 {
    let mut x = vec![1.0; a.len()];
    x[0] = a[0];
    for i in 1..a.len() {
        x[i] = 0.4 * a[i] * x[i - 1] * x[i - 1] + 0.2 * x[0];
    }
    x[a.len() - 1] * x[0]
}

#[differentiable]
fn ahead(a: &[f64]) -> Vec<f64> {
    let mut x = a.to_vec();
    for i in 0..a.len() - 1 {
        x[i + 1] *= x[i] * a[i];
    }
    x
}

#[differentiable]
fn two_back(a: &[f64]) -> Vec<f64> {
    let mut x = a.to_vec();
    for i in 2..a.len() {
        x[i - 1] = x[i - 2] * x[i - 1];
        x[i] = x[i - 1] * x[i - 2] * x[i];
    }
    x
}

#[differentiable]
fn both_sides(a: &[f64], sweeps: usize) -> Vec<f64> {
    let mut x = a.to_vec();
    for _ in 0..sweeps {
        for i in 1..a.len() - 1 {
            x[i] = x[i - 1] * x[i + 1] * x[i];
        }
    }
    x
}

#[differentiable]
fn same_entry(a: &[f64]) -> f64 {
    let mut x = a.to_vec();
    let mut total = 0.0;
    for i in 0..a.len() {
        total += x[i] * x[i];
        x[i] = a[i].sin() * x[i];
        total *= x[i] + 1.0;
    }
    total
}

#[differentiable]
fn wrong_way(a: &[f64]) -> Vec<f64> {
    let mut x = a.to_vec();
    for i in (0..a.len() - 1).rev() {
        x[i + 1] = x[i] * x[i] * x[i + 1];
    }
    x
}

#[differentiable]
fn backwards(a: &[f64]) -> Vec<f64> {
    let n = a.len();
    let mut x = a.to_vec();
    for i in (0..n - 1).rev() {
        x[i] = x[i + 1] * x[i + 1] * a[i];
    }
    x
}

#[differentiable]
fn ring(a: &[f64]) -> f64 {
    let mut x = [0.5; 3];
    for i in 0..a.len() {
        x[i % 3] = a[i] * x[(i + 1) % 3] * x[(i + 2) % 3] + 0.4 * x[i % 3];
    }
    x[0] * x[1] * x[2]
}

#[differentiable]
fn by_another(a: &[f64], order: &[usize]) -> Vec<f64> {
    let mut x = a.to_vec();
    for i in 0..order.len() {
        let k = order[i];
        x[k] = x[i] * x[k] * a[i];
    }
    x
}

#[differentiable]
fn moving(a: &[f64]) -> Vec<f64> {
    let mut x = a.to_vec();
    let mut k = 0;
    while k + 1 < a.len() {
        x[k + 1] = x[k] * x[k + 1] * x[0];
        x[0] = x[k] * 0.9;
        k += 1;
    }
    x
}

#[differentiable]
fn strided(a: &[f64]) -> Vec<f64> {
    let mut x = a.to_vec();
    for i in (2..a.len()).step_by(2) {
        x[i] = x[i - 1] * x[i - 2] * x[i];
    }
    x
}

#[differentiable]
fn tables(a: &[Vec<f64>]) -> f64 {
    let n = a.len();
    let mut t = vec![vec![1.0; n]; n];
    for i in 1..n {
        for j in 1..n {
            t[i][j] = 0.4 * a[i][j] * t[i - 1][j] * t[i][j - 1]
                + 0.3 * t[i - 1][j - 1] / (1.0 + t[i - 1][j]);
        }
    }
    t[n - 1][n - 1] * t[n / 2][n / 2]
}

#[differentiable]
fn twice(a: &[Vec<f64>]) -> f64 {
    let n = a.len();
    let mut t = vec![vec![1.0; n]; n];
    for _ in 0..2 {
        for i in 1..n {
            for j in 1..n {
                t[i][j] = 0.4 * a[i][j] * t[i - 1][j] * t[i][j - 1]
                    + 0.3 * t[i - 1][j - 1] / (1.0 + t[i - 1][j]);
            }
        }
    }
    t[n - 1][n - 1] * t[n / 2][n / 2]
}

#[differentiable]
fn columns_first(a: &[Vec<f64>]) -> f64 {
    let n = a.len();
    let mut t = vec![vec![1.0; n]; n];
    for j in 1..n {
        for i in 0..n - 1 {
            t[i][j] = a[i][j] * t[i + 1][j] * t[i][j - 1];
        }
    }
    t.iter().flatten().map(|t| t.sqrt()).sum()
}

#[differentiable]
fn cholesky(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let s: f64 = l[i][..j].iter().zip(&l[j][..j]).map(|(x, y)| x * y).sum();
            if i == j {
                l[i][i] = (a[i][i] + 4.0 * n as f64 - s).sqrt();
            } else {
                l[i][j] = (a[i][j] - s) / l[j][j];
            }
        }
    }
    l
}

#[differentiable]
fn in_place(a: &[Vec<f64>]) -> f64 {
    let n = a.len();
    let mut m = a.to_vec();
    for k in 0..n {
        m[k][k] += 5.0;
        for i in k + 1..n {
            m[i][k] /= m[k][k];
            for j in k + 1..n {
                m[i][j] -= m[i][k] * m[k][j];
            }
        }
    }
    (0..n).map(|k| m[k][k].ln()).sum()
}

#[differentiable]
fn sum_of(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum()
}

#[differentiable]
fn forward(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; b.len()];
    for i in 0..b.len() {
        let mut s = b[i] + sum_of(&x[..i]);
        for j in 0..i {
            s -= l[i][j] * x[j];
        }
        x[i] = s / (2.0 + l[i][i]);
    }
    x
}

#[differentiable]
fn back(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = b.to_vec();
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= l[j][i] * x[j] * x[j];
        }
        x[i] /= 2.0 + l[i][i] + 0.1 * sum_of(&x[i + 1..]);
    }
    x
}

#[differentiable]
fn whole(b: &[f64]) -> f64 {
    let mut x = b.to_vec();
    for i in 0..b.len() {
        x[i] = 0.3 * sum_of(&x);
    }
    sum_of(&x)
}
#[differentiable]
fn anew(a: &[f64], times: usize) -> f64 {
    let mut total = 1.0;
    for k in 0..times {
        let mut x = a.to_vec();
        for i in 1..a.len() {
            x[i] = x[i - 1] * (0.6 + 0.3 * total.sin() + 0.1 * k as f64);
        }
        total = x[a.len() - 1] * 0.5 + x[0];
    }
    total
}

#[differentiable]
fn leaves(a: &[f64], bound: f64) -> f64 {
    let mut x = a.to_vec();
    for i in 1..a.len() {
        x[i] = x[i - 1] * x[i] * 1.7;
        if x[i] > bound {
            return x[i] * x[i - 1];
        }
    }
    x[0]
}

#[differentiable]
fn checkpoints(a: &[f64], times: usize) -> f64 {
    let mut x = a.to_vec();
    #[checkpoint]
    for k in 0..times {
        for i in 1..a.len() {
            x[i] = x[i - 1] * x[i] * (1.0 + 0.1 * k as f64);
        }
        x[0] = x[a.len() - 1].sin() * x[0];
    }
    x[0] * x[1]
}

#[derive(Clone, Debug, Differentiable)]
struct State {
    x: Vec<f64>,
    v: Vec<f64>,
}

#[differentiable]
fn fields(s: &State) -> f64 {
    let mut s = s.clone();
    for i in 1..s.x.len() {
        s.x[i] = s.x[i - 1] * s.v[i] * s.v[i - 1];
        s.v[i] = s.x[i] * s.v[i];
    }
    s.x[s.x.len() - 1] * s.v[s.x.len() - 1]
}

#[differentiable]
fn replaced(a: &[f64]) -> f64 {
    let mut x = a.to_vec();
    let mut total = 0.0;
    for i in 1..a.len() {
        x[i] = x[i - 1] * a[i];
        total += x[i] * x[i - 1];
    }
    x = vec![total; a.len()];
    x[0] * x[1]
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Five([f64; 5]);

#[differentiable]
impl Five {
    fn scan(mut self) -> Five {
        for i in 1..5 {
            self.0[i] = self.0[i - 1] * self.0[i] * self.0[i - 1];
        }
        self
    }
}

#[differentiable]
impl std::ops::Add for Five {
    type Output = Five;
    fn add(mut self, mut o: Five) -> Five {
        for i in 1..5 {
            o.0[i] *= o.0[i - 1] * self.0[i - 1];
            self.0[i] = self.0[i - 1] * o.0[i - 1] + o.0[i];
        }
        self
    }
}

#[differentiable]
fn owned(a: Five, b: Five) -> f64 {
    let s = a.scan() + b;
    s.0[4] * s.0[2] + s.0[1]
}

#[differentiable]
fn by_value(mut x: Vec<f64>, a: &[f64]) -> Vec<f64> {
    for i in 1..a.len() {
        x[i] = x[i - 1] * a[i] * x[i - 1];
    }
    x
}

#[differentiable]
fn in_a_loop(a: &[f64]) -> f64 {
    let mut total = 0.0;
    for k in 0..2 {
        let x = by_value(a.to_vec(), a);
        total += x[k + 1] * x[a.len() - 1];
    }
    total
}

#[differentiable]
fn lent(x: &mut [f64], a: f64) {
    for i in 1..x.len() {
        x[i] = x[i - 1] * a * x[i - 1] + x[0];
    }
}

#[differentiable]
fn lends(x: &[f64], a: f64) -> f64 {
    let mut y = x.iter().map(|x| 0.3 * x).collect::<Vec<f64>>();
    lent(&mut y, a);
    lent(&mut y[1..], a);
    y.iter().map(|y| y / (1.0 + y * y)).sum()
}

#[test]
fn lines() {
    for n in [3, 4, 9, 40] {
        let a = numbers(n);
        check::<recurrence, _>(&(a.clone(),));
        check_outputs::<ahead, _>(&(a.clone(),));
        check_outputs::<two_back, _>(&(a.clone(),));
        check_outputs::<both_sides, _>(&(a.clone(), 3));
        check::<same_entry, _>(&(a.clone(),));
        check_outputs::<wrong_way, _>(&(a.clone(),));
        check_outputs::<backwards, _>(&(a.clone(),));
        check::<ring, _>(&(a.clone(),));
        check_outputs::<by_another, _>(&(
            a.clone(),
            vec![2, 0, 1, 2, 1]
                .into_iter()
                .take(n)
                .collect::<Vec<usize>>(),
        ));
        check_outputs::<moving, _>(&(a.clone(),));
        check_outputs::<strided, _>(&(a.clone(),));
        check::<anew, _>(&(a.clone(), 3));
        check::<leaves, _>(&(a.clone(), 4.0));
        check::<checkpoints, _>(&(a.clone(), 5));
        check::<replaced, _>(&(a.clone(),));
        check::<in_a_loop, _>(&(a.clone(),));
        check::<lends, _>(&(a[..3].to_vec(), 0.4));
        check::<fields, _>(&(State { x: a.clone(), v: a },));
    }
}

#[test]
fn tables_and_factors() {
    for n in [2, 3, 5, 8] {
        let a = table(n);
        check::<tables, _>(&(a.clone(),));
        check::<twice, _>(&(a.clone(),));
        check::<columns_first, _>(&(a.clone(),));
        check_outputs::<cholesky, _>(&(a.clone(),));
        check::<in_place, _>(&(a.clone(),));
        check_outputs::<forward, _>(&(a.clone(), numbers(n)));
        check_outputs::<back, _>(&(a, numbers(n)));
        check::<whole, _>(&(numbers(n),));
    }
}

#[test]
fn owned_values() {
    let (a, b) = (
        Five([0.9, 1.1, 0.8, 1.2, 0.7]),
        Five([0.7, 0.95, 1.3, 0.6, 1.05]),
    );
    check::<owned, _>(&(a, b));
}
