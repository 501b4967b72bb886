//! What a peer prints: one line of JSON, which `run.py` reads.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Runs a training step many times, and prints the time from the start of the process to the end of the
/// first one, the shortest time of a later one, and the most memory the process held.
pub fn report(start: Instant, seconds: f64, step: impl FnMut() -> f64) {
    println!("{{{}}}", measured(start, seconds, step));
}

/// The members of what [`report`] prints.
pub fn measured(start: Instant, seconds: f64, mut step: impl FnMut() -> f64) -> String {
    let first_loss = black_box(step());
    let first = start.elapsed();
    let (mut best, mut steps, mut loss) = (Duration::MAX, 0, first_loss);
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < seconds || steps < 3 {
        let t = Instant::now();
        loss = black_box(step());
        best = best.min(t.elapsed());
        steps += 1;
    }
    format!(
        "\"step_us\": {:.1}, \"first_ms\": {:.1}, \"peak_mb\": {:.1}, \"steps\": {steps}, \"first_loss\": {first_loss}, \"last_loss\": {loss}",
        best.as_secs_f64() * 1e6,
        first.as_secs_f64() * 1e3,
        peak_mb(),
    )
}

/// The largest resident size of this process; 0 where the system does not tell.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kb = line.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(0.0) / 1024.0
}
