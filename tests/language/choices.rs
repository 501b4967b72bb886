//! Functions that are chosen: tables of functions, and names for one of several.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[differentiable]
fn norm(v: &[f64], k: f64) -> f64 {
    v.iter().map(|t| t * t * k).sum()
}

#[differentiable]
fn total(v: &[f64], k: f64) -> f64 {
    v.iter().map(|t| t * k).sum()
}

#[differentiable]
fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(x) * x
}

const AT: [f64; 4] = [0.31, 0.42, -0.55, 0.83];

#[test]
fn tables() {
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let k = x[3];
        let basis = [square, cube, f64::sin];
        let table: [fn(f64) -> f64; 2] = [square, cube];
        let with_captures: [&dyn Fn(f64) -> f64; 2] = [&|t| t * k, &|t: f64| t * t];
        let mut s = basis[0](x[0]) * [cube, square][1](k);
        for i in 0..2 {
            s += table[i](x[i]) + with_captures[i](x[i] * x[2]);
        }
        let mut i = 0;
        while i < 3 {
            s *= 1.0 + basis[i](x[i]) * 0.1;
            i += 1;
        }
        let last = basis[i - 1];
        s + last(x[0])
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[test]
fn gone_through() {
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let basis = vec![square, cube];
        let mut s = 0.0;
        for g in &basis {
            s += apply(g, x[0]);
        }
        for (i, g) in basis.iter().enumerate() {
            s += g(x[i]) * x[i + 1];
        }
        let mapped: f64 = basis.iter().map(|g| g(x[1])).map(|v| square(v)).sum();
        let zipped: f64 = x.iter().zip(basis.iter()).map(|(v, g)| g(*v)).sum();
        s + mapped * zipped
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[differentiable]
fn chosen(x: &[f64], k: i32) -> f64 {
    let same = square;
    let one = if k > 0 { square } else { cube };
    let of_three: fn(f64) -> f64 = match k {
        1 => square,
        2 => cube,
        _ => f64::sin,
    };
    let boxed: Box<dyn Fn(f64) -> f64> = match k {
        1 => Box::new(|t| t * x[2]),
        _ => Box::new(move |t| t + 1.0),
    };
    let of_slices = if k == 2 { norm } else { total };
    let mapped: f64 = x.iter().copied().map(one).sum();
    same(x[0])
        + one(x[0] * x[1]) * of_three(x[1])
        + boxed(x[3])
        + apply(one, x[2])
        + of_slices(&x[1..], mapped)
}

#[test]
fn by_conditions() {
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        chosen(x, 1) + chosen(x, 2) * chosen(x, -1)
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[test]
#[should_panic(expected = "there are 2 functions in the table")]
fn out_of_bounds() {
    #[differentiable]
    fn f(x: f64, i: usize) -> f64 {
        let table = [square, cube];
        table[i](x)
    }
    let _ = f::vjp(1.0, 2);
}
