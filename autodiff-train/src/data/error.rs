use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a data file could not be read. Each message names the file, the line, what stands there and
/// what was expected. What the system said is the [`source`](std::error::Error::source), not repeated in
/// the message.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file cannot be opened.
    #[error("{}: cannot open the data file", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Reading stopped in the middle: a disk error, or a damaged `.gz`.
    #[error("{}:{line}: cannot read on", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The first line that could not be read.
        line: u64,
        /// What the system or the decompressor said.
        source: io::Error,
    },
    /// The file has no rows.
    #[error("{}: expected at least one row of data, found none", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A row has too few or too many values.
    #[error(
        "{}:{line}: expected {expected} values ({} features and a label), found {found}",
        path.display(), expected - 1
    )]
    RowLength {
        /// The file.
        path: PathBuf,
        /// The row's line.
        line: u64,
        /// Features plus one label.
        expected: usize,
        /// The values on this line.
        found: usize,
    },
    /// A feature is not a number, or not a finite one.
    #[error("{}:{line}: expected a finite number in column {column}, found {found:?}", path.display())]
    Number {
        /// The file.
        path: PathBuf,
        /// The row's line.
        line: u64,
        /// The column, counted from 1.
        column: usize,
        /// The text that stands there.
        found: String,
    },
    /// A feature is a number outside the range that the caller gave.
    #[error(
        "{}:{line}: expected a number from {low} to {high} in column {column}, found {found:?}",
        path.display()
    )]
    OutOfRange {
        /// The file.
        path: PathBuf,
        /// The row's line.
        line: u64,
        /// The column, counted from 1.
        column: usize,
        /// The smallest number allowed.
        low: f32,
        /// The largest number allowed.
        high: f32,
        /// The text that stands there.
        found: String,
    },
    /// A label is not one of the classes.
    #[error(
        "{}:{line}: expected a label from 0 to {} in column {column}, found {found:?}",
        path.display(), classes - 1
    )]
    Label {
        /// The file.
        path: PathBuf,
        /// The row's line.
        line: u64,
        /// The column of the label, counted from 1.
        column: usize,
        /// The number of classes.
        classes: usize,
        /// The text that stands there.
        found: String,
    },
}
