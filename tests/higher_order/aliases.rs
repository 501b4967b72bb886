//! Types behind aliases in functions of higher order.

use crate::near;
use differentiable::prelude::*;

type Real = f64;
type Vec3 = [Real; 3];
type Matrix = Vec<Vec<Real>>;
type Outcome<T> = Result<T, String>;
type Count = usize;

#[differentiable(higher_order)]
fn outer(x: &[Real]) -> Matrix {
    x.iter()
        .map(|a| x.iter().map(|b| a * b + a.sin()).collect())
        .collect()
}
#[differentiable(higher_order)]
fn cross(a: Vec3, b: &Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
#[differentiable(higher_order)]
fn checked(x: Real) -> Outcome<Real> {
    if x < -10.0 {
        return Err("too small".to_string());
    }
    Ok(x * x * x)
}
#[differentiable(higher_order)]
fn product(x: &[Real]) -> Outcome<Real> {
    let a = checked(x[0])?;
    Ok(a * checked(x[1])?)
}
#[differentiable(higher_order)]
fn f(x: &[f64]) -> f64 {
    let n = 3usize as Real;
    let m = outer(x);
    let c = cross([x[0], x[1], 1.0 as Real], &[x[1], 2.0, x[0]]);
    let k = 1.7 as Count;
    product(x).unwrap() * n + m[0][1] * m[1][0] + c[0] * c[2] + x[k]
}

#[test]
fn hessians_through_aliases() {
    let x = [0.4, 0.7];
    let hessian = f::hessian(&x);
    let h = 1e-5;
    for k in 0..2 {
        let at = |t: f64| {
            let mut y = x;
            y[k] += t;
            f::grad(&y)
        };
        let (above, below) = (at(h), at(-h));
        for j in 0..2 {
            near(hessian[j][k], (above[j] - below[j]) / (2.0 * h), 1e-8);
        }
    }
}
