//! What a gradient takes on the heap: for each trip of a loop what `explain` says, and at most a quarter
//! more for the tape around it.
#![allow(missing_docs)]

#[macro_use]
#[path = "../benches/support/leapfrog.rs"]
mod leapfrog;
#[path = "support/peak.rs"]
mod counting;

use differentiable::prelude::*;

/// The most bytes that were allocated at once while `f` ran, on a thread of its own: the buffers that a
/// thread keeps for the next gradient would hide them.
fn peak<R: Send>(f: impl FnOnce() -> R + Send) -> (R, usize) {
    let run = || counting::peak(f);
    std::thread::scope(|s| s.spawn(run).join().expect("the gradient runs"))
}

/// The bytes a trip of the only loop keeps, as the report says.
fn bytes_a_trip(report: &str) -> usize {
    let line = report
        .lines()
        .find(|l| l.starts_with("- Loop 1,"))
        .expect("a loop");
    let bytes = line.split("**").nth(1).expect("a number of bytes");
    let number = bytes.strip_suffix(" bytes").expect("known sizes");
    number.parse().expect("a number")
}

/// Allows a quarter more than `bytes` a trip, and a megabyte.
#[track_caller]
fn check(report: &str, trips: usize, expected: usize, used: usize) {
    let bytes = bytes_a_trip(report);
    assert_eq!(bytes, expected, "{report}");
    let allowed = bytes * trips * 5 / 4 + (1 << 20);
    assert!(
        used <= allowed && used >= bytes * trips,
        "{used} bytes for {trips} trips of {bytes}"
    );
}

#[differentiable(explain)]
fn counted(x0: f64, a: f64, n: usize) -> f64 {
    let mut x = x0;
    for _ in 0..n {
        x = x.sin() * a;
    }
    x
}

#[differentiable(explain)]
fn uncounted(x0: f64, rate: f64, end: f64) -> f64 {
    let (mut x, mut t) = (x0, 0.0);
    while t < end {
        x -= rate * x * x;
        t += 1.0;
    }
    x
}

#[differentiable(explain)]
fn summed(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
    }
    s
}

#[test]
fn loops_take_what_is_said() {
    // The state, and its sine.
    let n = 1_000_000;
    let (_, used) = peak(|| counted::grad(0.3, 0.99, n));
    check(counted::explain(), n, 16, used);
    // The state alone; how often the loop runs is not known beforehand.
    for n in [100_000, 1_100_000, 3_000_000] {
        let (_, used) = peak(|| uncounted::grad(0.3, 1e-9, n as f64));
        check(uncounted::explain(), n, 8, used);
    }
}

#[test]
fn a_sum_keeps_nothing() {
    let x = vec![0.5; 1_000_000];
    let (gradient, used) = peak(|| summed::grad(&x));
    assert_eq!(gradient[7], 1.0);
    assert!(used <= 8 * x.len() + 4096, "{used} bytes for the gradient");
}

#[test]
fn ten_million_trips() {
    let n = 10_000_000;
    let ((d_x, _, _), used) = peak(|| uncounted::grad(1.0, 1e-8, n as f64));
    // x(t) = x / (1 + rate t x), up to the step.
    assert!((d_x - 1.0 / (1.1f64 * 1.1)).abs() < 1e-7, "{d_x}");
    assert!(used <= 8 * n * 5 / 4 + (1 << 20), "{used} bytes");
}

pendulum!(with_tape:);
pendulum!(balanced: #[checkpoint]);
pendulum!(every: #[checkpoint(every = 500)]);
pendulum!(snapshots: #[checkpoint(snapshots = 100)]);
pendulum!(bytes: #[checkpoint(memory = 4096)]);

#[test]
fn a_hundredth_of_the_tape() {
    let (n, start) = (100_000, [0.7, 0.1]);
    let (gradient, tape) = peak(|| with_tape::grad(start, 1.3, n));
    for (name, (kept, used)) in [
        ("balanced", peak(|| balanced::grad(start, 1.3, n))),
        ("every", peak(|| every::grad(start, 1.3, n))),
        ("snapshots", peak(|| snapshots::grad(start, 1.3, n))),
    ] {
        assert_eq!(kept, gradient, "{name}");
        // The memory of a short tape is rounded up, by at most 1 KiB.
        let most = tape / 100 + 1024;
        assert!(used <= most, "{name}: {used} bytes, the tape {tape}");
    }
    // The tape of one step comes to the bytes, in a chunk of 8 KiB for small blocks.
    let (kept, used) = peak(|| bytes::grad(start, 1.3, n));
    assert_eq!(kept, gradient);
    assert!(used <= 4096 + (8 << 10), "{used} bytes");
}

/// A function that keeps its arguments, called once for each trip of a loop.
macro_rules! rows {
    ($name:ident, $row:ident: $($how:tt)*) => {
        #[differentiable]
        $($how)*
        fn $row(x: f64, n: usize) -> f64 {
            let mut s = x;
            for _ in 0..n {
                s = s.sin() * x;
            }
            s
        }
        #[differentiable]
        fn $name(x: f64, n: usize) -> f64 {
            let mut total = 0.0;
            for _ in 0..n {
                total += $row(x + total, n);
            }
            total
        }
    };
}
rows!(rows_with_tapes, row_with_tape:);
rows!(rows_again, row_again: #[checkpoint]);

#[test]
fn a_function_keeps_its_arguments() {
    let n = 1000;
    let (gradient, tape) = peak(|| rows_with_tapes::grad(0.3, n));
    let (kept, used) = peak(|| rows_again::grad(0.3, n));
    assert_eq!(kept, gradient);
    assert!(100 * used <= tape, "{used} bytes, the tapes {tape}");
}
