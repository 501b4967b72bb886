//! `#[differentiable(explain)]`: the report names what is there, and its bytes are those of the tape.
#![allow(missing_docs)]

use differentiable::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;

thread_local! {
    static TAPES: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Notes the size of every long tape: buffers of more than 16 KiB are aligned to 64 bytes, those of `Vec<f64>` to 8.
struct Counting;

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() == 64 {
            let _ = TAPES.try_with(|t| {
                // The list itself may allocate, with another alignment.
                if let Ok(mut t) = t.try_borrow_mut() {
                    t.push(layout.size());
                }
            });
        }
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

/// The sizes of the long tape buffers that `f` allocates.
fn tapes(f: impl FnOnce()) -> Vec<usize> {
    differentiable::ad::release_memory();
    TAPES.with(|t| t.borrow_mut().clear());
    f();
    TAPES.with(|t| t.take())
}

/// The size of an entry. A tape that is reserved for all trips is longer by one entry for one trip
/// more; another is a chain of buffers: the first long one is full when the second is allocated.
fn bytes_per_trip(run: impl Fn(usize)) -> usize {
    let (less, more) = (tapes(|| run(3000)), tapes(|| run(3001)));
    if let ([less], [more]) = (less.as_slice(), more.as_slice()) {
        // A tape that grows has room for both.
        if less != more {
            assert_eq!(*less, 3000 * (more - less), "one entry for each trip");
            return more - less;
        }
    }
    let buffers = |n: usize| (1..10_000).find(|trips| tapes(|| run(*trips)).len() == n);
    if let (Some(first), Some(second)) = (buffers(1), buffers(2)) {
        let size = tapes(|| run(first))[0];
        assert_eq!(size % (second - first), 0);
        return size / (second - first);
    }
    panic!("no tape found");
}

/// What the report says of a loop.
fn reported(report: &str, the_loop: &str) -> usize {
    let line = report
        .lines()
        .find(|l| l.trim_start().starts_with(&format!("- {the_loop}")))
        .unwrap_or_else(|| panic!("{the_loop} in {report}"));
    let bytes = line.split("**").nth(1).expect("a total");
    let number = bytes.strip_suffix(" bytes").and_then(|n| n.parse().ok());
    number.unwrap_or_else(|| panic!("no number of bytes: {line}\n{report}"))
}

#[differentiable(explain)]
fn trajectory(start: f64, rates: &[f64], #[constant] limit: f64) -> f64 {
    let mut x = start;
    let unused = x * x;
    let _ = unused;
    for i in 0..rates.len() {
        x = rates[i] * x * (1.0 - x);
        if x > limit {
            let over = x - limit;
            x -= 0.5 * over * over;
        }
    }
    x
}

#[differentiable(explain)]
fn selected(x: f32, k: f32, n: usize) -> f32 {
    let mut y = x;
    for i in 0..n {
        y = y.sin().max(k * i as f32);
    }
    y
}

#[differentiable(explain)]
fn chosen(x: f64, k: f64, program: &[u8]) -> f64 {
    let mut y = x;
    for i in 0..program.len() {
        match program[i] {
            0 => y = y * y,
            1 => y = y.sin() * k.exp(),
            _ => y += k,
        }
    }
    y
}

#[differentiable(explain)]
fn until(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    let mut at = 0;
    let steps = [1.0, 0.5, 0.25];
    while at < n {
        y = (y * steps[at % 3] + k).cos();
        at += 1;
    }
    y
}

#[test]
fn the_variables_are_named() {
    let report = trajectory::explain();
    for line in [
        "| `start` | parameter | active |",
        "| `rates` | parameter | active |",
        "| `limit` | parameter | none: `#[constant]` |",
        "| `x` | variable | active |",
        "| `unused` | variable | none: does not reach the result |",
        "| `i` | loop variable | none: discrete |",
        "| `over` | variable | active |",
    ] {
        assert!(report.contains(line), "{line} in\n{report}");
    }
    let code = report.split("## Emitted code").nth(1).expect("the code");
    assert!(code.contains("pub fn __vjp") && code.contains("pub fn __jvp"));
    assert!(code.contains("tape1.push_reserved("), "{code}");
}

#[test]
fn bytes_per_trip_are_those_of_the_tape() {
    let rates = vec![3.3; 4000];
    let counted = bytes_per_trip(|n| {
        trajectory::grad(0.3, &rates[..n], 0.7);
    });
    assert_eq!(reported(trajectory::explain(), "Loop 1"), counted);
    let counted = bytes_per_trip(|n| {
        selected::grad(0.3, 0.3, n);
    });
    assert_eq!(reported(selected::explain(), "Loop 1"), counted);
    let program: Vec<u8> = (0..4000).map(|i| (i % 3) as u8).collect();
    let counted = bytes_per_trip(|n| {
        chosen::grad(0.3, 0.3, &program[..n]);
    });
    assert_eq!(reported(chosen::explain(), "Loop 1"), counted);
    let counted = bytes_per_trip(|n| {
        until::grad(0.3, 0.1, n);
    });
    assert_eq!(reported(until::explain(), "Loop 1"), counted);
}

#[derive(Differentiable, Clone)]
struct Spring {
    stiffness: f64,
}

#[differentiable(explain)]
impl Spring {
    fn energy(&self, stretch: f64) -> f64 {
        0.5 * self.stiffness * stretch * stretch
    }
}

#[test]
fn methods_have_reports() {
    let report = Spring::energy_explain();
    assert!(report.starts_with("# `energy`"), "{report}");
    assert!(report.contains("| `self` | parameter | active |"));
    assert_eq!(Spring { stiffness: 2.0 }.energy_grad(3.0).1, 6.0);
}

#[differentiable(explain)]
fn stepped(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in (0..n).step_by(3) {
        y = y.sin();
    }
    y
}

#[test]
fn the_length_of_a_stepped_range_is_known() {
    let report = stepped::explain();
    assert!(
        report.contains("- snapshots: as many as there are trips between two of them"),
        "{report}"
    );
    assert!(stepped::grad(0.3, 10) > 0.0);
}
