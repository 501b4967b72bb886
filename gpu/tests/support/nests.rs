//! What the tests of kernels of two types share: modules, nests, and runs in each order.
#![allow(dead_code)]

use super::support::{Number, get, real, set_order};
use differentiable_gpu::{Arg, Buffer, Gpu, Key, Launch, Source};
use std::sync::{Mutex, PoisonError};

use differentiable_gpu::text::{BASE, FAULT};
#[allow(unused_imports, reason = "not all tests sort")]
pub use differentiable_gpu::text::{ORDER, RADIX};

/// Types of kernels.
pub trait Named: Number + PartialEq + std::fmt::Debug {
    const NAME: &str;
}
macro_rules! named {
    ($($ty:ty: $name:literal),*) => { $(impl Named for $ty { const NAME: &str = $name; })* };
}
named!(f32: "float", f64: "double", i64: "i64", u32: "u32", u8: "u8", half::bf16: "bf16", half::f16: "f16");
impl Number for u8 {}

/// Runs a kernel of the module with this text, where `T` and `U` are these types of C++.
pub fn run<T: Named, U: Named>(
    gpu: &Gpu,
    text: &str,
    kernel: &str,
    blocks: usize,
    args: &[Arg<'_>],
) {
    let (t, u) = (T::NAME, U::NAME);
    let source = || {
        let whole = format!("{BASE}{FAULT}typedef {t} T;\ntypedef {u} U;\n{text}");
        Source::new("kernels", whole)
    };
    let module = gpu.module(Key::of((text, t, u)), source);
    let kernel = module
        .and_then(|module| module.kernel(kernel))
        .unwrap_or_else(|e| panic!("{e}"));
    let launch = Launch {
        grid: [blocks as u32, 1, 1],
        block: [256, 1, 1],
        shared: 0,
    };
    // SAFETY: the arguments are those of the kernel.
    unsafe { gpu.launch(&kernel, launch, args) };
}

/// The bytes of `Nest<K>`: sizes, and strides and offset of each operand. Axes are not merged.
pub fn nest(sizes: &[usize], operands: &[(&[usize], usize)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut number = |n: usize| bytes.extend_from_slice(&(n as u64).to_ne_bytes());
    number(sizes.iter().product());
    let dense = operands
        .iter()
        .enumerate()
        .fold(0, |bits, (k, (strides, _))| {
            bits | usize::from(dense(sizes) == *strides) << k
        });
    number(sizes.len() | dense << 32);
    let padded = |of: &[usize]| {
        let mut all = [0; 6];
        all[..of.len()].copy_from_slice(of);
        all
    };
    padded(sizes).into_iter().for_each(&mut number);
    for (strides, _) in operands {
        padded(strides).into_iter().for_each(&mut number);
    }
    operands.iter().for_each(|(_, offset)| number(*offset));
    bytes
}

/// The strides of a dense tensor.
pub fn dense(sizes: &[usize]) -> Vec<usize> {
    (0..sizes.len())
        .map(|a| sizes[a + 1..].iter().product())
        .collect()
}

/// Calls `f` with each order of threads and blocks; all results have the same bits. On a card there is one order.
pub fn all_orders<N: Number>(f: impl Fn() -> Vec<N>) -> Vec<N> {
    if real() {
        return f();
    }
    // The order is that of the process.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut results = [0, 1, 2].map(|order| {
        set_order(order);
        f()
    });
    set_order(0);
    assert!(N::bytes(&results[0]) == N::bytes(&results[1]), "reversed");
    assert!(N::bytes(&results[0]) == N::bytes(&results[2]), "shuffled");
    std::mem::take(&mut results[0])
}

/// Numbers that look random.
pub fn numbers(n: usize, seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..n).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    })
}

/// Sorts each row of keys by radix.cu, by their lowest `bits`: the keys in order, and their positions.
pub fn radix<K: Named>(
    gpu: &std::sync::Arc<Gpu>,
    keys: Buffer,
    rows: usize,
    width: usize,
    bits: u32,
) -> (Vec<K>, Vec<u32>) {
    let tiles = width.div_ceil(2048);
    let size = size_of::<K>();
    let alloc = |bytes: usize| gpu.alloc(bytes).unwrap();
    let (counts, totals) = (alloc(rows * tiles * 1024), alloc(rows * 1024));
    let (mut from, mut values) = (keys, None);
    for pass in 0..bits.div_ceil(8) {
        let (to, moved) = (alloc(rows * width * size), alloc(rows * width * 4));
        let shift = Arg::I32(8 * pass as i32);
        let sizes = [rows * tiles, tiles, width].map(|n| Arg::I64(n as i64));
        let args = [&[(&from).into(), (&counts).into()], &sizes[..], &[shift]].concat();
        run::<K, u32>(gpu, RADIX, "radix_count", (rows * tiles).min(7), &args);
        let lists = [
            (&counts).into(),
            (&totals).into(),
            (256 * rows as i64).into(),
            (tiles as i64).into(),
        ];
        let sums = if tiles <= 3 {
            "radix_sums_few"
        } else {
            "radix_sums"
        };
        run::<K, u32>(gpu, RADIX, sums, 5, &lists);
        let values_arg = values.as_ref().map_or(Arg::Address(0), Arg::from);
        let args = [
            &[
                (&from).into(),
                values_arg,
                (&to).into(),
                (&moved).into(),
                (&counts).into(),
                (&totals).into(),
            ],
            &sizes[..],
            &[shift],
        ]
        .concat();
        run::<K, u32>(gpu, RADIX, "radix_move", (rows * tiles).min(6), &args);
        (from, values) = (to, Some(moved));
    }
    (get(gpu, &from), get(gpu, &values.expect("a pass")))
}
