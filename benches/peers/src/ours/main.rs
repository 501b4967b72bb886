//! Our side: `ours W1 SECONDS`, and `ours W1 SECONDS session` for the recorded step.
//!
//! `RAYON_NUM_THREADS` sets the number of threads, `DIFFERENTIABLE_DEVICE=cuda` the device; `PEERS_READ=end` adds steps whose loss
//! is not read.

mod cnn;
mod elementwise;
mod forward;
mod gpt;
mod later;
mod lstm;
mod mlp;
#[path = "../report.rs"]
mod report;
mod steps;

use differentiable::prelude::*;
use std::time::Instant;
use steps::How;

/// What is trained.
const TRAINED: [&str; 7] = ["W1", "W2", "W3", "W4", "W4m", "W5", "G1"];

fn main() {
    let start = Instant::now();
    let mut args = std::env::args().skip(1);
    let workload = args.next().unwrap_or_default();
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let how = match args.next().as_deref() {
        None => How::Eager,
        Some("session") => How::Session,
        Some("captured") => How::Captured,
        Some("write") => How::Write,
        Some(other) => {
            eprintln!(
                "`{other}` is no way to run a step: `session`, `captured`, `write`, or nothing"
            );
            std::process::exit(2);
        }
    };
    let known = match how {
        How::Eager => true,
        How::Captured => TRAINED.contains(&workload.as_str()),
        How::Session => TRAINED.contains(&workload.as_str()) || workload.starts_with('F'),
        How::Write => workload.starts_with('F'),
    };
    if !known {
        eprintln!(
            "`{workload}` cannot be run like that: steps are captured of W1 to W5, W4m and G1, a session runs these and F1 to F3, models are written of F1 to F3"
        );
        std::process::exit(2);
    }
    let run = (start, seconds, how);
    match workload.as_str() {
        "W1" => mlp::two_layers(run),
        "W2" => mlp::classifier(run),
        "W3" => cnn::run(run),
        "W4" => gpt::small::run::<f32>(run),
        "W4m" => gpt::small::run::<Mixed<bf16>>(run),
        "G1" => gpt::large::run::<Mixed<bf16>>(run),
        "W5" => lstm::run(run),
        "W6" => elementwise::large(start, seconds),
        "W6t" => elementwise::large_tanh(start, seconds),
        "W7" => elementwise::small(start, seconds),
        "W7t" => elementwise::small_tanh(start, seconds),
        "W8" => elementwise::huge(start, seconds),
        "F1" => forward::cnn(run),
        "F2" => forward::gpt(run),
        "F3" => forward::vit(run),
        other => {
            eprintln!("`{other}` is not a workload: W1 to W8, W4m, W6t, W7t, G1, F1 to F3");
            std::process::exit(2);
        }
    }
}
