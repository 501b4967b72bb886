//! Operators of the user's own types.

use crate::{check, check_outputs};
use differentiable::ad;
use differentiable::prelude::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, other: Vec3) -> Vec3 {
        Vec3 {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Self::Output {
        Vec3 {
            x: self.x * k,
            y: self.y * k,
            z: self.z * k,
        }
    }
}

#[differentiable]
impl Mul<Vec3> for f64 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        v * self
    }
}

#[differentiable]
impl Div<f64> for Vec3 {
    type Output = Vec3;
    fn div(self, k: f64) -> Vec3 {
        self * (1.0 / k)
    }
}

#[differentiable]
impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3 {
            x: -self.x,
            y: -self.y,
            z: -self.z,
        }
    }
}

#[differentiable]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Vec3) {
        self.x += other.x;
        self.y += other.y;
        self.z += other.z;
    }
}

#[differentiable]
impl SubAssign<Vec3> for Vec3 {
    fn sub_assign(&mut self, other: Vec3) {
        *self = *self - other;
    }
}

#[differentiable]
impl Vec3 {
    fn dot(&self, other: &Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    fn cross(self, o: Vec3) -> Vec3 {
        Vec3 {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }
    fn unit(self) -> Vec3 {
        self / self.dot(&self).sqrt()
    }
}

#[differentiable]
fn reflected(v: Vec3, n: Vec3, k: f64) -> Vec3 {
    let n = n.unit();
    let mut r = v - 2.0 * n * v.dot(&n);
    r += v.cross(n) * k;
    r -= -v / k;
    r + r
}

#[differentiable]
fn orbit(at: Vec3, speed: Vec3, mass: f64, steps: usize) -> f64 {
    let (mut at, mut speed) = (at, speed);
    for _ in 0..steps {
        let r2 = at.dot(&at);
        speed += at * (-mass / (r2 * r2.sqrt())) * 0.01;
        at += speed * 0.01;
    }
    at.dot(&speed)
}

const A: Vec3 = Vec3 {
    x: 0.3,
    y: -0.8,
    z: 1.2,
};
const B: Vec3 = Vec3 {
    x: 1.1,
    y: 0.4,
    z: 0.2,
};

#[test]
fn vectors() {
    check_outputs::<reflected, _>(&(A, B, 0.7));
    check::<orbit, _>(&(A, B, 1.3, 20));
}

#[differentiable]
fn centre(points: &[Vec3], w: &[f64]) -> f64 {
    let mut sum = points[0] * w[0];
    for i in 1..points.len() {
        sum += points[i] * w[i];
    }
    let spread = points.iter().map(|p| (*p - sum).dot(&sum)).sum::<f64>();
    spread * sum.y
}

#[test]
fn sums_of_vectors() {
    check::<centre, _>(&(vec![A, B, A + B], vec![0.2, 0.3, 0.9]));
}

/// Numbers by their logarithms: addition is not linear.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Log(f64);

#[differentiable]
impl Add for Log {
    type Output = Log;
    fn add(self, other: Log) -> Log {
        let top = self.0.max(other.0);
        Log(top + ((self.0 - top).exp() + (other.0 - top).exp()).ln())
    }
}

#[differentiable]
impl Mul for Log {
    type Output = Log;
    fn mul(self, other: Log) -> Log {
        Log(self.0 + other.0)
    }
}

#[differentiable]
impl AddAssign for Log {
    fn add_assign(&mut self, other: Log) {
        *self = *self + other;
    }
}

#[differentiable]
fn likelihood(xs: &[f64], prior: f64) -> f64 {
    let mut total = Log(prior);
    for x in xs {
        total += Log(*x) * Log(prior * 0.5);
        total += Log(0.1);
    }
    (total + total).0
}

#[test]
fn operators_that_are_not_linear() {
    check::<likelihood, _>(&(vec![0.3, -0.4, 1.0], -0.2));
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Complex<T> {
    re: T,
    im: T,
}

#[differentiable]
impl<T: ad::Scalar> Mul for Complex<T> {
    type Output = Complex<T>;
    fn mul(self, o: Self) -> Self {
        Self {
            re: self.re * o.re - self.im * o.im,
            im: self.re * o.im + self.im * o.re,
        }
    }
}

#[differentiable]
impl<T: ad::Scalar> Div for Complex<T> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let n = o.re * o.re + o.im * o.im;
        Complex {
            re: (self.re * o.re + self.im * o.im) / n,
            im: (self.im * o.re - self.re * o.im) / n,
        }
    }
}

#[differentiable]
impl<'a> Sub<&'a Complex<f64>> for &'a Complex<f64> {
    type Output = Complex<f64>;
    fn sub(self, o: &Complex<f64>) -> Complex<f64> {
        Complex {
            re: self.re - o.re,
            im: self.im - o.im,
        }
    }
}

#[differentiable]
fn quotient(a: Complex<f64>, b: Complex<f64>) -> f64 {
    let c = a * b / (b * b) * a;
    let d = &c - &b;
    d.re * d.im + c.re
}

#[test]
fn generic_operators_and_references() {
    let (a, b) = (Complex { re: 0.3, im: 0.9 }, Complex { re: 1.2, im: -0.4 });
    check::<quotient, _>(&(a, b));
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Dual {
    v: f64,
    d: f64,
}
/// The rule of `&a * &b` too: both are of the same values.
#[differentiable]
impl Mul for Dual {
    type Output = Dual;
    fn mul(mut self, mut o: Dual) -> Dual {
        o.d *= self.v;
        self.d = self.d * o.v + o.d;
        self.v *= o.v;
        self
    }
}
impl<'a> Mul<&'a Dual> for &'a Dual {
    type Output = Dual;
    fn mul(self, o: &Dual) -> Dual {
        *self * *o
    }
}

#[differentiable]
#[allow(clippy::op_ref)]
fn both(x: f64, y: f64) -> f64 {
    let (a, b) = (Dual { v: x, d: 1.0 }, Dual { v: y, d: x });
    let c = a * b;
    let d = &c * &a;
    d.v * d.d
}

#[test]
fn by_value_and_by_reference() {
    check::<both, _>(&(0.3, 0.9));
}
