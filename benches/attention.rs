//! Attention in tiles against the same by two products and a softmax, all of this library: forward, and forward with the
//! gradients of queries, keys and values, in f32. With the bytes that each takes at its peak.
//!
//! `cargo bench -p differentiable --bench attention` (`-- 512` for one number of positions); add `-- --quick` to only check that it
//! runs.

mod support;

use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use support::{Effort, assert_close, case, compare};

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes that `f` takes at its peak, on a thread of its own: the buffers that a thread keeps for later would
/// hide them.
fn peak<R: Send>(f: impl FnOnce() -> R + Send) -> usize {
    std::thread::scope(|s| {
        let run = || {
            let before = LIVE.load(Relaxed);
            PEAK.store(before, Relaxed);
            let _kept = f();
            PEAK.load(Relaxed) - before
        };
        s.spawn(run).join().expect("it runs")
    })
}

dim!(Heads, Time, Width);

type X = Tensor<(Heads, Time, Width)>;
type Mask = Tensor<(Time, Time)>;

#[differentiable]
fn tiled(q: &X, k: &X, v: &X) -> X {
    q.attention(k, v, Attention::new())
}

#[differentiable]
fn composed(q: &X, k: &X, v: &X, #[constant] scale: f32) -> X {
    let scores = q.matmul(&k.transpose::<1, 2>()) * scale;
    scores.softmax::<-1>().matmul(v)
}

#[differentiable]
fn tiled_causal(q: &X, k: &X, v: &X) -> X {
    q.attention(k, v, Attention::new().causal())
}

#[differentiable]
fn composed_causal(q: &X, k: &X, v: &X, #[constant] scale: f32, #[constant] mask: &Mask) -> X {
    let scores = q.matmul(&k.transpose::<1, 2>()) * scale;
    (scores + mask).softmax::<-1>().matmul(v)
}

fn waves([heads, time, width]: [usize; 3], seed: usize) -> X {
    let wave = |i: usize| ((i + seed) * 7919 % 10_007) as f32 / 2500.0 - 2.0;
    Tensor::from_fn_with((Heads(heads), Time(time), Width(width)), wave)
}

fn numbers(x: &X) -> Vec<f64> {
    x.to_vec().into_iter().map(f64::from).collect()
}

/// Both ways of one computation: the values agree, the times, the bytes.
fn pair<F, G, A, B>(effort: Effort, title: &str, a: &A, b: &B, ct: &X)
where
    F: DifferentiableFn<A, Output = X>,
    G: DifferentiableFn<B, Output = X>,
    A: Differentiable + Sync,
    B: Differentiable + Sync,
{
    assert_close(title, &numbers(&F::call(a)), &numbers(&G::call(b)), 1e-4);
    compare(
        effort,
        &format!("{title}: value"),
        1.0,
        case("composed", || G::call(b)),
        vec![case("tiles", || F::call(a))],
    );
    compare(
        effort,
        &format!("{title}: value and gradients"),
        1.0,
        case("composed", || G::vjp(b, ct.clone())),
        vec![case("tiles", || F::vjp(a, ct.clone()))],
    );
    let bytes = [
        peak(|| drop(G::call(b))),
        peak(|| drop(F::call(a))),
        peak(|| drop(G::vjp(b, ct.clone()))),
        peak(|| drop(F::vjp(a, ct.clone()))),
    ];
    let [a, b, c, d] = bytes.map(|n| n as f64 / 1024.0);
    println!(
        "  KiB at the peak, composed and tiles: value {a:.0} {b:.0}, with gradients {c:.0} {d:.0}\n"
    );
}

fn size(effort: Effort, sizes: [usize; 3]) {
    let [heads, time, width] = sizes;
    let [q, k, v, ct] = [1, 2, 3, 4].map(|seed| waves(sizes, seed));
    let scale = 1.0 / (width as f32).sqrt();
    let hidden = |i: usize| {
        if i % time > i / time {
            f32::NEG_INFINITY
        } else {
            0.0
        }
    };
    let mask: Mask = Tensor::from_fn_with((Time(time), Time(time)), hidden);
    let args = (q.clone(), k.clone(), v.clone());
    let name = format!("{time} positions, {heads} heads of {width}");
    let scaled = (q.clone(), k.clone(), v.clone(), scale);
    pair::<tiled, composed, _, _>(effort, &name, &args, &scaled, &ct);
    let name = format!("causal, {name}");
    let masked = (q, k, v, scale, mask);
    pair::<tiled_causal, composed_causal, _, _>(effort, &name, &args, &masked, &ct);
}

fn main() {
    let effort = Effort::from_args();
    let chosen: Option<usize> = std::env::args().find_map(|a| a.parse().ok());
    let chosen = |sizes: &[usize; 3]| chosen.is_none_or(|time| time == sizes[1]);
    for sizes in [[64, 64, 32], [8, 512, 64], [2, 2048, 64]]
        .into_iter()
        .filter(chosen)
    {
        size(effort, sizes);
    }
}
