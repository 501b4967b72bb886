//! Our side: `ours W1 SECONDS`; `RAYON_NUM_THREADS` sets the number of threads.

mod cnn;
mod elementwise;
mod gpt;
mod lstm;
mod mlp;
#[path = "../report.rs"]
mod report;

use std::time::Instant;

fn main() {
    let start = Instant::now();
    let mut args = std::env::args().skip(1);
    let workload = args.next().unwrap_or_default();
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    match workload.as_str() {
        "W1" => mlp::two_layers(start, seconds),
        "W2" => mlp::classifier(start, seconds),
        "W3" => cnn::run(start, seconds),
        "W4" => gpt::run(start, seconds),
        "W5" => lstm::run(start, seconds),
        "W6" => elementwise::large(start, seconds),
        "W6t" => elementwise::large_tanh(start, seconds),
        "W7" => elementwise::small(start, seconds),
        "W7t" => elementwise::small_tanh(start, seconds),
        other => {
            eprintln!("`{other}` is not a workload: W1 to W7, W6t, W7t");
            std::process::exit(2);
        }
    }
}
