//! Methods and sums of own types that have the names of others, methods without numbers, and generics.

use crate::check;
use differentiable::ad::Scalar;
use differentiable::prelude::*;
use std::ops::{Add, Mul};

const AT: [f64; 4] = [0.31, 0.42, -0.55, 0.83];

#[derive(Clone, Copy, Debug, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl Complex {
    fn abs(&self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt()
    }
    fn exp(self) -> Complex {
        let r = self.re.exp();
        Complex {
            re: r * self.im.cos(),
            im: r * self.im.sin(),
        }
    }
    fn max(&self, other: &Complex) -> Complex {
        if self.abs() > other.abs() {
            *self
        } else {
            *other
        }
    }
    fn min(self, k: f64) -> Complex {
        Complex {
            re: self.re.min(k),
            im: self.im.min(k),
        }
    }
}

#[differentiable]
impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex {
            re: self.re + o.re,
            im: self.im + o.im,
        }
    }
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex {
            re: self.re * o.re - self.im * o.im,
            im: self.re * o.im + self.im * o.re,
        }
    }
}

impl std::iter::Sum for Complex {
    fn sum<I: Iterator<Item = Complex>>(all: I) -> Complex {
        all.fold(Complex { re: 0.0, im: 0.0 }, |a, b| a + b)
    }
}

impl std::iter::Product for Complex {
    fn product<I: Iterator<Item = Complex>>(all: I) -> Complex {
        all.fold(Complex { re: 1.0, im: 0.0 }, |a, b| a * b)
    }
}

#[test]
fn named_as_those_of_floats() {
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let w = [
            Complex { re: x[0], im: x[1] },
            Complex { re: x[2], im: x[3] },
        ];
        let mut s = 0.0;
        for c in &w {
            s += c.exp().abs() * c.abs();
        }
        let m = w[0].max(&w[1]).min(x[1] * x[3]);
        s * m.re + m.im.abs() + w[0].re.exp()
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[test]
fn passed_to_map() {
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let v: Vec<Complex> = x.iter().map(|t| Complex { re: *t, im: t * t }).collect();
        v.iter().map(Complex::abs).sum()
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[test]
fn sums_and_products() {
    #[differentiable]
    fn total(x: &[f64]) -> Complex {
        x.iter().map(|t| Complex { re: *t, im: 1.0 }).sum()
    }
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let v: Vec<Complex> = x.iter().map(|t| Complex { re: *t, im: t * t }).collect();
        let p: Complex = v.iter().copied().product();
        let s = v.iter().map(|c| *c * p).sum::<Complex>();
        s.re * s.im + p.re + total(x).re
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[differentiable]
trait Potential {
    fn name(&self) -> &'static str;
    fn len(&self) -> usize {
        3
    }
    fn energy(&self, x: f64) -> f64;
    fn twice(&self, x: f64) -> f64 {
        2.0 * self.energy(x)
    }
}

#[derive(Clone, Differentiable)]
struct Harmonic {
    k: f64,
}

#[derive(Clone, Differentiable)]
struct Wave;

#[differentiable]
impl Potential for Harmonic {
    fn name(&self) -> &'static str {
        "harmonic"
    }
    fn energy(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

#[differentiable]
impl Potential for Wave {
    fn name(&self) -> &'static str {
        "wave"
    }
    fn len(&self) -> usize {
        4
    }
    fn energy(&self, x: f64) -> f64 {
        x.sin()
    }
}

#[test]
fn methods_that_lend_text() {
    #[differentiable]
    fn total<P: Potential + Differentiable>(p: &P, x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..p.len() {
            s += p.twice(x[i]);
        }
        s
    }
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        total(&Harmonic { k: x[3] }, x) + total(&Wave, x)
    }
    check::<f, _>(&(AT.to_vec(),));
    assert_eq!(Wave.name().len() + Harmonic { k: 1.0 }.name().len(), 12);
}

#[differentiable]
trait Act<T: Scalar>: Clone + Differentiable {
    fn apply(&self, x: T) -> T;
}

#[differentiable]
impl<T: Scalar> Act<T> for Wave {
    fn apply(&self, x: T) -> T {
        x * x.sin()
    }
}

#[test]
fn a_unit_with_a_generic_trait() {
    #[differentiable]
    fn go<T: Scalar, A: Act<T>>(a: &A, x: T) -> T {
        a.apply(x)
    }
    #[differentiable]
    fn f(x: f64) -> f64 {
        go(&Wave, x)
    }
    check::<f, _>(&(0.7,));
}

#[differentiable]
fn power<const N: usize>(x: f64) -> f64 {
    let mut y = 1.0;
    for _ in 0..N {
        y *= x;
    }
    y
}

#[differentiable]
fn energy<T: Scalar>(x: &[T]) -> T {
    x[0] * x[0] * x[1] + x[2].sin()
}

#[test]
fn generics_that_are_written() {
    #[differentiable]
    fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
        f(x) * x
    }
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        power::<3>(x[0])
            + self::power::<{ 1 + 1 }>(x[3]) * energy::<f64>(x)
            + apply(power::<2>, x[1])
    }
    check::<f, _>(&(AT.to_vec(),));
}

#[test]
fn a_gradient_in_generic_code() {
    fn descend<T: Scalar>(x: &[T], rate: T) -> Vec<T> {
        let (_, g) = energy::value_and_grad(x);
        x.iter().zip(g).map(|(x, g)| *x - rate * g).collect()
    }
    assert_eq!(descend(&[1.0, 2.0, 0.0], 0.5), [-1.0, 1.5, -0.5]);
    assert_eq!(descend(&[1.0f32, 2.0, 0.0], 0.5), [-1.0f32, 1.5, -0.5]);
}

mod own_powers {
    use differentiable::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    pub struct Polar {
        pub r: f64,
        pub a: f64,
    }

    #[differentiable]
    impl Polar {
        pub fn powi(self, n: i32) -> Polar {
            Polar {
                r: self.r.powi(n),
                a: self.a * n as f64,
            }
        }
        pub fn powf(&self, p: f64) -> Self {
            Polar {
                r: self.r.powf(p),
                a: self.a * p,
            }
        }
        pub fn clamp(self, lo: f64, hi: f64) -> Polar {
            Polar {
                r: self.r.clamp(lo, hi),
                a: self.a * lo,
            }
        }
    }

    #[derive(Clone, Differentiable)]
    pub struct Row(pub Vec<f64>);

    #[differentiable]
    impl Row {
        pub fn clamp(&self, lo: &Row, hi: &Row) -> Row {
            let mut out = Vec::new();
            for i in 0..self.0.len() {
                out.push((self.0[i] * 2.0).clamp(lo.0[i], hi.0[i]));
            }
            Row(out)
        }
    }
}

#[test]
fn powers_and_clamp() {
    use own_powers::{Polar, Row};
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let z = Polar { r: x[0], a: x[1] };
        let mut s = z.powf(x[3]).r + z.powf(0.5).a;
        for n in 1..3 {
            s += z.powi(n).r * z.powi(n).powf(x[1]).a;
        }
        s += z.clamp(0.1 * x[3], x[1]).r * z.clamp(x[1], 2.0).r + z.clamp(0.05, 0.2 * x[3]).a;
        let row = Row(vec![x[0], x[1], x[3]]);
        let (low, high) = (Row(vec![x[1]; 3]), Row(vec![x[3]; 3]));
        let c = row.clamp(&low, &high);
        s + c.0[0] * x[0] + c.0[1] * x[1] + c.0[2] * x[2]
    }
    check::<f, _>(&(vec![0.31, 0.42, -0.55, 0.83],));
}
