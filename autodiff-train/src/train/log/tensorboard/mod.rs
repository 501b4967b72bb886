mod event;

use super::{Image, LogError, Logger, Resumed};
use crate::io::{records, write_atomically};
use event::Value;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Event files for TensorBoard: `tensorboard --logdir DIRECTORY`.
///
/// Each run in the program that writes it has a file of its own in the directory. A new run removes the files of earlier
/// runs by this library; a run that is resumed removes from them what is of later steps than the checkpoint.
#[derive(Debug)]
pub struct TensorBoard {
    directory: PathBuf,
    file: Option<(PathBuf, File)>,
    /// Records that are not written yet.
    open: Vec<u8>,
}

/// TensorBoard looks for the first part in names; the last part says that the file is ours.
const PREFIX: &str = "events.out.tfevents.";
const SUFFIX: &str = ".differentiable";

impl TensorBoard {
    /// Event files in this directory, which [`begin`](Logger::begin) makes.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        TensorBoard {
            directory: directory.into(),
            file: None,
            open: Vec::new(),
        }
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
                files.push(entry.path());
            }
        }
        Ok(files)
    }

    fn add(&mut self, step: u64, value: &Value<'_>) {
        let event = event::of_value(now(), step, value);
        records::frame(&event, &mut self.open);
    }

    /// Shows a graph under "Graphs": what `to_graph_def` of a recorded graph gives. The file is written at the next
    /// [`flush`](Logger::flush). A run shows the graph that was added last.
    ///
    /// # Errors
    /// If the directory cannot be made.
    pub fn graph(&mut self, graph_def: &[u8]) -> Result<(), LogError> {
        fs::create_dir_all(&self.directory).map_err(|error| LogError::Write {
            path: self.directory.clone(),
            error,
        })?;
        records::frame(&event::of_graph(now(), graph_def), &mut self.open);
        Ok(())
    }

    fn make_file(&mut self) -> io::Result<(PathBuf, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!(
            "{PREFIX}{:010}.{}.{}{SUFFIX}",
            now() as u64,
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let path = self.directory.join(name);
        let file = File::create(&path)?;
        let mut first = Vec::new();
        records::frame(&event::of_version(now()), &mut first);
        self.open.splice(0..0, first);
        Ok((path, file))
    }
}

/// Removes the events of later steps, and what a killed program left of a record.
fn cut(path: &Path, steps: u64) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let mut kept = Vec::new();
    for event in records::frames(&bytes) {
        if event::step(event).is_some_and(|step| step <= steps) {
            records::frame(event, &mut kept);
        }
    }
    match kept == bytes {
        true => Ok(()),
        false => write_atomically(path, &kept),
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}

impl Logger for TensorBoard {
    fn begin(&mut self, resumed: Option<&Resumed<'_>>) -> Result<(), LogError> {
        let begin = || -> io::Result<()> {
            fs::create_dir_all(&self.directory)?;
            for path in self.files()? {
                match resumed {
                    None => fs::remove_file(path)?,
                    Some(resumed) => cut(&path, resumed.steps)?,
                }
            }
            Ok(())
        };
        begin().map_err(|error| LogError::Write {
            path: self.directory.clone(),
            error,
        })
    }

    fn scalar(&mut self, name: &str, step: u64, value: f64) -> Result<(), LogError> {
        self.add(step, &Value::Scalar { name, value });
        Ok(())
    }

    /// In 30 buckets of equal width; numbers that are not finite are left out.
    fn histogram(&mut self, name: &str, step: u64, values: &[f64]) -> Result<(), LogError> {
        self.add(step, &Value::Histogram { name, values });
        Ok(())
    }

    fn image(&mut self, name: &str, step: u64, image: &Image) -> Result<(), LogError> {
        self.add(step, &Value::Image { name, image });
        Ok(())
    }

    /// As Markdown, which TensorBoard shows.
    fn text(&mut self, name: &str, step: u64, text: &str) -> Result<(), LogError> {
        self.add(step, &Value::Text { name, text });
        Ok(())
    }

    fn flush(&mut self) -> Result<(), LogError> {
        if self.open.is_empty() {
            return Ok(());
        }
        let error = |path: &Path, error| LogError::Write {
            path: path.into(),
            error,
        };
        let (path, mut file) = match self.file.take() {
            Some(file) => file,
            None => {
                let made = self.make_file();
                made.map_err(|e| error(&self.directory, e))?
            }
        };
        let written = file.write_all(&self.open);
        written.map_err(|e| error(&path, e))?;
        self.open.clear();
        self.file = Some((path, file));
        Ok(())
    }
}
