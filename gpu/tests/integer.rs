//! Whole numbers, their sums, and triangles of matrices.

#[path = "support/nests.rs"]
mod nests;
mod support;

use differentiable_gpu::{Arg, Gpu, GpuError};
use nests::{Named, all_orders, nest, numbers, run};
use std::sync::Arc;
use support::{get, gpu, put};

const TEXT: &str = differentiable_gpu::text::INTEGER;

macro_rules! arithmetic {
    ($gpu:expr, $($ty:ty),*) => { $({
        let special = [<$ty>::MIN, <$ty>::MAX, 0, 1, 2, 3, <$ty>::MAX - 1, (0 as $ty).wrapping_sub(1)];
        let numbers: Vec<$ty> = special.into_iter().chain(numbers(6, 5).map(|x| x as $ty)).collect();
        let n = numbers.len();
        let x = put($gpu, &numbers);
        type Op = fn($ty, $ty) -> $ty;
        let ops: [Op; 7] = [<$ty>::wrapping_add, <$ty>::wrapping_sub, <$ty>::wrapping_mul,
            |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }, |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) },
            Ord::max, Ord::min];
        for (op, f) in ops.iter().enumerate() {
            // All pairs.
            let out = $gpu.alloc(n * n * size_of::<$ty>()).unwrap();
            let nest = nest(&[n, n], &[(&[1, 0], 0), (&[0, 1], 0), (&[n, 1], 0)]);
            let args = [Arg::I32(op as i32), Arg::U32(9), (&x).into(), (&x).into(), (&out).into(), Arg::Fault,
                Arg::Bytes(&nest)];
            run::<$ty, $ty>($gpu, TEXT, "integer", 1, &args);
            if op == 3 || op == 4 {
                let Err(GpuError::Index { operation: 9, position, found: 0, len: 0 }) = $gpu.synchronise() else {
                    panic!("a division by zero is reported")
                };
                assert_eq!(numbers[position as usize % n], 0);
            }
            let expected: Vec<$ty> = (0..n * n).map(|i| f(numbers[i / n], numbers[i % n])).collect();
            assert_eq!(get::<$ty>($gpu, &out), expected, "operation {op}");
        }
    })* };
}

#[test]
fn arithmetic_wraps_around() {
    let Some(gpu) = gpu() else { return };
    arithmetic!(&gpu, i64, u32, u8);
}

fn sums<T: Named + Into<i64>>(gpu: &Arc<Gpu>, x: &[T], rows: usize, parts: usize) {
    let width = x.len() / rows;
    let xd = put(gpu, x);
    // Rows, and columns.
    for (step, row_step) in [(1, width), (rows, 1)] {
        let found = all_orders(|| {
            let out = put(gpu, &vec![0i64; rows]);
            let nest = nest(&[rows], &[(&[row_step], 0)]);
            let sizes = [width, step, parts].map(|n| Arg::I64(n as i64));
            let args = [
                &[(&xd).into(), (&out).into()],
                &sizes[..],
                &[Arg::Bytes(&nest)],
            ];
            run::<T, T>(gpu, TEXT, "sum_rows", 2, &args.concat());
            get::<i64>(gpu, &out)
        });
        let sum = |row: usize| {
            (0..width).fold(0, |sum: i64, i| {
                sum.wrapping_add(x[row * row_step + i * step].into())
            })
        };
        assert_eq!(found, (0..rows).map(sum).collect::<Vec<_>>());
    }
}

#[test]
fn sums_wrap_around() {
    let Some(gpu) = gpu() else { return };
    let x: Vec<i64> = numbers(3 * 700, 6)
        .map(|x| (x as i64).wrapping_mul(4097))
        .collect();
    sums(&gpu, &x, 3, 1);
    sums(&gpu, &x, 1, 33);
    sums(&gpu, &x, 700, 1);
    sums(
        &gpu,
        &numbers(999, 6).map(|x| x as u8 % 2).collect::<Vec<_>>(),
        3,
        2,
    );
}

#[test]
fn triangles() {
    let Some(gpu) = gpu() else { return };
    let (count, rows, columns) = (3, 5, 7);
    let n = count * rows * columns;
    let x: Vec<f32> = (0..n).map(|i| i as f32 + 1.0).collect();
    for k in -13i64..=13 {
        for upper in [false, true] {
            let out = put(&gpu, &x);
            let sizes = [n, rows, columns].map(|n| Arg::I64(n as i64));
            let args = [
                &[Arg::U8(upper.into()), Arg::I64(k), (&out).into()],
                &sizes[..],
            ]
            .concat();
            run::<f32, f32>(
                &gpu,
                differentiable_gpu::text::TRIANGLE,
                "triangle",
                1,
                &args,
            );
            let expected = (0..n).map(|i| {
                let (row, column) = ((i / columns % rows) as i64, (i % columns) as i64);
                let kept = if upper {
                    column >= row + k
                } else {
                    column <= row + k
                };
                if kept { x[i] } else { 0.0 }
            });
            assert_eq!(
                get::<f32>(&gpu, &out),
                expected.collect::<Vec<_>>(),
                "{k} {upper}"
            );
        }
    }
}
