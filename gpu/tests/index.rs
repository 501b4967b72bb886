//! Elements picked by number and put or added where a number says, against plain loops. All results are exact.

#[path = "support/nests.rs"]
mod nests;
mod support;

use differentiable_gpu::{Arg, Gpu, GpuError, Pattern};
use nests::{Named, ORDER, all_orders, dense, nest, numbers, radix, run};
use std::sync::Arc;
use support::{get, gpu, put};

fn text() -> String {
    ORDER.to_owned() + differentiable_gpu::text::INDEX
}

/// An element and a number from a whole number.
trait From64: Named {
    fn of(n: u64) -> Self;
    fn plus(self, x: Self) -> Self;
}
macro_rules! from64 {
    ($($ty:ty),*) => { $(impl From64 for $ty {
        fn of(n: u64) -> Self { (n % 1009) as $ty / 7 as $ty }
        fn plus(self, x: Self) -> Self { self + x }
    })* };
}
from64!(f32, f64);
trait Count: Named {
    fn count(n: usize) -> Self;
}
impl Count for i64 {
    fn count(n: usize) -> Self {
        n as i64
    }
}
impl Count for u32 {
    fn count(n: usize) -> Self {
        n as u32
    }
}

fn elements<T: From64>(n: usize, seed: u64) -> Vec<T> {
    numbers(n, seed).map(T::of).collect()
}

fn picks(n: usize, below: usize, seed: u64) -> Vec<usize> {
    numbers(n, seed).map(|x| x as usize % below).collect()
}

fn as_index<U: Count>(picks: &[usize]) -> Vec<U> {
    picks.iter().map(|p| U::count(*p)).collect()
}

fn size(n: usize) -> Arg<'static> {
    Arg::I64(n as i64)
}

const GATHER: Arg<'static> = Arg::U32(3);

fn picked<T: From64, U: Count>(gpu: &Arc<Gpu>) {
    let text = text();
    // Rows of a transposed matrix: x[i, j] is at j * n + i.
    let (n, count, inner) = (9, 13, 5);
    let (x, p) = (elements::<T>(n * inner, 1), picks(count, n, 2));
    let (xd, index) = (put(gpu, &x), put(gpu, &as_index::<U>(&p)));
    let found = all_orders(|| {
        let out = gpu.alloc(count * inner * size_of::<T>()).unwrap();
        let nest = nest(&[count, inner], &[(&[1, 0], 0), (&[0, n], 0)]);
        let sizes = [n, 1, inner, count].map(size);
        let args = [
            &[GATHER, (&index).into(), (&xd).into(), (&out).into()],
            &sizes[..],
            &[Arg::Fault, Arg::Bytes(&nest)],
        ];
        run::<T, U>(gpu, &text, "pick", 2, &args.concat());
        get::<T>(gpu, &out)
    });
    let expected: Vec<T> = p
        .iter()
        .flat_map(|p| (0..inner).map(|j| x[j * n + *p]))
        .collect();
    assert_eq!(found, expected);
    // Along the middle axis of a part of a larger tensor, with a number for each element.
    let (outer, n, count, inner, offset) = (3, 7, 4, 6, 2);
    let (x, p) = (
        elements::<T>(offset + outer * n * inner, 3),
        picks(outer * count * inner, n, 4),
    );
    let (xd, index) = (put(gpu, &x), put(gpu, &as_index::<U>(&p)));
    let out = gpu.alloc(p.len() * size_of::<T>()).unwrap();
    let sizes = [outer, count, inner];
    let nest = nest(&sizes, &[(&dense(&sizes), 0), (&[n * inner, 0, 1], offset)]);
    let sizes = [n, inner, 1, p.len()].map(size);
    let args = [
        &[GATHER, (&index).into(), (&xd).into(), (&out).into()],
        &sizes[..],
        &[Arg::Fault, Arg::Bytes(&nest)],
    ];
    run::<T, U>(gpu, &text, "pick", 1, &args.concat());
    let at = |i: usize| offset + (i / (count * inner) * n + p[i]) * inner + i % inner;
    assert_eq!(
        get::<T>(gpu, &out),
        (0..p.len()).map(|i| x[at(i)]).collect::<Vec<_>>()
    );
    // Entries in pieces of 16 bytes.
    let (outer, n, count, inner) = (3, 11, 8, 24);
    let (x, p) = (elements::<T>(outer * n * inner, 5), picks(count, n, 6));
    let (xd, index) = (put(gpu, &x), put(gpu, &as_index::<U>(&p)));
    let out = gpu.alloc(outer * count * inner * size_of::<T>()).unwrap();
    let pieces = inner * size_of::<T>() / 16;
    let sizes = [outer * count * pieces, n, count, pieces, pieces, n * pieces].map(size);
    let args = [
        &[
            GATHER,
            (&index).into(),
            size(1),
            (&xd).into(),
            (&out).into(),
        ],
        &sizes[..],
        &[Arg::Fault],
    ];
    run::<T, U>(gpu, &text, "pick_entries", 3, &args.concat());
    let at = |i: usize| (i / (count * inner) * n + p[i / inner % count]) * inner + i % inner;
    assert_eq!(
        get::<T>(gpu, &out),
        (0..outer * count * inner)
            .map(|i| x[at(i)])
            .collect::<Vec<_>>()
    );
}

#[test]
fn picked_elements() {
    let Some(gpu) = gpu() else { return };
    picked::<f32, i64>(&gpu);
    picked::<f64, u32>(&gpu);
}

/// `out[o, picks[o, i, j], j] ← f(out, x[o, i, j])`, in the order of i.
fn each<T: From64>(
    out: &mut [T],
    x: &[T],
    picks: &[usize],
    [n, count, inner]: [usize; 3],
    f: impl Fn(T, T) -> T,
) {
    for (i, (x, p)) in x.iter().zip(picks).enumerate() {
        let to = &mut out[(i / (count * inner) * n + p) * inner + i % inner];
        *to = f(*to, *x);
    }
}

fn added<T: From64, U: Count>(gpu: &Arc<Gpu>, outer: usize, sizes: [usize; 3], distinct: usize) {
    let text = text();
    let [n, count, inner] = sizes;
    let all = outer * count * inner;
    let (x, before) = (elements::<T>(all, 7), elements::<T>(outer * n * inner, 8));
    let p = picks(all, distinct, 9);
    let (xd, index) = (put(gpu, &x), put(gpu, &as_index::<U>(&p)));
    let mut expected = before.clone();
    each(&mut expected, &x, &p, sizes, From64::plus);
    let in_one_pass = |kernel: &str, lines: usize, sizes: &[usize]| {
        let found = all_orders(|| {
            let out = put(gpu, &before);
            let sizes: Vec<_> = sizes.iter().map(|n| size(*n)).collect();
            let args = [
                &[
                    GATHER,
                    (&index).into(),
                    (&xd).into(),
                    (&out).into(),
                    size(lines),
                ],
                &sizes[..],
                &[Arg::Fault],
            ];
            run::<T, U>(gpu, &text, kernel, 2, &args.concat());
            get::<T>(gpu, &out)
        });
        assert_eq!(found, expected, "{kernel} {sizes:?}");
    };
    in_one_pass("add_lines", outer * inner, &sizes);
    if inner == 1 {
        in_one_pass("add_rows", outer, &[n, count]);
    }
    // By sorting the elements that numbers name.
    let found = all_orders(|| {
        let (keys, order) = order_of::<T, U>(gpu, &index, outer * n * inner, all, sizes);
        let out = put(gpu, &before);
        let steps = [all, outer * n * inner, all, 1, 1, 0].map(size);
        let args = [
            &[(&keys).into(), (&order).into(), (&xd).into(), (&out).into()],
            &steps[..],
        ];
        run::<T, U>(gpu, &text, "add_stretches", 3, &args.concat());
        get::<T>(gpu, &out)
    });
    assert_eq!(found, expected, "add_stretches {sizes:?}");
    put_there::<T, U>(gpu, &text, outer, sizes, &before, &x, &p);
}

/// Keys and positions in order, of the elements of `below` that numbers name.
fn order_of<T: Named, U: Count>(
    gpu: &Arc<Gpu>,
    index: &differentiable_gpu::Buffer,
    below: usize,
    len: usize,
    sizes: [usize; 3],
) -> (differentiable_gpu::Buffer, differentiable_gpu::Buffer) {
    let text = text();
    let keys = gpu.alloc(4 * len).unwrap();
    let sizes = [len, sizes[0], sizes[1], sizes[2]].map(size);
    if len > 2048 {
        let args = [
            &[GATHER, index.into(), (&keys).into()],
            &sizes[..],
            &[Arg::Fault],
        ]
        .concat();
        run::<T, U>(gpu, &text, "targets", 3, &args);
        let bits = usize::BITS - (below - 1).max(1).leading_zeros();
        let (keys, order) = radix::<u32>(gpu, keys, 1, len, bits);
        return (put(gpu, &keys), put(gpu, &order));
    }
    let order = gpu.alloc(4 * len).unwrap();
    let room = Arg::U32(len.next_power_of_two().max(2) as u32);
    let args = [
        &[GATHER, index.into(), (&keys).into(), (&order).into(), room],
        &sizes[..],
        &[Arg::Fault],
    ];
    run::<T, U>(gpu, &text, "few_targets", 1, &args.concat());
    (keys, order)
}

fn put_there<T: From64, U: Count>(
    gpu: &Arc<Gpu>,
    text: &str,
    outer: usize,
    sizes: [usize; 3],
    before: &[T],
    x: &[T],
    p: &[usize],
) {
    let [n, count, inner] = sizes;
    let (xd, index) = (put(gpu, x), put(gpu, &as_index::<U>(p)));
    let found = all_orders(|| {
        let (out, owner) = (put(gpu, before), gpu.alloc(4 * outer * n * inner).unwrap());
        gpu.fill(&owner, 4 * outer * n * inner, Pattern::Byte(0));
        let sizes = [x.len(), n, count, inner].map(size);
        let args = [
            &[GATHER, (&index).into(), (&owner).into()],
            &sizes[..],
            &[Arg::Fault],
        ];
        run::<T, U>(gpu, text, "own", 2, &args.concat());
        let args = [
            &[
                GATHER,
                (&index).into(),
                (&owner).into(),
                (&xd).into(),
                (&out).into(),
            ],
            &sizes[..],
            &[Arg::Fault],
        ];
        run::<T, U>(gpu, text, "put", 2, &args.concat());
        get::<T>(gpu, &out)
    });
    let mut expected = before.to_vec();
    each(&mut expected, x, p, sizes, |_, x| x);
    assert_eq!(found, expected, "put {sizes:?}");
}

#[test]
fn added_and_put_along() {
    let Some(gpu) = gpu() else { return };
    added::<f32, i64>(&gpu, 3, [5, 7, 4], 5);
    added::<f64, u32>(&gpu, 11, [50, 70, 1], 20);
    added::<f32, u32>(&gpu, 1, [3, 2500, 1], 3);
    added::<f64, i64>(&gpu, 2, [300, 1300, 2], 290);
    added::<f32, i64>(&gpu, 5, [4, 1, 3], 4);
    added::<f32, i64>(&gpu, 1, [1, 1, 1], 1);
}

fn added_entries<T: From64, U: Count>(
    gpu: &Arc<Gpu>,
    outer: usize,
    [n, count, inner]: [usize; 3],
    distinct: usize,
) {
    let text = text();
    let (x, before) = (
        elements::<T>(outer * count * inner, 1),
        elements::<T>(outer * n * inner, 2),
    );
    let p = picks(count, distinct, 3);
    let (xd, index) = (put(gpu, &x), put(gpu, &as_index::<U>(&p)));
    let found = all_orders(|| {
        let (keys, order) = order_of::<T, U>(gpu, &index, n, count, [n, count, 1]);
        let out = put(gpu, &before);
        let steps = [outer * count * inner, n, count, inner, inner, count * inner].map(size);
        let args = [
            &[(&keys).into(), (&order).into(), (&xd).into(), (&out).into()],
            &steps[..],
        ];
        run::<T, U>(gpu, &text, "add_stretches", 3, &args.concat());
        get::<T>(gpu, &out)
    });
    let mut expected = before;
    let each_pick: Vec<usize> = (0..x.len()).map(|i| p[i / inner % count]).collect();
    each(
        &mut expected,
        &x,
        &each_pick,
        [n, count, inner],
        From64::plus,
    );
    assert_eq!(found, expected);
}

#[test]
fn added_entries_are_in_their_order() {
    let Some(gpu) = gpu() else { return };
    added_entries::<f32, i64>(&gpu, 1, [40, 33, 20], 9);
    added_entries::<f64, u32>(&gpu, 3, [6, 100, 5], 6);
    added_entries::<f32, u32>(&gpu, 1, [5000, 4500, 3], 5000);
    added_entries::<f32, i64>(&gpu, 1, [1, 2100, 2], 1);
    added_entries::<f32, i64>(&gpu, 2, [7, 1, 1], 7);
}

#[test]
fn numbers_out_of_range_are_reported() {
    let Some(gpu) = gpu() else { return };
    let text = text();
    let (x, index) = (put(&gpu, &[1f32, 2.0, 3.0]), put(&gpu, &[0i64, 2, -4, 1]));
    let out = gpu.alloc(32).unwrap();
    let nest = nest(&[4, 2], &[(&[1, 0], 0), (&[0, 0], 0)]);
    let args = [
        &[GATHER, (&index).into(), (&x).into(), (&out).into()],
        &[3, 1, 2, 4].map(size)[..],
        &[Arg::Fault, Arg::Bytes(&nest)],
    ];
    run::<f32, i64>(&gpu, &text, "pick", 1, &args.concat());
    let error = |position, found, len| {
        Err(GpuError::Index {
            operation: 3,
            position,
            found,
            len,
        })
    };
    assert_eq!(gpu.synchronise(), error(2, -4, 3));
    assert_eq!(
        get::<f32>(&gpu, &out),
        [1.0, 1.0, 3.0, 3.0, 1.0, 1.0, 2.0, 2.0]
    );
    let sum = put(&gpu, &[0f32; 3]);
    let large = put(&gpu, &[1u32, 1, 3]);
    let args = [
        &[GATHER, (&large).into(), (&x).into(), (&sum).into()],
        &[1, 3, 3, 1].map(size)[..],
        &[Arg::Fault],
    ];
    run::<f32, u32>(&gpu, &text, "add_lines", 1, &args.concat());
    assert_eq!(gpu.synchronise(), error(2, 3, 3));
    assert_eq!(get::<f32>(&gpu, &sum), [0.0, 3.0, 3.0]);
    run::<f32, i64>(
        &gpu,
        &text,
        "refuse",
        1,
        &[GATHER, (&index).into(), Arg::Fault],
    );
    assert_eq!(gpu.synchronise(), error(0, 0, 0));
}

#[test]
fn elements_of_other_types() {
    let Some(gpu) = gpu() else { return };
    fn check<T: Named>(gpu: &Arc<Gpu>, x: [T; 4]) {
        let (xd, index) = (put(gpu, &x), put(gpu, &[3i64, 0, 3]));
        let out = gpu.alloc(3 * size_of::<T>()).unwrap();
        let nest = nest(&[3], &[(&[1], 0), (&[0], 0)]);
        let args = [
            &[GATHER, (&index).into(), (&xd).into(), (&out).into()],
            &[4, 1, 1, 3].map(size)[..],
            &[Arg::Fault, Arg::Bytes(&nest)],
        ];
        run::<T, i64>(gpu, &text(), "pick", 1, &args.concat());
        assert_eq!(
            T::bytes(&get::<T>(gpu, &out)),
            T::bytes(&[x[3], x[0], x[3]])
        );
    }
    check(&gpu, [1u8, 0, 1, 7]);
    check(&gpu, [1i64, 0, 1, -7]);
    check(&gpu, [1.0, 2.0, 3.0, 4.0].map(half::bf16::from_f32));
}
