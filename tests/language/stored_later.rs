//! Empty vectors that are read before anything is stored in them: what is pushed later says their type.

use crate::check;
use differentiable::prelude::*;

each! { solves values pairs chosen }

/// Forward substitution with a matrix that a call gives.
mod solves {
    use super::*;

    type Matrix = Vec<Vec<f64>>;
    struct Singular;

    #[differentiable]
    fn lower(x: &[f64]) -> Result<Matrix, Singular> {
        let m: Matrix = x
            .iter()
            .map(|a| x.iter().map(|b| a * b + 1.0).collect())
            .collect();
        Ok(m)
    }
    #[differentiable]
    fn solve(x: &[f64]) -> Result<f64, Singular> {
        let l = lower(x)?;
        let mut z = Vec::with_capacity(x.len());
        for (i, y) in x.iter().enumerate() {
            let s: f64 = l[i].iter().zip(&z).map(|(a, b)| a * b).sum();
            z.push((y - s) / l[i][i]);
        }
        Ok(z.iter().map(|z| z * z).sum::<f64>())
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        match solve(x) {
            Ok(v) => v,
            Err(Singular) => 0.0,
        }
    }
}

/// Of a type of the user's, by a call and a method.
mod values {
    use super::*;
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Pair {
        a: f64,
        b: f64,
    }
    #[differentiable]
    impl Add for Pair {
        type Output = Pair;
        fn add(self, o: Pair) -> Pair {
            Pair {
                a: self.a + o.a,
                b: self.b + o.b,
            }
        }
    }
    #[differentiable]
    impl Mul<f64> for Pair {
        type Output = Pair;
        fn mul(self, k: f64) -> Pair {
            Pair {
                a: self.a * k,
                b: self.b * k,
            }
        }
    }
    #[differentiable]
    impl Pair {
        fn turned(&self, by: f64) -> Pair {
            Pair {
                a: self.b * by,
                b: -self.a,
            }
        }
    }
    #[differentiable]
    fn pair(a: f64, b: &f64) -> Pair {
        Pair { a, b: *b }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let (mut seen, mut turned) = (Vec::new(), Vec::new());
        for v in x {
            let mut sum = pair(*v, v);
            for p in &seen {
                sum = sum + *p * 0.5;
            }
            for p in &turned {
                sum = sum + *p;
            }
            turned.push(sum.turned(*v));
            seen.push(pair(sum.a, &x[1]) * *v + sum);
        }
        seen.iter().map(|p| p.a * p.b).sum::<f64>() + turned[2].a
    }
}

/// In a `while`, of what a branch gives, of vectors and of tuples.
mod chosen {
    use super::*;

    #[differentiable]
    fn dot(a: &Vec<f64>, b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }
    #[differentiable]
    fn twice(x: &[f64]) -> Vec<f64> {
        x.iter().map(|v| v + v).collect()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let (mut rows, mut k) = (Vec::new(), 0);
        let mut total = 0.0;
        while k < x.len() {
            for row in &rows {
                total += dot(row, x);
            }
            let row = if x[k] > 0.0 {
                twice(x)
            } else {
                twice(&twice(x))
            };
            rows.push(row);
            k += 1;
        }
        total * rows[1][2]
    }
}

mod pairs {
    use super::*;

    #[differentiable]
    fn split(x: f64) -> (f64, f64) {
        (x.sin(), x * x)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut all = Vec::new();
        let mut total = 0.0;
        for v in x {
            for p in all.iter() {
                let (a, b) = p;
                total += a * b * v;
            }
            all.push(split(*v + total));
        }
        total
    }
}
