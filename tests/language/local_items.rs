//! Items inside of annotated functions.

#![allow(dead_code, reason = "not all local functions are called")]

use crate::check;
use differentiable::prelude::*;

const AT: [f64; 4] = [0.31, 0.42, -0.55, 0.83];

#[test]
fn functions() {
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        use std::f64::consts::PI;
        const W: [f64; 2] = [0.5, 2.0];
        static N: usize = 3;
        fn bell(t: f64, s: f64) -> f64 {
            (-t * t / (2.0 * s * s)).exp()
        }
        fn next(i: usize, n: usize) -> usize {
            (i + 1) % n
        }
        fn power(n: usize, x: f64) -> f64 {
            if n == 0 { 1.0 } else { x * power(n - 1, x) }
        }
        fn grow(v: &mut [f64], k: f64) {
            for e in v {
                *e *= k;
            }
        }
        let mut s = 0.0;
        for i in 0..x.len() {
            fn twice(x: f64) -> f64 {
                2.0 * x * x
            }
            s += bell(x[i], x[next(i, x.len())] + 2.0) * W[i % 2] + twice(x[i]);
        }
        let mut v = x.to_vec();
        grow(&mut v, x[0]);
        s * v[1] + PI * power(N, x[0])
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[test]
fn types_and_functions_that_take_functions() {
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        #[derive(Clone, Copy, Differentiable)]
        struct Pair {
            a: f64,
            b: f64,
        }
        fn product(p: &Pair) -> f64 {
            p.a * p.b
        }
        fn apply(g: impl Fn(f64) -> f64, x: f64) -> f64 {
            g(x) * x
        }
        let p = Pair { a: x[0], b: x[1] };
        product(&p) * apply(|t| t * x[2], x[3])
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

#[differentiable]
impl Spring {
    fn energy(&self, x: &[f64]) -> f64 {
        fn one(x: f64, k: f64) -> f64 {
            0.5 * k * x * x
        }
        let mut s = 0.0;
        for v in x {
            s += one(*v, self.k);
        }
        s
    }
}

#[test]
fn in_methods() {
    #[differentiable]
    fn f(x: &[f64], k: f64) -> f64 {
        Spring { k }.energy(x)
    }
    check::<f, _>(&(AT.to_vec(), 1.5));
}
