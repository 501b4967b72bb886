//! Attention takes memory in proportion to the number of positions, forward, with gradients and with a tangent.
#![allow(missing_docs)]

use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

// Of all threads: tiles are worked on by several.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

fn count(layout: Layout) {
    let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout);
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

/// The bytes that `f` takes at its peak, on a thread of its own, which keeps no buffers from before.
fn peak<R: Send>(f: impl FnOnce() -> R + Send) -> usize {
    let run = || {
        let before = LIVE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let _result = f();
        PEAK.load(Relaxed) - before
    };
    std::thread::scope(|s| s.spawn(run).join().expect("it runs"))
}

dim!(Time);
type X = Tensor<(Time, Sz<16>)>;

#[differentiable]
fn tiled(q: &X, k: &X, v: &X) -> X {
    q.attention(k, v, Attention::new().causal().dropout(0.1, 1))
}

#[differentiable]
fn composed(q: &X, k: &X, v: &X) -> X {
    q.matmul(&k.transpose::<0, 1>()).softmax::<-1>().matmul(v)
}

/// Forward, with gradients, with a tangent.
fn bytes<F>(time: usize) -> [usize; 3]
where
    F: DifferentiableFn<(X, X, X), Output = X>,
{
    let x: X = Tensor::from_fn_with((Time(time), Sz), |i| (i % 17) as f32 / 8.0 - 1.0);
    let args = (x.clone(), x.clone(), x.clone());
    // Threads of the pool keep their tiles: not counted.
    let _ = (F::vjp(&args, x.clone()), F::jvp(&args, &args));
    [
        peak(|| F::call(&args)),
        peak(|| F::vjp(&args, x.clone())),
        peak(|| F::jvp(&args, &args)),
    ]
}

#[test]
fn memory_grows_with_positions_not_with_pairs_of_them() {
    let (short, long) = (1024, 8192);
    let few = bytes::<tiled>(short);
    let many = bytes::<tiled>(long);
    for (few, many) in few.into_iter().zip(many) {
        // Eight times the positions; and tiles, of a fixed size.
        assert!(many < 8 * few + (1 << 19), "{few} bytes, then {many}");
        // The scores alone would take 4·8192² bytes.
        assert!(many < 4 * long * long / 16, "{many} bytes");
    }
    // The composition does take what is saved.
    let [value, gradients, _] = bytes::<composed>(short);
    assert!(value >= 4 * short * short && gradients >= 4 * short * short);
}
