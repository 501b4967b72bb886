//! Random tensors with odd layouts, and comparison.

use autodiff_core::device::{Cpu, Dims};
use autodiff_core::tensor::raw::Raw;
use proptest::prelude::*;

pub type Tensor<T> = Raw<T, Cpu>;

/// Sizes of rank 0 to 4, often 0 or 1, and beyond a vector register.
pub fn sizes() -> impl Strategy<Value = Vec<usize>> {
    let size = prop_oneof![1 => Just(0usize), 2 => Just(1), 6 => 2usize..6, 2 => 15usize..36];
    prop::collection::vec(size, 0..=4)
        .prop_filter("small", |s| s.iter().product::<usize>() < 20_000)
}

/// Sizes of at least one axis, none empty.
pub fn some_sizes() -> impl Strategy<Value = Vec<usize>> {
    sizes().prop_filter("not empty", |s| !s.is_empty() && !s.contains(&0))
}

/// How a tensor lies in memory.
#[derive(Clone, Copy, Debug)]
pub enum Lie {
    Dense,
    Transposed,
    Sliced,
    Expanded,
}

pub fn lie() -> impl Strategy<Value = Lie> {
    prop_oneof![
        Just(Lie::Dense),
        Just(Lie::Transposed),
        Just(Lie::Sliced),
        Just(Lie::Expanded)
    ]
}

/// A tensor of the given sizes and layout with elements from `next`.
pub fn make<T: autodiff_core::device::Elem>(
    sizes: &[usize],
    lie: Lie,
    mut next: impl FnMut(usize) -> T,
) -> Tensor<T> {
    let rank = sizes.len();
    let mut fill = |s: &[usize]| {
        let n = s.iter().product();
        Raw::from_slice(&Cpu, s, &(0..n).map(&mut next).collect::<Vec<_>>())
    };
    match lie {
        Lie::Transposed if rank >= 2 => {
            let mut s = sizes.to_vec();
            s.swap(0, rank - 1);
            fill(&s).transpose(0, rank - 1)
        }
        Lie::Sliced if rank >= 1 => {
            let mut s = sizes.to_vec();
            s[rank - 1] += 3;
            fill(&s).slice(rank - 1, 2, sizes[rank - 1])
        }
        Lie::Expanded if rank >= 1 => {
            let mut s = sizes.to_vec();
            s[0] = 1;
            fill(&s).expand(Dims::new(sizes))
        }
        _ => fill(sizes),
    }
}

/// A repeatable sequence of numbers in `lo..hi`.
pub fn numbers(seed: u64, lo: f64, hi: f64) -> impl FnMut(usize) -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        lo + (hi - lo) * (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

pub fn make_f64(sizes: &[usize], lie: Lie, seed: u64, lo: f64, hi: f64) -> Tensor<f64> {
    make(sizes, lie, numbers(seed, lo, hi))
}

pub fn make_f32(sizes: &[usize], lie: Lie, seed: u64, lo: f64, hi: f64) -> Tensor<f32> {
    let mut next = numbers(seed, lo, hi);
    make(sizes, lie, |i| next(i) as f32)
}

/// Equal up to `tol` relative to 1 or to the size of the expected value; NaN equals NaN.
#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64], tol: f64) {
    assert_eq!(found.len(), expected.len(), "number of elements");
    for (i, (&f, &e)) in found.iter().zip(expected).enumerate() {
        let same = f == e || (f.is_nan() && e.is_nan()) || (f - e).abs() <= tol * e.abs().max(1.0);
        assert!(same, "element {i}: found {f}, expected {e}");
    }
}

pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&x| f64::from(x)).collect()
}

/// A sum with Neumaier's compensation.
pub fn exact_sum(x: impl IntoIterator<Item = f64>) -> f64 {
    let (mut s, mut c) = (0.0f64, 0.0);
    for x in x {
        let t = s + x;
        c += if s.abs() >= x.abs() {
            (s - t) + x
        } else {
            (x - t) + s
        };
        s = t;
    }
    s + c
}

/// Every index of a tensor, in row-major order.
pub fn indices(dims: &[usize]) -> Vec<Vec<usize>> {
    let n: usize = dims.iter().product();
    (0..n)
        .map(|mut i| {
            let mut at = vec![0; dims.len()];
            for (a, &d) in at.iter_mut().zip(dims).rev() {
                *a = i % d;
                i /= d;
            }
            at
        })
        .collect()
}

/// The row-major position of an index that may be broadcast.
pub fn position(dims: &[usize], at: &[usize]) -> usize {
    let skip = at.len() - dims.len();
    dims.iter()
        .zip(&at[skip..])
        .fold(0, |p, (&d, &i)| p * d + if d == 1 { 0 } else { i })
}
