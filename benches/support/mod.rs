//! Comparison of alternatives with a baseline, in one run.
//!
//! Machines are noisy and change their clock, so figures of different runs say little. Here all
//! alternatives take turns in short batches, and the fastest batch of each counts: noise only ever
//! adds time.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// One alternative: what it is called and how to run it a number of times.
pub struct Case<'a> {
    name: &'static str,
    run: Box<dyn FnMut(u32) + 'a>,
}

/// An alternative that runs `f` and keeps its result alive.
pub fn case<'a, R>(name: &'static str, mut f: impl FnMut() -> R + 'a) -> Case<'a> {
    // The loop is inside the box, so that the indirect call is paid once for a batch.
    let run = Box::new(move |repeats| {
        for _ in 0..repeats {
            black_box(f());
        }
    });
    Case { name, run }
}

impl Case<'_> {
    /// What the alternative is called.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    batch: Duration,
    rounds: usize,
    /// After this time a comparison ends even with fewer rounds, but not before the third.
    longest: Duration,
}

impl Effort {
    /// `--quick` on the command line runs everything, briefly: a check that benchmarks still work.
    pub fn from_args() -> Self {
        if std::env::args().any(|argument| argument == "--quick") {
            return Effort {
                batch: Duration::from_micros(50),
                rounds: 2,
                longest: Duration::ZERO,
            };
        }
        Effort {
            batch: Duration::from_micros(1000),
            rounds: 400,
            longest: Duration::from_secs(4),
        }
    }
}

/// Runs the baseline and the alternatives in turns, and prints the minimum time of each with its
/// ratio to the baseline. `goal` is the ratio that the project wants to stay under.
pub fn compare(effort: Effort, title: &str, goal: f64, baseline: Case<'_>, others: Vec<Case<'_>>) {
    let mut cases = vec![baseline];
    cases.extend(others);
    let best = fastest(effort, &mut cases);
    match goal.is_finite() {
        true => println!("{title}  (goal: at most {goal:.2})"),
        false => println!("{title}"),
    }
    for (case, nanoseconds) in cases.iter().zip(&best) {
        println!(
            "  {:<28} {nanoseconds:>14.1} ns   {:>6.3}",
            case.name(),
            nanoseconds / best[0]
        );
    }
    println!();
}

/// Runs all alternatives in turns; the nanoseconds of the fastest batch of each.
pub fn fastest(effort: Effort, cases: &mut [Case<'_>]) -> Vec<f64> {
    let repeats: Vec<u32> = cases
        .iter_mut()
        .map(|case| calibrate(case, effort.batch))
        .collect();
    let mut best = vec![f64::INFINITY; cases.len()];
    let start = Instant::now();
    for round in 0..effort.rounds {
        if round >= 3 && start.elapsed() > effort.longest {
            break;
        }
        for (index, case) in cases.iter_mut().enumerate() {
            let nanoseconds = time(case, repeats[index]).as_secs_f64() * 1e9;
            best[index] = best[index].min(nanoseconds / f64::from(repeats[index]));
        }
    }
    best
}

/// The number of repeats that fills one batch.
fn calibrate(case: &mut Case<'_>, batch: Duration) -> u32 {
    let mut repeats = 1;
    while time(case, repeats) < batch / 2 && repeats < 1 << 24 {
        repeats *= 2;
    }
    repeats
}

fn time(case: &mut Case<'_>, repeats: u32) -> Duration {
    let start = Instant::now();
    (case.run)(repeats);
    start.elapsed()
}

/// Panics unless both gradients agree: a fast wrong answer is no result.
pub fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}: lengths differ");
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        let scale = 1.0_f64.max(a.abs()).max(b.abs());
        assert!(
            (a - b).abs() <= tolerance * scale,
            "{what}[{index}]: {a} is not {b}"
        );
    }
}
