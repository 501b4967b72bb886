//! Types behind aliases in every role: what a name stands for, the compiler says.

use crate::check;
use differentiable::prelude::*;

each! { matrices options structs lists }

mod matrices {
    use super::*;

    type Matrix = Vec<Vec<f64>>;
    type Real = f64;
    type Vec3 = [f64; 3];
    type Row = Vec<Real>;
    #[differentiable]
    fn det(m: &Matrix) -> Real {
        m[0][0] * m[1][1] - m[0][1] * m[1][0]
    }
    #[differentiable]
    fn outer(x: &[Real]) -> Matrix {
        x.iter()
            .map(|a| x.iter().map(|b| a * b + a.sin()).collect())
            .collect()
    }
    #[differentiable]
    fn outer2(x: &[f64]) -> Matrix {
        let mut m: Matrix = vec![vec![0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                m[i][j] = x[i] * x[j + 1];
            }
        }
        m
    }
    #[differentiable]
    fn row(x: &[f64]) -> Row {
        let r: Row = x.iter().map(|v| v * 2.0).collect();
        r
    }
    #[differentiable]
    fn cross(a: Vec3, b: &Vec3) -> Vec3 {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let v: Vec3 = [x[0], x[1], x[2]];
        let w: Vec3 = [x[3], 1.0 as Real, x[0]];
        let c = cross(v, &w);
        let n = 3usize as Real;
        det(&outer(x)) + det(&outer2(x)) + row(x)[1] * c[0] + c[1] * c[2] * n
    }
}

mod options {
    use super::*;

    type Real = f64;
    type R<T> = Result<T, String>;
    type O = Option<f64>;
    type Pair = (f64, f64);
    #[differentiable]
    fn root(x: Real) -> R<Real> {
        if x < -10.0 {
            return Err("neg".to_string());
        }
        Ok(x * x)
    }
    #[differentiable]
    fn both(x: &[f64]) -> R<f64> {
        let a = root(x[0])?;
        let b = root(x[1])?;
        Ok(a * b)
    }
    #[differentiable]
    fn opt(x: &[f64]) -> O {
        let a: O = x.first().copied();
        let v = a?;
        Some(v * v * x[1])
    }
    #[differentiable]
    fn pair(p: Pair) -> Pair {
        (p.0 * p.1, p.0.sin())
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let (a, b) = pair((x[0], x[3]));
        both(x).unwrap() + opt(x).unwrap_or(0.0) + a * b
    }
}

mod structs {
    use super::*;

    type Real = f64;
    type State = Vec<f64>;
    type Grid = [[f64; 2]; 2];
    #[derive(Clone, Differentiable)]
    struct Body {
        p: Vec3,
        m: Real,
        s: State,
    }
    type Vec3 = [Real; 3];
    type B = Body;
    #[differentiable]
    fn step(s: &mut State, dt: Real) {
        for i in 0..s.len() {
            s[i] += dt * s[i] * s[i];
        }
    }
    #[differentiable]
    fn energy(b: &B) -> Real {
        let mut e: Real = 0.0;
        for k in 0..3 {
            e += b.p[k] * b.p[k] * b.m;
        }
        for v in &b.s {
            e += v.sin();
        }
        e
    }
    #[differentiable]
    fn fill(g: &mut Grid, x: &[f64]) {
        for i in 0..2 {
            for j in 0..2 {
                g[i][j] = x[i] * x[j + 2];
            }
        }
    }
    #[differentiable]
    fn sum(s: &State) -> f64 {
        s.iter().sum()
    }
    #[differentiable]
    fn total(s: State) -> Real {
        s.iter().map(|v| v * v).sum::<Real>()
    }
    #[differentiable]
    fn push(s: &mut State, x: f64) {
        s.push(x * x);
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s: State = x.to_vec();
        for _ in 0..3 {
            step(&mut s, 0.1);
        }
        push(&mut s, x[0]);
        let b: B = B {
            p: [x[0], x[1], x[2]],
            m: x[3],
            s: s.clone(),
        };
        let mut g: Grid = [[0.0; 2]; 2];
        fill(&mut g, x);
        let mut t: State = State::new();
        for v in x {
            t.push(v * 2.0);
        }
        let mut u = State::with_capacity(4);
        u.push(x[0]);
        energy(&b) + sum(&s) + g[0][1] * g[1][0] + total(t) + u[0] * b.s[0]
    }
}

mod lists {
    use super::*;

    type Real = f64;
    type Matrix<const N: usize> = [[f64; N]; N];
    type List<T> = Vec<T>;
    type Pt = (f64, f64);
    type Batch = Vec<Pt>;
    #[differentiable]
    fn trace<const N: usize>(m: &Matrix<N>) -> f64 {
        let mut t = 0.0;
        for i in 0..N {
            t += m[i][i];
        }
        t
    }
    #[differentiable]
    fn area(b: &Batch) -> f64 {
        let mut a = 0.0;
        for i in 1..b.len() {
            a += b[i - 1].0 * b[i].1 - b[i].0 * b[i - 1].1;
        }
        a
    }
    #[differentiable]
    fn len(l: &List<f64>) -> f64 {
        l.iter().map(|v| v.powi(2)).sum::<f64>().sqrt()
    }
    #[differentiable]
    fn area2(b: &[Pt]) -> f64 {
        b.iter().map(|(x, y)| x * y).sum()
    }
    #[differentiable]
    fn area3(b: &[Pt]) -> Real {
        b.iter().map(|p| p.0 * p.1).sum()
    }
    #[differentiable]
    fn mk(x: &[f64]) -> Batch {
        x.windows(2).map(|w| (w[0], w[1] * w[0])).collect()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let m: Matrix<2> = [[x[0], x[1]], [x[2], x[3] * x[0]]];
        let b: Batch = x.iter().map(|v| (*v, v * v)).collect();
        let b2: Batch = mk(x);
        let l: List<Real> = vec![x[0], x[1]];
        let mut acc = 0 as Real;
        for (p, q) in &b {
            acc += p * q;
        }
        trace(&m) + area(&b) + area(&b2) + len(&l) + area2(&b) + area3(&b) + acc
    }
}
