//! Complex numbers of one's own, and the butterfly.
use crate::Report;
use differentiable::prelude::*;
use std::f64::consts::PI;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl Complex {
    fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }
    fn from_polar(r: f64, theta: f64) -> Self {
        let (s, c) = theta.sin_cos();
        Self::new(r * c, r * s)
    }
    fn conj(self) -> Self {
        Self {
            im: -self.im,
            ..self
        }
    }
    fn norm_sqr(&self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}

#[differentiable]
impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex::new(self.re + o.re, self.im + o.im)
    }
}

#[differentiable]
impl Sub for Complex {
    type Output = Complex;
    fn sub(self, o: Complex) -> Complex {
        Complex::new(self.re - o.re, self.im - o.im)
    }
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex::new(
            self.re * o.re - self.im * o.im,
            self.re * o.im + self.im * o.re,
        )
    }
}

#[differentiable]
impl Mul<f64> for Complex {
    type Output = Complex;
    fn mul(self, k: f64) -> Complex {
        Complex::new(self.re * k, self.im * k)
    }
}

#[differentiable]
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}

#[differentiable]
impl AddAssign for Complex {
    fn add_assign(&mut self, o: Complex) {
        self.re += o.re;
        self.im += o.im;
    }
}

/// In place, by decimation in time.
#[differentiable]
fn fft(x: &mut [Complex]) {
    let n = x.len();
    assert!(n.is_power_of_two());
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            x.swap(i, j);
        }
    }
    let mut size = 2;
    while size <= n {
        let w = Complex::from_polar(1.0, -2.0 * PI / size as f64);
        for block in x.chunks_exact_mut(size) {
            let (low, high) = block.split_at_mut(size / 2);
            let mut k = Complex::new(1.0, 0.0);
            for (a, b) in low.iter_mut().zip(high.iter_mut()) {
                let t = k * *b;
                *b = *a - t;
                *a += t;
                k = k * w;
            }
        }
        size *= 2;
    }
}

/// By recursion.
#[differentiable]
fn fft_recursive(x: &[Complex]) -> Vec<Complex> {
    if x.len() == 1 {
        return x.to_vec();
    }
    let even: Vec<Complex> = x.iter().step_by(2).copied().collect();
    let odd: Vec<Complex> = x.iter().skip(1).step_by(2).copied().collect();
    let (even, odd) = (fft_recursive(&even), fft_recursive(&odd));
    let n = x.len();
    let twisted: Vec<Complex> = odd
        .iter()
        .enumerate()
        .map(|(k, o)| *o * Complex::from_polar(1.0, -2.0 * PI * k as f64 / n as f64))
        .collect();
    even.iter()
        .zip(&twisted)
        .map(|(e, t)| *e + *t)
        .chain(even.iter().zip(&twisted).map(|(e, t)| *e - *t))
        .collect()
}

#[differentiable]
fn spectrum_loss(signal: &[f64], #[constant] target: &[f64]) -> f64 {
    let mut x: Vec<Complex> = signal
        .iter()
        .map(|&re| Complex {
            re,
            ..Default::default()
        })
        .collect();
    fft(&mut x);
    x.iter()
        .map(Complex::norm_sqr)
        .zip(target)
        .map(|(p, t)| (p - t).powi(2))
        .sum()
}

#[differentiable]
fn spectrum_loss_recursive(signal: &[f64], #[constant] target: &[f64]) -> f64 {
    let x: Vec<Complex> = signal.iter().map(|re| Complex::new(*re, 0.0)).collect();
    let x = fft_recursive(&x);
    x.iter()
        .map(|z| z.norm_sqr())
        .zip(target)
        .map(|(p, t)| (p - t).powi(2))
        .sum()
}

pub fn measure(report: &mut Report) {
    let n = 1024;
    let signal: Vec<f64> = (0..n).map(|i| (0.37 * f64::from(i)).sin()).collect();
    let target: Vec<f64> = (0..n).map(|i| (0.21 * f64::from(i)).cos()).collect();
    report.case(
        "Fourier transform in place, 1024 points",
        spectrum_loss(&signal, &target),
        || spectrum_loss(&signal, &target),
        || spectrum_loss::value_and_grad(&signal, &target),
    );
    report.case(
        "Fourier transform by recursion, 1024 points",
        spectrum_loss_recursive(&signal, &target),
        || spectrum_loss_recursive(&signal, &target),
        || spectrum_loss_recursive::value_and_grad(&signal, &target),
    );
}
