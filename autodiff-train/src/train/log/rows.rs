//! What logs with a line for each step have in common: the values of the step that is open, and the file.

use super::LogError;
use crate::io::write_atomically;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The values of a step, until another one begins.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) step: u64,
    pub(super) values: Vec<(String, f64)>,
}

impl Row {
    /// Adds a value; returns the row before, if that is complete.
    pub(super) fn add(&mut self, name: &str, step: u64, value: f64) -> Option<Row> {
        let before = match step == self.step {
            true => None,
            false => self.take(),
        };
        self.step = step;
        match self.values.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.values.push((name.to_string(), value)),
        }
        before
    }

    /// The row, if it has values.
    pub(super) fn take(&mut self) -> Option<Row> {
        (!self.values.is_empty()).then(|| std::mem::take(self))
    }
}

/// A text file to which whole lines are added.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    file: Option<File>,
}

impl Lines {
    pub(super) fn at(path: PathBuf) -> Self {
        Lines { path, file: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn error(&self, error: io::Error) -> LogError {
        LogError::Write {
            path: self.path.clone(),
            error,
        }
    }

    /// The complete lines of the file, empty if there is none. The last line of a program that was killed may be cut.
    pub(super) fn read(&self) -> Result<Vec<u8>, LogError> {
        match std::fs::read(&self.path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(e) => Err(self.error(e)),
            Ok(mut bytes) => {
                let end = bytes
                    .iter()
                    .rposition(|b| *b == b'\n')
                    .map_or(0, |at| at + 1);
                bytes.truncate(end);
                Ok(bytes)
            }
        }
    }

    /// Makes this the content of the file, in one step.
    pub(super) fn replace(&mut self, bytes: &[u8]) -> Result<(), LogError> {
        self.file = None;
        write_atomically(&self.path, bytes).map_err(|e| self.error(e))
    }

    /// Adds lines by one call of the system.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), LogError> {
        let mut add = || -> io::Result<()> {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(
                    OpenOptions::new()
                        .append(true)
                        .create(true)
                        .open(&self.path)?,
                ),
            };
            file.write_all(bytes)
        };
        let added = add();
        added.map_err(|e| self.error(e))
    }
}
