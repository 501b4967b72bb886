//! How far a run has come: all that a checkpoint holds beside tensors.

// Reading a file dwarfs the move of an error.
#![allow(clippy::result_large_err)]

use super::report::{Best, EpochReport, Goal};
use crate::data::{Difference, Fingerprint};
use crate::io::{Checkpoint, CheckpointError};
use serde_json::{Value, json};
use std::time::Duration;

/// Counters, sums and histories. Between two steps of the optimiser, this, the module, its average and the optimiser
/// decide everything that follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Progress {
    /// Epochs that are done.
    pub(super) epoch: u64,
    /// Batches of the current epoch that are done.
    pub(super) batch: usize,
    /// Steps of the optimiser.
    pub(super) steps: u64,
    /// The sum of the losses of the rows of the current epoch.
    pub(super) loss_sum: f64,
    /// These rows.
    pub(super) rows: u64,
    pub(super) history: Vec<EpochReport>,
    pub(super) best: Option<Best>,
    /// Epochs since the best one.
    pub(super) waited: u64,
    /// The epochs whose files are kept, best first.
    pub(super) kept: Vec<Best>,
    /// Epochs whose files are to be removed as soon as a checkpoint says so.
    pub(super) dropped: Vec<u64>,
    /// How long the current epoch took here, and how much of it was waiting for data. Not saved.
    pub(super) took: Duration,
    pub(super) waiting: Duration,
}

/// What must be the same in the program that resumes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Identity {
    pub(super) seed: u64,
    pub(super) accumulate: usize,
    pub(super) batches: usize,
    pub(super) decay: Option<f64>,
    pub(super) data: Fingerprint,
}

const VERSION: &str = "2";

impl Identity {
    /// What differs between the data of the checkpoint, which is `there`, and those of this run.
    pub(super) fn other_data(
        &self,
        checkpoint: &Checkpoint,
    ) -> Result<Option<Difference>, CheckpointError> {
        let text: String = checkpoint.get("fit.data")?;
        let facts: Option<Vec<(String, String)>> = serde_json::from_str(&text).ok();
        checkpoint.get_valid("fit.data", "pairs of a name and a value", |_: &String| {
            facts.is_some()
        })?;
        let there = facts.unwrap_or_default().into_iter();
        let there = there.fold(Fingerprint::new(), |all, (name, value)| {
            all.with(&name, value)
        });
        Ok(self.data.difference(&there))
    }
}

impl Progress {
    /// Counts an epoch, and notes whether it is the best so far. Returns whether it is.
    pub(super) fn end_epoch(&mut self, report: EpochReport, watched: f64, goal: Goal) -> bool {
        self.epoch += 1;
        self.batch = 0;
        (self.loss_sum, self.rows) = (0.0, 0);
        (self.took, self.waiting) = (Duration::ZERO, Duration::ZERO);
        let epoch = report.epoch;
        self.history.push(report);
        let better = self
            .best
            .is_none_or(|best| goal.is_better(watched, best.value));
        if better {
            self.best = Some(Best {
                epoch,
                value: watched,
            });
            self.waited = 0;
        } else {
            self.waited += 1;
        }
        better
    }

    /// Takes an epoch among the `count` best ones, if it is one of them. Of equal ones the earlier is better.
    pub(super) fn keep(&mut self, epoch: Best, count: usize, goal: Goal) -> bool {
        let after = |kept: &Best| !goal.is_better(epoch.value, kept.value);
        let place = self.kept.iter().take_while(|k| after(k)).count();
        if place >= count {
            return false;
        }
        self.kept.insert(place, epoch);
        let surplus = self.kept.drain(count.min(self.kept.len())..);
        self.dropped.extend(surplus.map(|k| k.epoch));
        true
    }

    /// No epoch is kept in a file of this run.
    pub(super) fn forget_files(&mut self) {
        self.kept.clear();
        self.dropped.clear();
    }

    pub(super) fn write(&self, identity: &Identity, checkpoint: Checkpoint) -> Checkpoint {
        let decay = identity.decay.map_or("none".to_string(), |d| d.to_string());
        checkpoint
            .with("fit.version", VERSION)
            .with("fit.seed", identity.seed)
            .with("fit.accumulate", identity.accumulate)
            .with("fit.batches", identity.batches)
            .with("fit.ema", decay)
            .with("fit.data", json!(identity.data.facts()))
            .with("fit.epoch", self.epoch)
            .with("fit.batch", self.batch)
            .with("fit.steps", self.steps)
            // `Display` writes as many digits as tell a number from all others.
            .with("fit.loss_sum", self.loss_sum)
            .with("fit.rows", self.rows)
            .with("fit.history", history_to_json(&self.history))
            .with("fit.best", bests_to_json(self.best.as_slice()))
            .with("fit.waited", self.waited)
            .with("fit.kept", bests_to_json(&self.kept))
            .with("fit.dropped", json!(self.dropped))
    }

    pub(super) fn read(
        identity: &Identity,
        checkpoint: &Checkpoint,
    ) -> Result<Self, CheckpointError> {
        let same = |key: &str, expected: String, why: &str| {
            checkpoint.get_valid(key, &format!("{expected}, {why}"), |v: &String| {
                *v == expected
            })
        };
        same(
            "fit.version",
            VERSION.to_string(),
            "the version of this program's checkpoints",
        )?;
        let decay = identity.decay.map_or("none".to_string(), |d| d.to_string());
        same(
            "fit.seed",
            identity.seed.to_string(),
            "the seed of this run",
        )?;
        same(
            "fit.accumulate",
            identity.accumulate.to_string(),
            "the number of batches whose gradients this run accumulates",
        )?;
        same(
            "fit.batches",
            identity.batches.to_string(),
            "the number of batches in an epoch of this run",
        )?;
        same(
            "fit.ema",
            decay,
            "the decay of this run's average of weights",
        )?;
        let epoch: u64 = checkpoint.get("fit.epoch")?;
        let list = |key: &str,
                    length: &str,
                    fits: &dyn Fn(usize) -> bool|
         -> Result<Vec<Best>, CheckpointError> {
            let text: String = checkpoint.get(key)?;
            let bests = bests_from_json(&text).filter(|b| fits(b.len()));
            let valid = |_: &String| bests.is_some();
            let expected = format!("pairs of an epoch and a number, {length}");
            checkpoint.get_valid(key, &expected, valid)?;
            Ok(bests.unwrap_or_default())
        };
        let history: String = checkpoint.get("fit.history")?;
        let history = history_from_json(&history).filter(|h| h.len() as u64 == epoch);
        checkpoint.get_valid(
            "fit.history",
            &format!("{epoch} epochs, as many as are done"),
            |_: &String| history.is_some(),
        )?;
        let dropped: String = checkpoint.get("fit.dropped")?;
        let dropped: Option<Vec<u64>> = serde_json::from_str(&dropped).ok();
        checkpoint.get_valid("fit.dropped", "a list of epochs", |_: &String| {
            dropped.is_some()
        })?;
        Ok(Progress {
            epoch,
            batch: checkpoint.get_valid(
                "fit.batch",
                &format!("a whole number from 0 to {}", identity.batches),
                |b: &usize| *b <= identity.batches,
            )?,
            steps: checkpoint.get("fit.steps")?,
            loss_sum: checkpoint.get("fit.loss_sum")?,
            rows: checkpoint.get("fit.rows")?,
            history: history.unwrap_or_default(),
            best: list("fit.best", "one at most", &|n| n <= 1)?.pop(),
            waited: checkpoint.get("fit.waited")?,
            kept: list("fit.kept", "best first", &|_| true)?,
            dropped: dropped.unwrap_or_default(),
            took: Duration::ZERO,
            waiting: Duration::ZERO,
        })
    }
}

/// Numbers as text: `serde_json` does not read the last bit of every number back, and JSON has no NaN.
fn history_to_json(history: &[EpochReport]) -> Value {
    let epoch = |e: &EpochReport| {
        let values = e
            .values
            .iter()
            .map(|(name, v)| json!([name, v.to_string()]));
        json!({"epoch": e.epoch, "steps": e.steps, "values": Vec::from_iter(values)})
    };
    history.iter().map(epoch).collect()
}

fn history_from_json(text: &str) -> Option<Vec<EpochReport>> {
    let value = |v: &Value| Some((v[0].as_str()?.to_string(), number(&v[1])?));
    let epoch = |e: &Value| {
        Some(EpochReport {
            epoch: e["epoch"].as_u64()?,
            steps: e["steps"].as_u64()?,
            values: e["values"]
                .as_array()?
                .iter()
                .map(value)
                .collect::<Option<_>>()?,
            waited: Duration::ZERO,
            took: Duration::ZERO,
        })
    };
    let json: Value = serde_json::from_str(text).ok()?;
    json.as_array()?.iter().map(epoch).collect()
}

fn bests_to_json(bests: &[Best]) -> Value {
    let best = |b: &Best| json!([b.epoch, b.value.to_string()]);
    bests.iter().map(best).collect()
}

fn bests_from_json(text: &str) -> Option<Vec<Best>> {
    let best = |b: &Value| {
        Some(Best {
            epoch: b[0].as_u64()?,
            value: number(&b[1])?,
        })
    };
    let json: Value = serde_json::from_str(text).ok()?;
    json.as_array()?.iter().map(best).collect()
}

fn number(value: &Value) -> Option<f64> {
    value.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity {
            seed: u64::MAX,
            accumulate: 2,
            batches: 7,
            decay: Some(0.999),
            data: Fingerprint::new().with("rows", 50),
        }
    }

    /// Numbers that lose their last bit in careless hands.
    fn progress() -> Progress {
        let mut progress = Progress {
            batch: 3,
            steps: 17,
            ..Progress::default()
        };
        for (epoch, x) in [1.0 / 3.0, f64::NAN, 0.1 + 0.2].into_iter().enumerate() {
            let report = EpochReport {
                epoch: epoch as u64 + 1,
                steps: 5,
                values: vec![("loss".into(), x), ("a \"name\", new\nline".into(), 5e-324)],
                waited: Duration::ZERO,
                took: Duration::ZERO,
            };
            progress.end_epoch(report, x, Goal::Lowest);
        }
        progress.batch = 3;
        (progress.loss_sum, progress.rows) = (1e300 / 7.0, 12);
        progress.kept = vec![Best {
            epoch: 3,
            value: -1.0 / 3.0,
        }];
        progress.dropped = vec![1, 2];
        progress
    }

    #[test]
    fn what_is_written_is_read_bit_for_bit() {
        let before = progress();
        let path =
            std::env::temp_dir().join(format!("progress-{}.safetensors", std::process::id()));
        before
            .write(&identity(), Checkpoint::new())
            .save(&path)
            .unwrap();
        let checkpoint = Checkpoint::load(&path).unwrap();
        let after = Progress::read(&identity(), &checkpoint).unwrap();
        // NaN is not equal to itself; its text is.
        assert_eq!(format!("{before:?}"), format!("{after:?}"));
        for (change, said) in [
            (
                Identity {
                    seed: 4,
                    ..identity()
                },
                "entry `fit.seed` of the checkpoint is \"18446744073709551615\", expected 4, the seed of this run",
            ),
            (
                Identity {
                    accumulate: 1,
                    ..identity()
                },
                "expected 1, the number of batches whose",
            ),
            (
                Identity {
                    batches: 8,
                    ..identity()
                },
                "expected 8, the number of batches in an epoch",
            ),
            (
                Identity {
                    decay: None,
                    ..identity()
                },
                "entry `fit.ema` of the checkpoint is \"0.999\", expected none",
            ),
        ] {
            let error = Progress::read(&change, &checkpoint)
                .unwrap_err()
                .to_string();
            assert!(
                error.starts_with(&path.display().to_string()) && error.contains(said),
                "{error}"
            );
        }
        assert_eq!(identity().other_data(&checkpoint).unwrap(), None);
        let data = Fingerprint::new().with("rows", 51);
        let other = Identity { data, ..identity() };
        let found = other.other_data(&checkpoint).unwrap().unwrap();
        assert_eq!((found.here.as_str(), found.there.as_str()), ("51", "50"));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn damaged_entries_are_named() {
        let path = std::env::temp_dir().join(format!("damaged-{}.safetensors", std::process::id()));
        for (key, text) in [
            ("fit.history", "[]"),
            ("fit.history", "[{}]"),
            ("fit.best", "[[1,\"0.5\"],[2,\"0.5\"]]"),
            ("fit.kept", "[[1,0.5]]"),
            ("fit.dropped", "[-1]"),
            ("fit.batch", "8"),
            ("fit.steps", "-1"),
            ("fit.loss_sum", "x"),
        ] {
            let checkpoint = progress()
                .write(&identity(), Checkpoint::new())
                .with(key, text);
            checkpoint.save(&path).unwrap();
            let checkpoint = Checkpoint::load(&path).unwrap();
            let error = Progress::read(&identity(), &checkpoint)
                .unwrap_err()
                .to_string();
            assert!(error.contains(&format!("entry `{key}`")), "{error}");
            assert_eq!(error.lines().count(), 1);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_best_epochs_are_kept_and_of_equal_ones_the_earlier() {
        let mut progress = Progress::default();
        for (i, value) in [0.5, 0.7, 0.7, 0.6, f64::NAN, 0.9].into_iter().enumerate() {
            progress.keep(
                Best {
                    epoch: i as u64 + 1,
                    value,
                },
                2,
                Goal::Highest,
            );
        }
        let kept: Vec<u64> = progress.kept.iter().map(|k| k.epoch).collect();
        assert_eq!((kept, progress.dropped), (vec![6, 2], vec![1, 3]));
    }
}
