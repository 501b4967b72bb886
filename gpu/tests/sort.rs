//! Positions in order, of short and long rows.

#[path = "support/nests.rs"]
mod nests;
mod support;

use differentiable_gpu::{Arg, Gpu};
use nests::{Named, ORDER, all_orders, dense, nest, numbers, radix, run};
use std::cmp::Ordering;
use std::sync::Arc;
use support::{get, gpu, put};

fn text() -> String {
    ORDER.to_owned() + differentiable_gpu::text::SORT
}

/// NaN is the largest; equal elements keep their order.
fn expected<T: PartialOrd + Copy>(
    x: &[T],
    width: usize,
    keep: usize,
    descending: bool,
) -> Vec<i64> {
    let order = |a: T, b: T| {
        let nan = |x: T| x.partial_cmp(&x).is_none();
        a.partial_cmp(&b).unwrap_or_else(|| nan(a).cmp(&nan(b)))
    };
    let mut all = Vec::new();
    for row in x.chunks(width) {
        let mut at: Vec<usize> = (0..width).collect();
        at.sort_by(|a, b| match order(row[*a], row[*b]) {
            Ordering::Equal => Ordering::Equal,
            o if descending => o.reverse(),
            o => o,
        });
        all.extend(at[..keep].iter().map(|i| *i as i64));
    }
    all
}

/// Rows of x, of which element i of row r stands at `r * steps[0] + i * steps[1]`.
fn few<T: Named + PartialOrd>(gpu: &Arc<Gpu>, x: &[T], width: usize, keep: usize, chunk: usize) {
    let rows = x.len() / width;
    let piece = width.next_power_of_two().max(2);
    let chunk = chunk.max(piece);
    for descending in [false, true] {
        for transposed in [false, true] {
            let lie: Vec<T> = if transposed {
                (0..x.len())
                    .map(|i| x[i % rows * width + i / rows])
                    .collect()
            } else {
                x.to_vec()
            };
            let (step, row_step) = if transposed { (rows, 1) } else { (1, width) };
            let xd = put(gpu, &lie);
            let found = all_orders(|| {
                let out = gpu.alloc(rows * keep * 8).unwrap();
                let nest = nest(&[rows], &[(&[row_step], 0)]);
                let sizes = [width, step, keep].map(|n| Arg::I64(n as i64));
                let args = [
                    &[(&xd).into(), (&out).into()],
                    &sizes[..],
                    &[
                        Arg::U32(piece as u32),
                        Arg::U32(chunk as u32),
                        Arg::U8(descending.into()),
                        Arg::Bytes(&nest),
                    ],
                ];
                run::<T, T>(gpu, &text(), "sort_rows", 2, &args.concat());
                get::<i64>(gpu, &out)
            });
            let what = (T::NAME, width, keep, descending, transposed);
            assert_eq!(found, expected(x, width, keep, descending), "{what:?}");
        }
    }
}

fn many<K: Named, T: Named + PartialOrd>(
    gpu: &Arc<Gpu>,
    x: &[T],
    width: usize,
    keep: usize,
    bits: u32,
) {
    let rows = x.len() / width;
    let xd = put(gpu, x);
    for descending in [false, true] {
        let found = all_orders(|| {
            let keys = gpu.alloc(x.len() * size_of::<K>()).unwrap();
            let nest = nest(&[x.len()], &[(&dense(&[x.len()]), 0)]);
            let args = [
                (&xd).into(),
                (&keys).into(),
                Arg::U8(descending.into()),
                Arg::Bytes(&nest),
            ];
            run::<T, T>(gpu, &text(), "sort_keys", 3, &args);
            let (_, order) = radix::<K>(gpu, keys, rows, width, bits);
            let (order, out) = (put(gpu, &order), gpu.alloc(rows * keep * 8).unwrap());
            let sizes = [rows * keep, width, keep].map(|n| Arg::I64(n as i64));
            let args = [&[(&order).into(), (&out).into()], &sizes[..]].concat();
            run::<T, T>(gpu, &text(), "sort_first", 3, &args);
            get::<i64>(gpu, &out)
        });
        assert_eq!(
            found,
            expected(x, width, keep, descending),
            "{} {width} {keep} {descending}",
            T::NAME
        );
    }
}

fn special(x: u64) -> f64 {
    match x % 11 {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => f64::NEG_INFINITY,
        3 => 0.0,
        4 => -0.0,
        5 => -f64::NAN,
        6 => 1e-40,
        _ => (x % 1000) as f64 - 500.5,
    }
}

fn f64s(n: usize) -> Vec<f64> {
    numbers(n, 1).map(special).collect()
}

fn f32s(n: usize) -> Vec<f32> {
    numbers(n, 2).map(|x| special(x) as f32).collect()
}

#[test]
fn short_rows() {
    let Some(gpu) = gpu() else { return };
    few(&gpu, &f32s(70), 1, 1, 64);
    few(&gpu, &f32s(7 * 33), 7, 3, 16);
    few(&gpu, &f64s(5 * 31), 31, 31, 64);
    few(&gpu, &f64s(2 * 700), 700, 699, 0);
    few(&gpu, &f32s(2048), 2048, 10, 0);
    let whole = |n| numbers(n, 3).map(|x| x as i64 - (1 << 52));
    few(
        &gpu,
        &whole(5 * 20)
            .map(|x| if x % 3 == 0 { i64::MIN } else { x })
            .collect::<Vec<_>>(),
        20,
        20,
        64,
    );
    few(
        &gpu,
        &whole(5 * 20).map(|x| x as u32).collect::<Vec<_>>(),
        20,
        20,
        64,
    );
    few(
        &gpu,
        &whole(5 * 20).map(|x| x as u8 % 5).collect::<Vec<_>>(),
        20,
        20,
        64,
    );
    few(
        &gpu,
        &f32s(60)
            .into_iter()
            .map(half::bf16::from_f32)
            .collect::<Vec<_>>(),
        20,
        20,
        64,
    );
    few(
        &gpu,
        &f32s(60)
            .into_iter()
            .map(half::f16::from_f32)
            .collect::<Vec<_>>(),
        20,
        20,
        64,
    );
}

#[test]
fn long_rows() {
    let Some(gpu) = gpu() else { return };
    many::<u32, f32>(&gpu, &f32s(2 * 5000), 5000, 77, 32);
    many::<i64, f64>(&gpu, &f64s(2 * 2100), 2100, 2100, 64);
    many::<u32, f32>(&gpu, &f32s(9000), 9000, 9000, 32);
    let bytes: Vec<u8> = numbers(4097, 3).map(|x| x as u8).collect();
    many::<u32, u8>(&gpu, &bytes, 4097, 4097, 8);
    let whole: Vec<i64> = numbers(2049, 4).map(|x| (x % 3000) as i64 - 1500).collect();
    many::<i64, i64>(&gpu, &whole, 2049, 1, 64);
}
