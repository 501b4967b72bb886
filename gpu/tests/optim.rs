//! Steps of optimisers over several tensors, and what clipping needs.

#[path = "support/nests.rs"]
mod nests;
mod support;

use differentiable_gpu::{Arg, Buffer, Gpu};
use nests::{Named, all_orders, numbers, run};
use std::sync::Arc;
use support::{get, gpu, put};

const TEXT: &str = differentiable_gpu::text::OPTIM;

trait Real: Named {
    const EPSILON: f64;
    fn new(x: f64) -> Self;
    fn value(self) -> f64;
}
macro_rules! real {
    ($($ty:ident),*) => { $(impl Real for $ty {
        const EPSILON: f64 = $ty::EPSILON as f64;
        fn new(x: f64) -> Self { x as $ty }
        fn value(self) -> f64 { f64::from(self) }
    })* };
}
real!(f32, f64);

/// Tensors of these lengths in one buffer; each begins `gap` elements behind the last.
struct Tensors {
    lens: Vec<usize>,
    gap: usize,
}

impl Tensors {
    fn starts(&self) -> Vec<usize> {
        let next = |at: &mut usize, len: &usize| {
            let start = *at;
            *at += len + self.gap;
            Some(start)
        };
        self.lens.iter().scan(0, next).collect()
    }
    fn len(&self) -> usize {
        self.lens.iter().map(|len| len + self.gap).sum()
    }
    /// The bytes of `Tensors<K>`.
    fn table<T>(&self, operands: &[&Buffer]) -> Vec<u8> {
        let count = self.lens.len();
        let mut bytes = [count as u32, 0].map(u32::to_ne_bytes).concat();
        let mut chunks = 0u32;
        for k in 0..50 {
            bytes.extend(chunks.to_ne_bytes());
            chunks += self.lens.get(k).map_or(0, |len| len.div_ceil(4096) as u32);
        }
        (0..48).for_each(|k| bytes.extend((*self.lens.get(k).unwrap_or(&0) as u64).to_ne_bytes()));
        for buffer in operands {
            let mut starts = self.starts();
            starts.resize(48, 0);
            for start in starts {
                bytes.extend((buffer.address() + (start * size_of::<T>()) as u64).to_ne_bytes());
            }
        }
        bytes
    }
    fn inside(&self, i: usize) -> bool {
        self.starts()
            .iter()
            .zip(&self.lens)
            .any(|(start, len)| (*start..start + len).contains(&i))
    }
}

fn cases() -> Vec<Tensors> {
    vec![
        Tensors {
            lens: vec![5],
            gap: 0,
        },
        Tensors {
            lens: vec![4096, 1, 0, 4099, 8],
            gap: 3,
        },
        Tensors {
            lens: (0..48).map(|k| k * 37 % 301).collect(),
            gap: 1,
        },
        Tensors {
            lens: vec![9000, 64],
            gap: 0,
        },
    ]
}

fn wave<T: Real>(n: usize, seed: u64) -> Vec<T> {
    numbers(n, seed)
        .map(|x| T::new((x % 2000) as f64 / 1000.0 - 1.0))
        .collect()
}

/// Runs a step over four operands or less, and compares what `step` makes of each element.
fn check<T: Real, const K: usize, const N: usize>(
    gpu: &Arc<Gpu>,
    kernel: &str,
    given: [f64; N],
    step: impl Fn(&mut [f64; K], f64),
) {
    for tensors in cases() {
        let mut x: [Vec<T>; K] = std::array::from_fn(|k| wave(tensors.len(), k as u64 + 1));
        // Second moments are not negative.
        if K == 4 {
            x[3].iter_mut().for_each(|x| *x = T::new(x.value().abs()));
        }
        for factor in [None, Some(0.25)] {
            let there = factor.map(|factor| put(gpu, &[factor]));
            let factor = factor.unwrap_or(1.0);
            let found = all_orders(|| {
                let bufs: [Buffer; K] = std::array::from_fn(|k| put(gpu, &x[k]));
                let table = tensors.table::<T>(&bufs.each_ref());
                let bytes = given.map(f64::to_ne_bytes).concat();
                let args = [
                    Arg::Bytes(&bytes),
                    there.as_ref().map_or(Arg::Address(0), Arg::from),
                    Arg::Bytes(&table),
                ];
                run::<T, T>(gpu, TEXT, kernel, 3, &args);
                bufs.iter().flat_map(|buf| get::<T>(gpu, buf)).collect()
            });
            for i in 0..tensors.len() {
                let mut all: [f64; K] = std::array::from_fn(|k| x[k][i].value());
                if tensors.inside(i) {
                    step(&mut all, factor);
                }
                for (k, y) in all.into_iter().enumerate() {
                    let found = found[k * tensors.len() + i].value();
                    assert!(
                        (found - y).abs() <= 16.0 * T::EPSILON,
                        "{kernel} {k} {i}: {found} {y}"
                    );
                }
            }
        }
    }
}

fn all_steps<T: Real>(gpu: &Arc<Gpu>) {
    let [lr, decay, momentum, fresh] = [0.1, 0.01, 0.9, 0.8];
    check::<T, 2, 5>(gpu, "sgd", [lr, decay, 0.0, 1.0, 0.0], |[p, g], factor| {
        *p -= lr * (factor * *g + decay * *p);
    });
    for nesterov in [0.0, 1.0] {
        check::<T, 3, 5>(
            gpu,
            "sgd_momentum",
            [lr, decay, momentum, fresh, nesterov],
            |[p, g, v], factor| {
                let g = factor * *g + decay * *p;
                *v = momentum * *v + fresh * g;
                *p -= lr
                    * if nesterov == 1.0 {
                        g + momentum * *v
                    } else {
                        *v
                    };
            },
        );
    }
    let [rate, root, eps, b1, b2, coupled, keep] = [0.02, 3.0, 1e-3, 0.9, 0.99, 0.1, 0.97];
    let given = [rate, root, eps, b1, b2, 1.0 - b1, 1.0 - b2, coupled, keep];
    check::<T, 4, 9>(gpu, "adam", given, |[p, g, m, v], factor| {
        let g = factor * *g + coupled * *p;
        *m = b1 * *m + (1.0 - b1) * g;
        *v = b2 * *v + (1.0 - b2) * g * g;
        *p = keep * *p - rate * *m / (v.sqrt() * root + eps);
    });
}

#[test]
fn steps() {
    let Some(gpu) = gpu() else { return };
    all_steps::<f32>(&gpu);
    all_steps::<f64>(&gpu);
}

fn clipped<T: Real>(gpu: &Arc<Gpu>) {
    for tensors in cases() {
        let x = wave::<T>(tensors.len(), 7);
        let inside = |i: &usize| tensors.inside(*i);
        let sum: f64 = (0..x.len())
            .filter(inside)
            .map(|i| x[i].value() * x[i].value())
            .sum();
        for (most, before) in [(0.5, 0.0), (1e9, 2.0), (1.0, f64::INFINITY)] {
            let blocks = 5;
            let found = all_orders(|| {
                let (there, sums) = (put(gpu, &x), gpu.alloc(8 * blocks).unwrap());
                let [total, factor] = [0.0, 0.0].map(|x| put(gpu, &[x]));
                let table = tensors.table::<T>(&[&there]);
                let table = Arg::Bytes(&table);
                run::<T, T>(gpu, TEXT, "squares", blocks, &[(&sums).into(), table]);
                let args = [(&sums).into(), Arg::I64(blocks as i64), (&total).into()];
                run::<T, T>(gpu, TEXT, "squares_sum", 1, &args);
                let total = get::<f64>(gpu, &total)[0] + before;
                let norm = put(gpu, &[total.sqrt()]);
                let args = [(&norm).into(), Arg::F64(most), (&factor).into()];
                run::<T, T>(gpu, TEXT, "clip_factor", 1, &args);
                [vec![total], get(gpu, &norm), get(gpu, &factor)].concat()
            });
            let total = before + sum;
            let norm = total.sqrt();
            let factor = if norm < f64::INFINITY && norm > most {
                most / norm
            } else {
                1.0
            };
            let same = |a: f64, b: f64, error: f64| a == b || (a - b).abs() <= error * b.abs();
            assert!(
                same(found[0], total, 1e-12) && same(found[1], norm, 1e-12),
                "{found:?}"
            );
            assert!(same(found[2], factor, 1e-12), "{} {factor}", found[2]);
        }
    }
}

#[test]
fn clipping() {
    let Some(gpu) = gpu() else { return };
    clipped::<f32>(&gpu);
    clipped::<f64>(&gpu);
}
