//! Running sums and products, and the derivatives of products.

#[path = "support/nests.rs"]
mod nests;
mod support;

use differentiable_gpu::{Arg, Gpu, text};
use nests::{Named, all_orders, nest, numbers, run};
use std::sync::{Arc, LazyLock};
use support::{get, gpu, put};

/// The kernels, with the tiles of numbers of at most 8 bytes.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let (scan, long) = (text::SCAN, text::SCAN_LONG);
    format!("#define TILE_LOG 10\n{scan}{long}")
});

/// Numbers with the arithmetic of the processor's loops.
trait Real: Named + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> + PartialOrd {
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

/// Numbers between −1.3 and 1.3.
fn wave<T: Real>(n: usize, seed: u64) -> Vec<T> {
    numbers(n, seed)
        .map(|x| T::new((x % 2600) as f64 / 1000.0 - 1.3))
        .collect()
}

/// The bytes of `Walk<N>`.
fn walk(width: usize, log: u32, fast: u32, steps: &[usize]) -> Vec<u8> {
    let mut bytes = (width as u64).to_ne_bytes().to_vec();
    bytes.extend([log, fast].map(u32::to_ne_bytes).concat());
    steps
        .iter()
        .for_each(|s| bytes.extend((*s as u64).to_ne_bytes()));
    bytes
}

/// Runs a walk over rows of these operands, the first of which lie as columns where `columns` says so.
fn walked<T: Real>(
    gpu: &Arc<Gpu>,
    kernel: &str,
    op: Option<i32>,
    x: &[Vec<T>],
    [width, log]: [usize; 2],
    columns: usize,
) -> Vec<T> {
    let (n, rows) = (x[0].len(), x[0].len() / width);
    let lies = |k: usize| if k < columns { (rows, 1) } else { (1, width) };
    let bufs = x.iter().enumerate().map(|(k, x)| {
        let (step, row_step) = lies(k);
        let mut there = x.clone();
        (0..n).for_each(|i| there[i / width * row_step + i % width * step] = x[i]);
        put(gpu, &there)
    });
    let bufs: Vec<_> = bufs.collect();
    let operands: Vec<[usize; 1]> = (0..x.len()).map(|k| [lies(k).1]).collect();
    let operands: Vec<(&[usize], usize)> = operands.iter().map(|s| (&s[..], 0)).collect();
    let nest = nest(&[rows], &operands);
    let steps: Vec<usize> = (0..x.len()).map(|k| lies(k).0).collect();
    let walk = walk(width, log as u32, (1 << columns) - 1, &steps);
    all_orders(|| {
        let out = gpu.alloc(n * size_of::<T>()).unwrap();
        let mut args: Vec<Arg<'_>> = op.into_iter().map(Arg::I32).collect();
        args.extend(bufs.iter().map(Arg::from));
        args.extend([Arg::from(&out), Arg::Bytes(&walk), Arg::Bytes(&nest)]);
        run::<T, T>(gpu, &TEXT, kernel, 2, &args);
        get::<T>(gpu, &out)
    })
}

fn scanned<T: Real>(op: i32, x: &[T], width: usize) -> Vec<T> {
    let mut out = x.to_vec();
    for row in out.chunks_mut(width) {
        let mut sum = T::new(if op == 2 { 1.0 } else { 0.0 });
        let mut next = |x: &mut T| {
            sum = if op == 2 { sum * *x } else { sum + *x };
            *x = sum;
        };
        if op == 1 {
            row.iter_mut().rev().for_each(&mut next);
        } else {
            row.iter_mut().for_each(&mut next);
        }
    }
    out
}

fn bits<T: Real>(x: &[T]) -> Vec<u64> {
    x.iter()
        .map(|x| {
            if x.value().is_nan() {
                u64::MAX
            } else {
                x.value().to_bits()
            }
        })
        .collect()
}

fn shapes() -> [[usize; 3]; 6] {
    // Rows, width, and the logarithm of rows together.
    [
        [1, 1, 0],
        [1, 3000, 0],
        [3, 1030, 2],
        [70, 45, 5],
        [40, 32, 5],
        [9, 129, 3],
    ]
}

fn rows_in_order<T: Real>(gpu: &Arc<Gpu>) {
    for [rows, width, log] in shapes() {
        let mut x = wave::<T>(rows * width, 1);
        let n = x.len();
        x[n / 2] = T::new(1e30);
        x[n / 3] = T::new(0.0);
        for op in 0..3 {
            for columns in [0, 1] {
                let found = walked(
                    gpu,
                    "walk_rows",
                    Some(op),
                    &[x.clone()],
                    [width, log],
                    columns,
                );
                assert_eq!(
                    bits(&found),
                    bits(&scanned(op, &x, width)),
                    "{op} {rows} {width}"
                );
            }
        }
    }
}

#[test]
fn rows_one_element_after_the_other() {
    let Some(gpu) = gpu() else { return };
    rows_in_order::<f32>(&gpu);
    rows_in_order::<f64>(&gpu);
}

fn derivatives<T: Real>(gpu: &Arc<Gpu>, columns: usize) {
    let (zero, one) = (T::new(0.0), T::new(1.0));
    for [rows, width, log] in shapes() {
        let n = rows * width;
        let mut x = wave::<T>(n, 2);
        x[n / 2] = zero;
        x[n - 1] = T::new(1e35);
        let (y, t) = (scanned(2, &x, width), wave::<T>(n, 3));
        let all = [x.clone(), y.clone(), t.clone()];
        let (mut back, mut forward) = (vec![zero; n], vec![zero; n]);
        for row in 0..rows {
            let (mut sum, mut tangent) = (zero, zero);
            let before = |i: usize| {
                if i.is_multiple_of(width) {
                    one
                } else {
                    y[i - 1]
                }
            };
            for i in (row * width..(row + 1) * width).rev() {
                sum = t[i] + sum;
                let saturated = before(i) == zero && sum.value().abs() == f64::INFINITY;
                back[i] = if saturated { zero } else { before(i) * sum };
                sum = sum * x[i];
            }
            for i in row * width..(row + 1) * width {
                tangent = tangent * x[i] + before(i) * t[i];
                forward[i] = tangent;
            }
        }
        // A card contracts products and sums.
        let close = |found: Vec<T>, expected: &[T], what: &str| {
            for (i, (a, b)) in found.iter().zip(expected).enumerate() {
                let (a, b) = (a.value(), b.value());
                let same = a == b || a.is_nan() && b.is_nan();
                assert!(
                    same || (a - b).abs() <= 64.0 * T::EPSILON * (1.0 + b.abs()),
                    "{what} {i}: {a} {b}"
                );
            }
        };
        let found = walked(
            gpu,
            "walk_product_pullback",
            None,
            &all,
            [width, log],
            columns,
        );
        close(found, &back, "pullback");
        let found = walked(
            gpu,
            "walk_product_pushforward",
            None,
            &all,
            [width, log],
            columns,
        );
        close(found, &forward, "pushforward");
    }
}

#[test]
fn derivatives_of_products() {
    let Some(gpu) = gpu() else { return };
    derivatives::<f32>(&gpu, 0);
    derivatives::<f64>(&gpu, 2);
}

fn sums<T: Real>(gpu: &Arc<Gpu>, rows: usize, width: usize, tiles: usize) {
    let mut x = wave::<T>(rows * width, 4);
    let n = x.len();
    if rows > 1 {
        x[n - width / 2] = T::new(f64::INFINITY);
        x[n - width / 3] = T::new(f64::NEG_INFINITY);
    }
    let xd = put(gpu, &x);
    let parts = width.div_ceil(2048 * tiles);
    for back in [false, true] {
        let found = all_orders(|| {
            let out = gpu.alloc(n * size_of::<T>()).unwrap();
            let sums = gpu.alloc(rows * parts * size_of::<T>()).unwrap();
            let nest = nest(&[rows], &[(&[width], 0)]);
            let sizes = [width, parts, tiles].map(|n| Arg::I64(n as i64));
            let back = Arg::U8(back.into());
            if parts > 1 {
                let args = [
                    &[back, (&xd).into(), (&sums).into()],
                    &sizes[..],
                    &[Arg::Bytes(&nest)],
                ];
                run::<T, T>(gpu, &TEXT, "scan_parts", 3, &args.concat());
            }
            let args = [
                &[back, (&xd).into(), (&sums).into(), (&out).into()],
                &sizes[..],
                &[Arg::Bytes(&nest)],
            ];
            run::<T, T>(gpu, &TEXT, "scan_rows", 3, &args.concat());
            get::<T>(gpu, &out)
        });
        let wide: Vec<f64> = x.iter().map(|x| x.value()).collect();
        for (i, (a, b)) in found
            .iter()
            .zip(scanned(i32::from(back), &wide, width))
            .enumerate()
        {
            let a = a.value();
            let same = a == b || a.is_nan() && b.is_nan();
            assert!(
                same || (a - b).abs() <= width as f64 * T::EPSILON,
                "{rows} {width} {i}: {a} {b}"
            );
        }
    }
}

#[test]
fn sums_of_long_rows() {
    let Some(gpu) = gpu() else { return };
    sums::<f32>(&gpu, 5, 2048, 1);
    sums::<f32>(&gpu, 3, 700, 1);
    sums::<f64>(&gpu, 2, 5000, 3);
    sums::<f64>(&gpu, 1, 20_001, 2);
    sums::<f32>(&gpu, 2, 6145, 1);
}
