//! What changes behind a shared reference is evaluated once and in order.

use crate::check;
use differentiable::prelude::*;
use std::cell::Cell;

/// A generator of random numbers with `&self`.
#[derive(Clone)]
struct Generator(Cell<u64>);

impl Generator {
    fn next(&self) -> usize {
        let n = self
            .0
            .get()
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.0.set(n);
        (n >> 33) as usize
    }
    fn uniform(&self) -> f64 {
        self.next() as f64 / (1u64 << 31) as f64
    }
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let k = Cell::new(0usize);
    let next = || {
        let i = k.get();
        k.set(i + 1);
        i
    };
    let mut s = [0.0; 6];
    s[next()] = x[next()];
    s[next()] += x[next() - 2] * 2.0;
    k.set(0);
    let y = x[next()] - 2.0 * x[next()] * x[next()];
    y * s[0] + s[1] * 5.0 + s[2] * 7.0 + s[3] * 11.0
}

#[differentiable]
fn drawn(x: &[f64], #[constant] seed: u64, #[constant] rng: &Generator) -> f64 {
    rng.0.set(seed);
    let mut t = x[0] * rng.uniform() + x[rng.next() % 3] * x[rng.next() % 3] * rng.uniform();
    for _ in 0..4 {
        t += x[rng.next() % 3] * rng.uniform() * t;
    }
    t + f64::max(x[rng.next() % 3], rng.uniform())
}

#[differentiable]
fn draws(x: &[f64]) -> f64 {
    drawn(x, 7, &Generator(Cell::new(0))) + drawn(x, 8, &Generator(Cell::new(0)))
}

#[test]
fn cells_and_generators() {
    check::<closures, _>(&(vec![0.3, 0.7, -1.1],));
    check::<draws, _>(&(vec![0.3, 0.7, -1.1],));
}
