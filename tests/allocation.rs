//! The gradient of straight-line scalar code allocates nothing on the heap.
#![allow(missing_docs)]

use differentiable::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<R>(f: impl FnOnce() -> R) -> (R, usize) {
    let before = ALLOCATIONS.with(Cell::get);
    let result = f();
    (result, ALLOCATIONS.with(Cell::get) - before)
}

#[differentiable]
fn straight(x1: f64, x2: f64) -> f64 {
    let a = x1.ln() + x1 * x2 - x2.sin();
    let b = if a > 0.0 { a.sqrt() } else { a * x1 };
    b * inner(a, [x1, x2])
}

#[differentiable]
fn inner(a: f64, p: [f64; 2]) -> f64 {
    (a * p[0]).tanh() + p[1].powi(3)
}

#[differentiable]
fn summed(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        s += x[i] * x[i];
    }
    s
}

#[differentiable]
fn with_a_tape(x: &[f64; 4]) -> f64 {
    let mut s = 1.0;
    for i in 0..4 {
        s = s.sin() * x[i];
    }
    s
}

#[test]
fn straight_line_code_does_not_allocate() {
    let ((_, gradient), count) = allocations(|| straight::value_and_grad(2.0, 5.0));
    assert!(gradient.0.is_finite());
    assert_eq!(count, 0);
    let (_, count) = allocations(|| straight::jvp((2.0, 1.0), (5.0, 0.0)));
    assert_eq!(count, 0);
    // A loop whose reverse reads only its arguments keeps nothing.
    let (g, count) = allocations(|| summed::grad(&[1.0, 2.0, 3.0, 4.0]));
    assert_eq!((g, count), ([2.0, 4.0, 6.0, 8.0], 0));
}

#[test]
fn the_counter_counts() {
    let (_, count) = allocations(|| with_a_tape::grad(&[1.0, 2.0, 3.0, 4.0]));
    assert!(count > 0, "the tape of this loop is on the heap");
}
