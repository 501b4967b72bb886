//! One line on the terminal that says how far the run is.

use crate::train::{EpochReport, StepReport};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shown on the standard error stream while that is a terminal.
pub(in crate::train) struct ProgressLine {
    shown: Option<Shown>,
}

struct Shown {
    epochs: u64,
    /// When the epoch began here, and at which batch.
    since: Instant,
    first: usize,
    rows_before: u64,
    last: Option<Instant>,
}

/// No reader sees more.
const BETWEEN: Duration = Duration::from_millis(100);

impl ProgressLine {
    pub(in crate::train) fn new(wanted: bool) -> Self {
        let shown = wanted && io::stderr().is_terminal();
        ProgressLine {
            shown: shown.then(|| Shown {
                epochs: 0,
                since: Instant::now(),
                first: 0,
                rows_before: 0,
                last: None,
            }),
        }
    }

    /// Begins an epoch, or goes on with it after so many batches and rows.
    pub(in crate::train) fn start(&mut self, epochs: u64, batch: usize, rows: u64) {
        if let Some(shown) = &mut self.shown {
            *shown = Shown {
                epochs,
                since: Instant::now(),
                first: batch,
                rows_before: rows,
                last: None,
            };
        }
    }

    /// After a step; `rows` are those of the epoch so far.
    pub(in crate::train) fn step(&mut self, step: &StepReport, rows: u64) {
        let Some(shown) = &mut self.shown else { return };
        if shown.last.is_some_and(|last| last.elapsed() < BETWEEN) {
            return;
        }
        shown.last = Some(Instant::now());
        let pace = Pace {
            seconds: shown.since.elapsed().as_secs_f64(),
            batches: step.batch - shown.first,
            rows: rows - shown.rows_before,
        };
        // A terminal that is gone is no reason to end the run.
        let _ = write!(io::stderr(), "\r\x1b[2K{}", line(step, shown.epochs, &pace));
    }

    /// After an epoch: its values stay.
    pub(in crate::train) fn epoch(&mut self, epoch: &EpochReport) {
        if self.shown.is_some() {
            let _ = writeln!(io::stderr(), "\r\x1b[2K{epoch}");
        }
    }

    pub(in crate::train) fn clear(&mut self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}

/// An error in a step leaves the terminal as it was.
impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// What was done since the line began.
struct Pace {
    seconds: f64,
    batches: usize,
    rows: u64,
}

fn line(step: &StepReport, epochs: u64, pace: &Pace) -> String {
    let StepReport {
        epoch,
        batch,
        batches,
        loss,
        ..
    } = step;
    let rate = pace.rows as f64 / pace.seconds.max(1e-9);
    let left = (epochs.saturating_sub(*epoch)) as f64 * *batches as f64 + (batches - batch) as f64;
    let left = left * pace.seconds / pace.batches.max(1) as f64;
    let rate = if rate < 10.0 {
        format!("{rate:.1}")
    } else {
        format!("{rate:.0}")
    };
    format!(
        "epoch {epoch}/{epochs}  batch {batch}/{batches}  loss {loss:.4}  {rate} rows/s  {} left",
        clock(left)
    )
}

/// `1:02:03`, or `2:03` below an hour.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_rate_and_remaining_time() {
        let step = StepReport {
            epoch: 3,
            step: 250,
            batch: 50,
            batches: 100,
            loss: 0.25,
        };
        // 40 batches of 8 rows in 20 seconds; 50 + 2 · 100 batches are left.
        let pace = Pace {
            seconds: 20.0,
            batches: 40,
            rows: 320,
        };
        assert_eq!(
            line(&step, 5, &pace),
            "epoch 3/5  batch 50/100  loss 0.2500  16 rows/s  2:05 left"
        );
        assert_eq!(clock(3723.4), "1:02:03");
        let step = StepReport { batch: 100, ..step };
        assert!(line(&step, 3, &pace).ends_with("0:00 left"));
    }
}
