//! The programs of `examples/gradbench`: their derivatives equal those written by hand, which equal
//! central differences; and the runner answers whatever it is sent.
#![allow(missing_docs)]

#[path = "../../benches/support/by_hand/mod.rs"]
mod by_hand;
#[path = "../../examples/gradbench/evals/mod.rs"]
mod evals;
#[path = "../../benches/support/problems.rs"]
mod problems;
#[path = "../../examples/gradbench/protocol.rs"]
mod protocol;
// Only the comparison of gradients is of use here.
#[allow(dead_code)]
#[path = "../../benches/support/mod.rs"]
mod support;

mod derivatives;
mod messages;
mod nested;
mod runner;
mod values;

/// The derivatives of `f` at `x` by central differences.
fn differences(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    let mut moved = x.to_vec();
    let mut slope = |j: usize| {
        let h = 1e-5 * x[j].abs().max(1.0);
        moved[j] = x[j] + h;
        let above = f(&moved);
        moved[j] = x[j] - h;
        let below = f(&moved);
        moved[j] = x[j];
        (above - below) / (2.0 * h)
    };
    (0..x.len()).map(&mut slope).collect()
}
