//! Operands with strides, numbers of two types, and launches of the kernels in `kernels/`.
#![allow(dead_code)]

use super::support::{Number, get, put};
use differentiable_gpu::{Arg, Buffer, Gpu, Key, Launch, Source};
use std::sync::Arc;

/// `float` or `double`.
pub trait Real: Number + PartialEq + std::fmt::Debug {
    const C: &'static str;
    /// What rounding may do to a sum of numbers about 1.
    const ERROR: f64;
    fn new(x: f64) -> Self;
    fn value(self) -> f64;
    fn arg(self) -> Arg<'static>;
}
impl Real for f32 {
    const C: &'static str = "float";
    const ERROR: f64 = 3e-6;
    fn new(x: f64) -> Self {
        x as f32
    }
    fn value(self) -> f64 {
        self.into()
    }
    fn arg(self) -> Arg<'static> {
        self.into()
    }
}
impl Real for f64 {
    const C: &'static str = "double";
    const ERROR: f64 = 1e-14;
    fn new(x: f64) -> Self {
        x
    }
    fn value(self) -> f64 {
        self
    }
    fn arg(self) -> Arg<'static> {
        self.into()
    }
}

/// Numbers that look random, between −1 and 1.
pub fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

pub fn all<T: Real>(x: &[f64]) -> Vec<T> {
    x.iter().map(|x| T::new(*x)).collect()
}

pub fn values<T: Real>(x: &[T]) -> Vec<f64> {
    x.iter().map(|x| x.value()).collect()
}

/// Equal but for rounding: infinities and NaN where they are expected.
#[track_caller]
pub fn close<T: Real>(what: impl std::fmt::Debug, found: &[T], expected: &[f64], scale: f64) {
    assert_eq!(found.len(), expected.len(), "{what:?}");
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        let f = f.value();
        let error = (f - e).abs() / (scale + e.abs());
        let same = f == *e || f.is_nan() && e.is_nan() || error <= T::ERROR;
        assert!(same, "{what:?}, {}, entry {i}: {f} for {e}", T::C);
    }
}

/// An operand: strides of its axes, and its first element.
#[derive(Clone, Debug)]
pub struct Strides(pub Vec<usize>, pub usize);

/// Row-major.
pub fn dense(dims: &[usize]) -> Strides {
    let mut strides = vec![1; dims.len()];
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis] * dims[axis];
    }
    Strides(strides, 0)
}

/// The bytes of `Nest<K>` in `kernels/base.cuh`. Neighbouring axes are one where all strides allow it.
pub fn nest(dims: &[usize], operands: &[Strides]) -> Vec<u8> {
    let mut axes: Vec<(usize, Vec<usize>)> = Vec::new();
    for (axis, &size) in dims.iter().enumerate().filter(|(_, size)| **size != 1) {
        let steps: Vec<usize> = operands.iter().map(|o| o.0[axis]).collect();
        match axes.last_mut() {
            Some((n, last)) if last.iter().zip(&steps).all(|(a, b)| *a == b * size) => {
                *n *= size;
                *last = steps;
            }
            _ => axes.push((size, steps)),
        }
    }
    if axes.is_empty() {
        axes.push((1, vec![0; operands.len()]));
    }
    let is_dense = |k: usize| {
        let mut step = 1;
        axes.iter().rev().all(|(n, s)| {
            let right = *n == 1 || s[k] == step;
            step *= n;
            right
        })
    };
    let bits = (0..operands.len()).fold(0, |bits, k| bits | usize::from(is_dense(k)) << k);
    let mut numbers = vec![dims.iter().product(), axes.len() | bits << 32];
    let six = |mut row: Vec<usize>| {
        row.resize(6, 0);
        row
    };
    numbers.extend(six(axes.iter().map(|axis| axis.0).collect()));
    for k in 0..operands.len() {
        numbers.extend(six(axes.iter().map(|axis| axis.1[k]).collect()));
    }
    numbers.extend(operands.iter().map(|o| o.1));
    numbers.into_iter().flat_map(usize::to_ne_bytes).collect()
}

/// The places of all elements in row-major order.
pub fn places(dims: &[usize], strides: &Strides) -> Vec<usize> {
    let mut places = vec![strides.1];
    for (n, step) in dims.iter().zip(&strides.0) {
        let before = std::mem::take(&mut places);
        places.extend(
            before
                .iter()
                .flat_map(|at| (0..*n).map(move |i| at + i * step)),
        );
    }
    places
}

/// Runs a kernel of these texts, with definitions in front.
pub fn run(
    gpu: &Arc<Gpu>,
    before: &str,
    files: &[&str],
    kernel: &str,
    grid: [usize; 2],
    args: &[Arg<'_>],
) {
    use differentiable_gpu::text::{BASE, FAULT};
    let text = [&[BASE, FAULT, before][..], files].concat().concat();
    let module = gpu
        .module(Key::of(&text), || Source::new(kernel, text.clone()))
        .unwrap_or_else(|error| panic!("{error}"));
    let kernel = module.kernel(kernel).unwrap();
    let launch = Launch {
        grid: [grid[0] as u32, grid[1] as u32, 1],
        block: [256, 1, 1],
        shared: 0,
    };
    // SAFETY: each test gives the arguments of its kernel.
    unsafe { gpu.launch(&kernel, launch, args) };
}

/// A buffer of numbers, and back.
pub fn up<T: Real>(gpu: &Arc<Gpu>, x: &[f64]) -> Buffer {
    put(gpu, &all::<T>(x))
}

pub fn down<T: Real>(gpu: &Gpu, buffer: &Buffer) -> Vec<f64> {
    values(&get::<T>(gpu, buffer))
}
