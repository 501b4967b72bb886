//! Places whose indices change something: they are evaluated when Rust evaluates them.

use differentiable::ad::{check_grads, check_hvp};
use differentiable::prelude::*;

fn next(k: &mut usize) -> usize {
    *k = (*k + 1) % 4;
    *k
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct V {
    a: f64,
    b: f64,
}

#[differentiable(higher_order)]
impl std::ops::AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.a += o.a * o.a;
        self.b += o.b;
    }
}

#[differentiable(higher_order)]
fn two(a: f64, b: f64) -> f64 {
    a * a + 3.0 * b
}

/// Draws indices.
struct Draws(usize);

impl Draws {
    fn draw(&mut self) -> usize {
        self.0 = (self.0 * 5 + 3) % 4;
        self.0
    }
}

macro_rules! programs {
    ($($name:ident($x:ident) $body:block)*) => { $(
        #[test]
        fn $name() {
            #[differentiable(higher_order)]
            fn f($x: &[f64]) -> f64 $body

            let x = [0.31, 0.42, -0.55, 0.83];
            assert_eq!(f::vjp(&x).0, f(&x));
            check_grads::<f, _>(&(x.to_vec(),)).unwrap_or_else(|e| panic!("{e}"));
            check_hvp::<f, f64, _>(&(x.to_vec(),)).unwrap_or_else(|e| panic!("{e}"));
        }
    )* };
}

programs! {
    numbers(x) { let mut s = [1.0; 4]; let mut k = 0; s[next(&mut k)] = x[k] * x[1]; s[next(&mut k)] -= x[k] * s[k]; s[next(&mut k)] *= x[k]; s[0] + 2.0 * s[1] * s[2] + 3.0 * s[3] }
    own_operators(x) { let mut s = vec![V { a: 1.0, b: 2.0 }; 4]; let mut k = 0; s[next(&mut k)] += V { a: x[k], b: x[k] * x[k] }; s[next(&mut k)] += V { a: x[k], b: x[1] }; s[k] += V { a: x[next(&mut k)], b: x[k] }; s.iter().map(|v| v.a * v.b).sum() }
    fields(x) { let mut s = [V { a: 1.0, b: 2.0 }; 4]; let mut k = 0; s[next(&mut k)].b += x[k]; s[next(&mut k)].a -= x[k] * x[k]; s[next(&mut k)].b *= x[k]; s[0].a + s[1].b * s[2].a + s[3].b * s[1].a }
    operands(x) { let mut k = 0; let p = x[k] * x[next(&mut k)] + x[k]; let q = two(x[k], x[next(&mut k)]); let r = [x[k], x[next(&mut k)], x[k]]; p * q + r[0] * r[1] * r[2] }
    nested_indices(x) { let mut m = [[1.0; 4]; 4]; let mut k = 0; for _ in 0..3 { m[k][next(&mut k)] += x[k] * m[next(&mut k)][k]; } let mut t = 0.0; for i in 0..4 { for j in 0..4 { t += m[i][j] * m[i][j] * (1.0 + i as f64 * 4.0 + j as f64); } } t }
    methods_that_draw(x) { let mut s = [0.5; 4]; let mut r = Draws(1); for _ in 0..5 { s[r.draw()] += x[r.draw()] * s[r.draw()]; } s[0] * s[1] + s[2] * s[3] }
    blocks_in_indices(x) { let mut s = [0.5; 4]; let mut i = 0; while i < 4 { s[{ i += 1; i - 1 }] *= x[i % 4] * x[0]; } s[0] + s[1] * s[2] * s[3] }
    iterators_in_indices(x) { let mut s = [0.5; 4]; let mut it = [2usize, 0, 1, 3].iter(); s[*it.next().unwrap()] = x[*it.next().unwrap()]; s[*it.next().unwrap()] += x[0] * x[*it.next().unwrap()]; s[0] * s[1] * s[2] + s[3] }
    tuples(x) { let mut k = 0; let mut s = [1.0; 4]; (s[next(&mut k)], s[next(&mut k)]) = (x[k], x[0] * x[k]); s[0] + s[1] * s[2] }
    closures_that_count(x) { let mut s = [1.0, 2.0, 3.0, 4.0]; let mut c = 0; let mut nx = || { c += 1; c % 4 }; s[nx()] = x[nx()]; s[nx()] += x[nx()] * x[0]; s[0] * s[1] + s[2] * s[3] }
    values_that_change_the_index(x) { let mut s = [1.0; 4]; let mut k = 0; s[next(&mut k)] += if x[k] > 0.0 { x[k] * x[next(&mut k)] } else { x[3] }; s[k] += { k = 3; x[k] * x[1] }; s[0] * s[1] + s[2] + s[3] }
}
