//! Programs of the sciences, as somebody writes them who does not think of derivatives: gradient ÷ primal, and beside
//! JAX where the same program is in `jax_twins.py`.
//!
//! `cargo bench -p differentiable --bench science`; with `DIFFERENTIABLE_PYTHON` set to a Python that has JAX, its
//! times and values stand beside ours. `-- --quick` only checks that all run. One thread each.

#[allow(dead_code, reason = "shared by benchmarks")]
#[path = "../support/mod.rs"]
mod support;

mod arm;
mod black_box;
mod deep_gp;
mod eight_schools;
mod fft;
mod fluid;
mod heat;
mod hmm;
mod kalman;
mod layers;
mod molecules;
mod neural_ode;
mod options;
mod peaks;
mod phylogeny;
mod ray_marcher;
mod spline;

use std::collections::HashMap;
use std::process::Command;
use support::{Effort, case, fastest};

/// What JAX says of a program: seconds of the primal and of the gradient, and the value, where it is compared.
type Twin = (f64, f64, Option<f64>);

/// The table of results.
pub struct Report {
    effort: Effort,
    twins: HashMap<String, Twin>,
    ratios: Vec<f64>,
}

impl Report {
    fn new() -> Self {
        Report {
            effort: Effort::from_args(),
            twins: twins(),
            ratios: Vec::new(),
        }
    }

    /// Measures a program and its gradient; `value` is what the program gives.
    pub fn case<P, G>(
        &mut self,
        name: &str,
        value: f64,
        primal: impl FnMut() -> P,
        gradient: impl FnMut() -> G,
    ) {
        self.measured(name, 1, Some(value), primal, gradient);
    }

    /// Measures a program and its Jacobian of so many columns: the ratio is that of one column.
    pub fn columns<P, G>(
        &mut self,
        name: &str,
        columns: usize,
        primal: impl FnMut() -> P,
        jacobian: impl FnMut() -> G,
    ) {
        self.measured(name, columns, None, primal, jacobian);
    }

    fn measured<P, G>(
        &mut self,
        name: &str,
        columns: usize,
        value: Option<f64>,
        primal: impl FnMut() -> P,
        gradient: impl FnMut() -> G,
    ) {
        let mut cases = [case("primal", primal), case("gradient", gradient)];
        let best = fastest(self.effort, &mut cases);
        let ratio = best[1] / best[0] / columns as f64;
        self.ratios.push(ratio);
        let per = if columns > 1 { " a column" } else { "" };
        print!(
            "{name:<58} {:>12.1} ns {:>13.1} ns {ratio:>6.2}{per}",
            best[0], best[1]
        );
        if let Some((_, seconds, there)) = self.twins.get(name) {
            print!("   of JAX's time: {:.2}", best[1] * 1e-9 / seconds);
            if let (Some(value), Some(there)) = (value, there) {
                let close = (value - there).abs() <= 1e-8 * there.abs();
                assert!(close, "{name}: {value} here, {there} in JAX");
            }
        }
        println!();
    }
}

/// The programs of `jax_twins.py`, run now: none without a Python that has JAX.
fn twins() -> HashMap<String, Twin> {
    let Ok(python) = std::env::var("DIFFERENTIABLE_PYTHON") else {
        println!("DIFFERENTIABLE_PYTHON is not set: without JAX\n");
        return HashMap::new();
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/science/jax_twins.py");
    let output = Command::new(python)
        .arg(script)
        .output()
        .expect("Python runs");
    if !output.status.success() {
        println!("without JAX: {}", String::from_utf8_lossy(&output.stderr));
        return HashMap::new();
    }
    serde_json::from_slice(&output.stdout).expect("what `jax_twins.py` prints")
}

/// Random numbers by xorshift64*.
pub struct Rng(u64);

impl Rng {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bits as f64 / (1_u64 << 53) as f64
    }

    /// A number of the standard normal distribution, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

fn main() {
    let mut report = Report::new();
    println!("{:<58} {:>15} {:>16}  ratio", "", "primal", "gradient");
    for measure in [
        fluid::measure,
        deep_gp::measure,
        neural_ode::measure,
        black_box::measure,
        hmm::measure,
        molecules::measure,
        kalman::measure,
        options::measure,
        ray_marcher::measure,
        arm::measure,
        phylogeny::measure,
        eight_schools::measure,
        peaks::measure,
        heat::measure,
        spline::measure,
        fft::measure,
        layers::measure,
    ] {
        measure(&mut report);
    }
    let mut ratios = report.ratios;
    ratios.sort_by(f64::total_cmp);
    println!(
        "\nmedian {:.2} (goal: at most 2.5), largest {:.2} (goal: at most 4)",
        ratios[ratios.len() / 2],
        ratios[ratios.len() - 1]
    );
}
