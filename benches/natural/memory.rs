//! The memory of the programs of `main.rs`: the most bytes that a gradient has at once, by hand and ours, the gradient included.
//!
//! `cargo bench -p differentiable --bench natural_memory`. The goal is 1.5 times the bytes by hand. It is a program of its own, as
//! counting takes time.

#[path = "../../tests/support/peak.rs"]
mod peak;
#[path = "programs.rs"]
mod programs;

pub use programs::{LOOPS, NATURAL, RECURSION};

/// What a gradient may take, in times of the bytes by hand.
const GOAL: f64 = 1.5;

/// Prints the bytes of one derivative by hand and of ours, the first of the thread, for which nothing is at hand from before.
pub fn measure<P, H, G>(
    title: &str,
    _: f64,
    _: impl FnMut() -> P,
    by_hand: impl FnMut() -> H,
    ours: impl FnMut() -> G,
    _: impl Fn(&H, &G) -> (Vec<f64>, Vec<f64>),
) {
    let (_, hand) = peak::peak(by_hand);
    differentiable::ad::release_memory();
    let (_, own) = peak::peak(ours);
    let ratio = own as f64 / hand as f64;
    let met = if ratio <= GOAL { "met" } else { "not met" };
    println!("{title:<66} by hand {hand:>10}, ours {own:>10} bytes   {ratio:>6.2} {met}");
}

fn main() {
    programs::run();
}
