//! Programs as they are written without a thought of derivatives, beside their derivatives by hand: loops over slices,
//! natural code with `Vec`s and closures, recursion.
//!
//! `cargo bench -p differentiable --bench natural`; `-- --quick` only checks that all run and agree. One thread.

#[allow(dead_code, reason = "shared by benchmarks")]
#[path = "../support/mod.rs"]
mod support;

#[path = "programs.rs"]
mod programs;

pub use programs::{LOOPS, NATURAL, RECURSION};
use support::{Effort, case, compare};

/// Measures a program, its derivative by hand and ours. Both derivatives are given as one row of numbers, which must agree.
pub fn measure<P, H, G>(
    title: &str,
    goal: f64,
    primal: impl FnMut() -> P,
    mut by_hand: impl FnMut() -> H,
    mut ours: impl FnMut() -> G,
    numbers: impl Fn(&H, &G) -> (Vec<f64>, Vec<f64>),
) {
    let (hand, own) = numbers(&by_hand(), &ours());
    assert_eq!(hand.len(), own.len(), "{title}");
    for (i, (a, b)) in hand.iter().zip(&own).enumerate() {
        let close = (a - b).abs() <= 1e-10 * (1.0 + a.abs());
        assert!(close, "{title}: entry {i} is {a} by hand, {b} here");
    }
    compare(
        Effort::from_args(),
        title,
        goal,
        case("by hand", by_hand),
        vec![case("ours", ours), case("the primal", primal)],
    );
}

fn main() {
    programs::run();
}
