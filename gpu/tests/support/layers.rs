//! What the tests of layers share: numbers of two types, kernels by their files, structs of sizes, comparison.
#![allow(dead_code)]

use super::support::{Number, real, set_order};
use differentiable_gpu::{Arg, Gpu, Key, Launch, Source};
use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

#[allow(unused_imports, reason = "not all tests have windows")]
pub use differentiable_gpu::text::{BASE, FAULT, WINDOWS};

/// A number of a kernel's type `T`.
pub trait Real: Number + PartialEq + Debug {
    const NAME: &str;
    /// What rounding may do to a sum of a few products.
    const ERROR: f64;
    fn new(x: f64) -> Self;
    fn value(self) -> f64;
}

impl Real for f32 {
    const NAME: &str = "float";
    const ERROR: f64 = 2e-5;
    fn new(x: f64) -> Self {
        x as f32
    }
    fn value(self) -> f64 {
        f64::from(self)
    }
}

impl Real for f64 {
    const NAME: &str = "double";
    const ERROR: f64 = 1e-13;
    fn new(x: f64) -> Self {
        x
    }
    fn value(self) -> f64 {
        self
    }
}

/// Numbers between −1 and 1.
pub fn wave<T: Real>(n: usize, seed: f64) -> Vec<T> {
    (0..n)
        .map(|i| T::new((i as f64 * seed + seed).sin()))
        .collect()
}

/// A struct whose fields have 64 bits each.
#[derive(Default)]
pub struct Sizes(pub Vec<u8>);

impl Sizes {
    pub fn push(mut self, all: &[usize]) -> Self {
        for n in all {
            self.0.extend_from_slice(&(*n as u64).to_ne_bytes());
        }
        self
    }
    pub fn real(mut self, x: f64) -> Self {
        self.0.extend_from_slice(&x.to_ne_bytes());
        self
    }
    pub fn arg(&self) -> Arg<'_> {
        Arg::Bytes(&self.0)
    }
}

/// Runs a kernel of the module with this text, for elements of type `T`, in blocks of 256 threads.
pub fn run<T: Real>(gpu: &Gpu, text: &str, kernel: &str, blocks: usize, args: &[Arg<'_>]) {
    run_threads::<T>(gpu, text, kernel, [blocks as u32, 256], args);
}

/// The same with blocks of so many threads.
pub fn run_threads<T: Real>(
    gpu: &Gpu,
    text: &str,
    kernel: &str,
    [blocks, threads]: [u32; 2],
    args: &[Arg<'_>],
) {
    let name = T::NAME;
    let source = || {
        let whole = format!("{BASE}{FAULT}typedef {name} T;\ntypedef {name} U;\n{text}");
        Source::new("layers", whole)
    };
    let module = gpu.module(Key::of((text, name)), source);
    let kernel = module
        .and_then(|module| module.kernel(kernel))
        .unwrap_or_else(|e| panic!("{e}"));
    let launch = Launch {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        shared: 0,
    };
    // SAFETY: the arguments are those of the kernel.
    unsafe { gpu.launch(&kernel, launch, args) };
}

/// Calls `f` with each order of threads and blocks; all results have the same bits. On a card there is one order.
pub fn all_orders<T: Real>(f: impl Fn() -> Vec<T>) -> Vec<T> {
    if real() {
        return f();
    }
    // The order is that of the process.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let results = [0, 1, 2].map(|order| {
        set_order(order);
        f()
    });
    set_order(0);
    let bits = |x: &[T]| x.iter().map(|x| x.value().to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&results[0]), bits(&results[1]), "reversed");
    assert_eq!(bits(&results[0]), bits(&results[2]), "shuffled");
    results.into_iter().next().unwrap()
}

/// Whether the results are those expected, but for rounding; NaN is NaN.
pub fn close<T: Real>(what: &str, found: &[T], expected: &[f64]) {
    close_to(what, found, expected, T::ERROR);
}

/// The same with an error of one's own.
pub fn close_to<T: Real>(what: &str, found: &[T], expected: &[f64], most: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        let x = x.value();
        let same = x == *y || x.is_nan() && y.is_nan();
        let error = (x - y).abs() / (1.0 + y.abs());
        assert!(same || error <= most, "{what} at {i}: {x}, not {y}");
    }
}
