//! One row for each operation and size: microseconds of each library, and ours over the fastest other.

use crate::support::{Case, Effort, assert_close, case, fastest};
use candle_core::{Device, Tensor};

/// A group of operations.
pub struct Table {
    effort: Effort,
    ratios: Vec<f64>,
}

impl Table {
    /// Prints the head.
    pub fn new(group: &str) -> Self {
        println!("\n### {group}\n");
        println!("| operation | size | ours, µs | others, µs | ours ÷ fastest other |");
        println!("|---|---|---|---|---|");
        Table {
            effort: Effort::from_args(),
            ratios: Vec::new(),
        }
    }

    /// Measures ours against the others and prints a row.
    pub fn row<'a, R>(
        &mut self,
        name: &str,
        size: &str,
        ours: impl FnMut() -> R + 'a,
        others: Vec<Case<'a>>,
    ) {
        let mut cases = vec![case("ours", ours)];
        cases.extend(others);
        let best = fastest(self.effort, &mut cases);
        let ratio = best[0] / best[1..].iter().copied().fold(f64::INFINITY, f64::min);
        let shown: Vec<String> = cases[1..]
            .iter()
            .zip(&best[1..])
            .map(|(c, t)| format!("{} {}", c.name(), microseconds(*t)))
            .collect();
        println!(
            "| {name} | {size} | {} | {} | {ratio:.2} |",
            microseconds(best[0]),
            shown.join(", ")
        );
        self.ratios.push(ratio);
    }
}

/// Nanoseconds in microseconds, to the nanosecond below one.
fn microseconds(nanoseconds: f64) -> String {
    let digits = if nanoseconds < 1e3 { 3 } else { 1 };
    format!("{:.digits$}", nanoseconds / 1e3)
}

impl Drop for Table {
    fn drop(&mut self) {
        let slower = self.ratios.iter().filter(|r| **r > 1.0).count();
        println!(
            "\n{} of {} are slower than the fastest other.",
            slower,
            self.ratios.len()
        );
    }
}

/// Numbers in [-2, 2] without a pattern.
pub fn numbers(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    (0..n).map(|_| 4.0 * next() - 2.0).collect()
}

/// The same numbers as a tensor of candle.
pub fn candle(data: &[f32], dims: &[usize]) -> Tensor {
    Tensor::from_slice(data, dims, &Device::Cpu).expect("a tensor")
}

/// Panics unless both results agree.
pub fn agree(what: &str, ours: &[f32], theirs: &[f32], tolerance: f64) {
    let wide = |x: &[f32]| x.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
    assert_close(what, &wide(ours), &wide(theirs), tolerance);
}

/// The entries of a tensor of candle.
pub fn entries(t: &Tensor) -> Vec<f32> {
    let flat = t.flatten_all().expect("entries");
    flat.to_vec1::<f32>().expect("f32")
}
