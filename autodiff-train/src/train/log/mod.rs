//! Logs of a run: one trait, [`Logger`], and where its values go.
//!
//! | log | what it writes |
//! |---|---|
//! | [`Csv`] | a table with a row for each step that has values |
//! | [`JsonLines`] | an object on each line; texts and summaries of histograms too |
//! | [`TensorBoard`] | event files: scalars, histograms, images, texts |
//! | `Curves` | a picture of the values, as PNG or SVG; with the feature `pictures` |
//!
//! ```
//! use differentiable::train::log::{Csv, Logger};
//!
//! let path = std::env::temp_dir().join("log-of-a-loop.csv");
//! let mut log = Csv::at(&path);
//! log.begin(None)?;
//! for step in 1..=2 {
//!     log.scalar("loss", step, 1.0 / step as f64)?;
//!     log.scalar("accuracy", step, 0.5)?;
//! }
//! log.flush()?;
//! let text = std::fs::read_to_string(&path).unwrap();
//! assert_eq!(text, "step,loss,accuracy\n1,1,0.5\n2,0.5,0.5\n");
//! # Ok::<(), differentiable::train::log::LogError>(())
//! ```

mod csv;
#[cfg(feature = "pictures")]
mod curves;
mod image;
mod json_lines;
mod progress_line;
mod rows;
mod tensorboard;

pub use csv::Csv;
#[cfg(feature = "pictures")]
pub use curves::Curves;
pub use image::{Image, ImageError};
pub use json_lines::JsonLines;
pub(super) use progress_line::ProgressLine;
pub use tensorboard::TensorBoard;

use super::EpochReport;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Takes the values of a run. The step is the number of steps of the optimiser.
///
/// A log that cannot show a histogram, an image or a text leaves it out.
pub trait Logger {
    /// Before the first value. A log of the same place from before is replaced, or, where a run is resumed, continued:
    /// what it has of later steps than the checkpoint is removed.
    fn begin(&mut self, resumed: Option<&Resumed<'_>>) -> Result<(), LogError>;

    /// A number. Values of one step come one after the other.
    fn scalar(&mut self, name: &str, step: u64, value: f64) -> Result<(), LogError>;

    /// How numbers are spread.
    fn histogram(&mut self, name: &str, step: u64, values: &[f64]) -> Result<(), LogError> {
        let _ = (name, step, values);
        Ok(())
    }

    /// A picture.
    fn image(&mut self, name: &str, step: u64, image: &Image) -> Result<(), LogError> {
        let _ = (name, step, image);
        Ok(())
    }

    /// A text, such as a sample of a language model.
    fn text(&mut self, name: &str, step: u64, text: &str) -> Result<(), LogError> {
        let _ = (name, step, text);
        Ok(())
    }

    /// Writes what is held back. Called after each epoch and before each checkpoint.
    fn flush(&mut self) -> Result<(), LogError>;
}

/// Where a run goes on.
#[derive(Clone, Copy, Debug)]
pub struct Resumed<'r> {
    /// The steps of the optimiser that are done.
    pub steps: u64,
    /// The epochs that are done.
    pub epochs: &'r [EpochReport],
}

/// Why a log could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file or the directory cannot be read or written.
    #[error("{}: cannot write the log: {error}", path.display())]
    Write {
        /// The file or the directory.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file that a resumed run should continue is something else.
    #[error("{}:{line}: not the log of a run: expected {expected}, found {found:?}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The values cannot be drawn.
    #[error("{}: cannot draw the curves: {reason}", path.display())]
    Draw {
        /// The picture.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
}

/// All logs of a run as one.
pub(super) struct Loggers<'a>(pub(super) Vec<Box<dyn Logger + 'a>>);

impl Loggers<'_> {
    fn each(
        &mut self,
        mut call: impl FnMut(&mut dyn Logger) -> Result<(), LogError>,
    ) -> Result<(), LogError> {
        self.0.iter_mut().try_for_each(|logger| call(&mut **logger))
    }
}

impl Logger for Loggers<'_> {
    fn begin(&mut self, resumed: Option<&Resumed<'_>>) -> Result<(), LogError> {
        self.each(|l| l.begin(resumed))
    }
    fn scalar(&mut self, name: &str, step: u64, value: f64) -> Result<(), LogError> {
        self.each(|l| l.scalar(name, step, value))
    }
    fn histogram(&mut self, name: &str, step: u64, values: &[f64]) -> Result<(), LogError> {
        self.each(|l| l.histogram(name, step, values))
    }
    fn image(&mut self, name: &str, step: u64, image: &Image) -> Result<(), LogError> {
        self.each(|l| l.image(name, step, image))
    }
    fn text(&mut self, name: &str, step: u64, text: &str) -> Result<(), LogError> {
        self.each(|l| l.text(name, step, text))
    }
    fn flush(&mut self) -> Result<(), LogError> {
        self.each(|l| l.flush())
    }
}
