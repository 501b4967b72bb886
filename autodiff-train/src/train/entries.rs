//! What a program adds to the checkpoints of its run: settings, which a run that goes on must have again, and notes.

// Reading a file dwarfs the move of an error.
#![allow(clippy::result_large_err)]

use super::TrainError;
use crate::io::{Checkpoint, CheckpointError};
use serde_json::json;
use std::path::Path;

/// The names of the settings in a checkpoint.
const NAMES: &str = "fit.settings";

/// Names that other entries of a checkpoint begin with.
const TAKEN: [&str; 2] = ["fit.", "optimizer."];

/// Names and values, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entries {
    settings: Vec<(String, String)>,
    notes: Vec<(String, String)>,
}

impl Entries {
    pub(super) fn add_setting(&mut self, name: &str, value: String) {
        self.settings.push((name.to_string(), value));
    }

    pub(super) fn add_note(&mut self, name: &str, value: String) {
        self.notes.push((name.to_string(), value));
    }

    /// Whether each name can be the name of an entry of its own.
    pub(super) fn check(&self) -> Result<(), TrainError> {
        let wrong = |setting, found: String, expected: &str| TrainError::Setting {
            setting,
            found,
            expected: expected.to_string(),
        };
        let settings = self.settings.iter().map(|(name, _)| ("setting", name));
        let notes = self.notes.iter().map(|(name, _)| ("note", name));
        let mut seen: Vec<&String> = Vec::new();
        for (method, name) in settings.chain(notes) {
            if name.is_empty() || TAKEN.iter().any(|taken| name.starts_with(taken)) {
                let expected = "a name that does not begin with `fit.` or `optimizer.`";
                return Err(wrong(method, format!("`{name}`"), expected));
            }
            if seen.contains(&name) {
                let expected = "another name for each value";
                return Err(wrong(method, format!("`{name}` twice"), expected));
            }
            seen.push(name);
        }
        Ok(())
    }

    pub(super) fn write(&self, checkpoint: Checkpoint) -> Checkpoint {
        let names: Vec<&String> = self.settings.iter().map(|(name, _)| name).collect();
        let all = self.settings.iter().chain(&self.notes);
        let checkpoint = all.fold(checkpoint, |checkpoint, (name, value)| {
            checkpoint.with(name, value)
        });
        checkpoint.with(NAMES, json!(names))
    }

    /// An error if the checkpoint, which was read from `path`, has another setting, or one more or less.
    pub(super) fn check_same(
        &self,
        checkpoint: &Checkpoint,
        path: &Path,
    ) -> Result<(), TrainError> {
        let saved = names_in(checkpoint)?;
        let here = self.settings.iter().map(|(name, _)| name);
        let only_there = saved
            .iter()
            .filter(|name| !here.clone().any(|n| n == *name));
        for name in here.clone().chain(only_there) {
            let value = self.settings.iter().find(|(n, _)| n == name);
            let there = match saved.contains(name) {
                true => Some(checkpoint.get::<String>(name)?),
                false => None,
            };
            if value.map(|(_, value)| value) != there.as_ref() {
                let shown = |value: Option<&String>| {
                    value.map_or("no value".to_string(), |value| format!("{value:?}"))
                };
                return Err(TrainError::OtherSetting {
                    path: path.into(),
                    setting: name.clone(),
                    expected: shown(value.map(|(_, value)| value)),
                    found: shown(there.as_ref()),
                });
            }
        }
        Ok(())
    }
}

/// The names of the settings in a checkpoint; none in one of a version without settings.
fn names_in(checkpoint: &Checkpoint) -> Result<Vec<String>, CheckpointError> {
    if !checkpoint.entries().contains_key(NAMES) {
        return Ok(Vec::new());
    }
    let text: String = checkpoint.get(NAMES)?;
    let names: Option<Vec<String>> = serde_json::from_str(&text).ok();
    checkpoint.get_valid(NAMES, "a list of names", |_: &String| names.is_some())?;
    Ok(names.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(settings: &[(&str, &str)]) -> Entries {
        let mut entries = Entries::default();
        for (name, value) in settings {
            entries.add_setting(name, value.to_string());
        }
        entries.add_note("rate", "0.1".into());
        entries
    }

    #[test]
    fn settings_are_the_same_again() {
        let path = Path::new("run.safetensors");
        let saved = entries(&[("hidden", "64"), ("task", "a \"b\"")]).write(Checkpoint::new());
        assert_eq!(saved.get::<u64>("hidden").unwrap(), 64);
        assert_eq!(saved.get::<f64>("rate").unwrap(), 0.1);
        let mut same = entries(&[("task", "a \"b\""), ("hidden", "64")]);
        same.add_note("another", "1".into());
        same.check_same(&saved, path).unwrap();
        for (here, said) in [
            (
                entries(&[("hidden", "32"), ("task", "a \"b\"")]),
                "hidden \"64\", expected \"32\" as in this program",
            ),
            (
                entries(&[("hidden", "64")]),
                "task \"a \\\"b\\\"\", expected no value as in this program",
            ),
            (
                entries(&[("hidden", "64"), ("task", "a \"b\""), ("rate", "0.1")]),
                "rate no value, expected \"0.1\" as in this program",
            ),
        ] {
            let error = here.check_same(&saved, path).unwrap_err().to_string();
            let begin = "run.safetensors: the checkpoint was saved with ";
            assert_eq!(error, format!("{begin}{said}"));
        }
        // Before there were settings.
        entries(&[]).check_same(&Checkpoint::new(), path).unwrap();
    }

    #[test]
    fn names_are_checked() {
        entries(&[("fitness", "1"), ("optimizer", "adam")])
            .check()
            .unwrap();
        for (name, said) in [
            (
                "fit.seed",
                "`setting` is `fit.seed`, expected a name that does not begin with",
            ),
            (
                "optimizer.steps",
                "`setting` is `optimizer.steps`, expected a name",
            ),
            ("", "`setting` is ``, expected a name"),
            (
                "rate",
                "`note` is `rate` twice, expected another name for each value",
            ),
        ] {
            let error = entries(&[(name, "1")]).check().unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
