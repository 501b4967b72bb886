//! Halves of `split_at_mut` that are lent to one call, and parts of a field.

use crate::{check, check_outputs};
use differentiable::prelude::*;

#[differentiable]
fn butterfly(even: &mut [f64], odd: &mut [f64], angle: f64) -> f64 {
    for (k, (e, o)) in even.iter_mut().zip(odd.iter_mut()).enumerate() {
        let turned = *o * (angle * k as f64).cos();
        (*e, *o) = (*e + turned, *e - turned);
    }
    even[0] * odd[1]
}

#[differentiable]
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

#[differentiable]
fn subtract(y: &mut [f64], x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= x * x;
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Signal {
    samples: Vec<f64>,
    gain: f64,
}

#[differentiable]
impl Signal {
    fn mix(&self, low: &mut [f64], high: &mut [f64]) {
        low[0] += self.gain * high[1];
        high[0] *= low[1] * self.samples[0];
    }

    fn turn(&mut self, angle: f64) -> f64 {
        let (low, high) = self.samples.split_at_mut(2);
        let q = butterfly(low, high, angle);
        subtract(high, low);
        q + self.samples[3] * self.gain
    }
}

#[differentiable]
fn in_functions_and_loops(x: &mut [f64], signal: &mut Signal, angle: f64) -> f64 {
    let mut v = x.to_vec();
    let half = v.len() / 2;
    let (even, odd) = v.split_at_mut(half);
    let first = butterfly(even, odd, angle);
    let apart = distance(even, odd);
    subtract(odd, even);
    let mut sum = first * apart;
    for n in 1..4 {
        let (low, high) = v.split_at_mut(n + 1);
        sum += butterfly(low, high, sum.sin());
    }
    let (low, high) = x.split_at_mut(2);
    butterfly(high, low, angle);
    signal.mix(low, high);
    sum += signal.turn(x[1]);
    let (low, high) = signal.samples.split_at_mut(2);
    sum *= butterfly(low, high, x[1]);
    let (left, right) = v.split_at(3);
    sum * v[3] + distance(left, right) + signal.samples[1] * x[0] * x[5]
}

#[differentiable]
fn part_of_a_field(signal: &Signal) -> f64 {
    let mut s = signal.clone();
    subtract(&mut s.samples[..2], &signal.samples[1..]);
    let (low, _) = s.samples.split_at_mut(3);
    subtract(low, &signal.samples);
    s.samples[1] * s.gain + s.samples[2]
}

/// Each row less the rows above it.
#[differentiable]
fn rows(m: &mut [Vec<f64>]) -> f64 {
    for k in 1..m.len() {
        let (above, below) = m.split_at_mut(k);
        for row in below.iter_mut() {
            subtract(row, &above[k - 1]);
        }
        subtract(&mut below[0], &above[0]);
        butterfly(&mut above[0], &mut below[0], 0.3);
    }
    m[1][0] * m[2][1]
}

/// A Fourier transform whose calls get four halves.
#[differentiable]
fn fourier(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    if n < 2 {
        return;
    }
    let odd_re: Vec<f64> = (0..n / 2).map(|k| re[2 * k + 1]).collect();
    let odd_im: Vec<f64> = (0..n / 2).map(|k| im[2 * k + 1]).collect();
    for k in 0..n / 2 {
        (re[k], im[k]) = (re[2 * k], im[2 * k]);
    }
    re[n / 2..].copy_from_slice(&odd_re);
    im[n / 2..].copy_from_slice(&odd_im);
    let (even_re, odd_re) = re.split_at_mut(n / 2);
    let (even_im, odd_im) = im.split_at_mut(n / 2);
    fourier(even_re, even_im);
    fourier(odd_re, odd_im);
    combine(even_re, even_im, odd_re, odd_im);
}

#[differentiable]
fn combine(a: &mut [f64], b: &mut [f64], c: &mut [f64], d: &mut [f64]) {
    let n = 2 * a.len();
    for k in 0..a.len() {
        let (sin, cos) = (-std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
        let (re, im) = (c[k] * cos - d[k] * sin, c[k] * sin + d[k] * cos);
        (c[k], d[k]) = (a[k] - re, b[k] - im);
        a[k] += re;
        b[k] += im;
    }
}

/// Halves of halves in one call.
#[differentiable]
fn power(x: &[f64], weight: f64) -> f64 {
    let mut re = x.to_vec();
    let mut im = vec![0.0; x.len()];
    fourier(&mut re, &mut im);
    let (a, rest) = re.split_at_mut(2);
    let (b, c) = rest.split_at_mut(3);
    let mixed = butterfly(a, b, weight) * butterfly(c, a, weight);
    combine(a, &mut im[..2], c, b);
    let squares = re.iter().zip(&im).map(|(r, i)| r * r + i * i);
    mixed
        + squares
            .enumerate()
            .map(|(k, s)| weight * k as f64 * s)
            .sum::<f64>()
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.3 * i as f64).sin() + 0.2).collect()
}

#[test]
fn both_halves_are_lent() {
    let (samples, gain) = (vec![0.3, 1.1, -0.7, 0.4], 0.6);
    let signal = Signal { samples, gain };
    check::<part_of_a_field, _>(&(signal.clone(),));
    check_outputs::<in_functions_and_loops, _>(&(numbers(6), signal, 0.9));
    check_outputs::<rows, _>(&(vec![vec![0.3, 0.8], vec![1.2, -0.4], vec![0.5, 0.9]],));
}

#[test]
fn halves_of_halves() {
    let x = numbers(8);
    let (mut re, mut im) = (x.clone(), vec![0.0; 8]);
    fourier(&mut re, &mut im);
    assert!((re[0] - x.iter().sum::<f64>()).abs() < 1e-14);
    let angle = |k: usize| 3.0 * k as f64 * std::f64::consts::TAU / 8.0;
    let real: f64 = (0..8).map(|k| x[k] * angle(k).cos()).sum();
    assert!((re[3] - real).abs() < 1e-14);
    check::<power, _>(&(x, 0.4));
}

#[derive(Clone, Debug, Differentiable)]
struct Body {
    x: f64,
    pos: [f64; 2],
}

#[differentiable]
impl Body {
    fn gap(&self, other: &Body) -> f64 {
        (self.x - other.x).powi(2) * other.pos[1]
    }
}

#[differentiable]
fn weighted(k: f64, a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| k * a * b * b).sum()
}

#[differentiable]
fn three(a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    weighted(a[0], b, c) * a[1]
}

#[differentiable]
fn product(a: &f64, b: &f64) -> f64 {
    a * b * b
}

/// Calls that only read, and name more of the variable than its halves.
#[differentiable]
fn only_read(x: &[f64], bodies: &[Body]) -> f64 {
    let mut v = x.to_vec();
    let (low, high) = v.split_at_mut(2);
    low[0] += high[1];
    let mut sum = weighted(high[0], low, high) + distance(low, high);
    sum += weighted(2.0, low, high) * three(low, high, &high[1..]);
    sum += product(&low[1], &high[0]);
    let mut own = bodies.to_vec();
    let (left, right) = own.split_at_mut(1);
    sum += left[0].gap(&right[0]) * product(&left[0].x, &right[1].pos[0]);
    sum += weighted(right[0].x, &left[0].pos, &right[1].pos);
    let (left, right) = bodies.split_at(2);
    sum += left[0].gap(&right[0]) * product(&left[1].x, &right[0].x);
    let (low, high) = x.split_at(2);
    sum * weighted(high[0], low, high) + distance(low, &high[1..])
}

#[differentiable]
fn of_a_local(signal: &Signal) -> f64 {
    let mut s = signal.clone();
    let (low, high) = s.samples.split_at_mut(2);
    let q = butterfly(low, high, 0.3) + distance(low, high);
    q * s.samples[0] * s.gain
}

#[test]
fn calls_that_read_halves() {
    let bodies = [1.0, 1.7, -0.4].map(|x| Body {
        x,
        pos: [x + 1.0, 2.0 - x],
    });
    check::<only_read, _>(&(numbers(5), bodies.to_vec()));
    let (samples, gain) = (vec![0.3, 1.1, -0.7, 0.4], 0.6);
    check::<of_a_local, _>(&(Signal { samples, gain },));
}
