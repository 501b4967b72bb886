use super::formats::FormatError;
use autodiff_nn::shape::ShapeError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why data could not be read or put together. Each message names the file and the line or row, what stands there and
/// what was expected. The whole cause is in the message, so there is no
/// [`source`](std::error::Error::source) that repeats it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file cannot be opened.
    #[error("{}: cannot open the data file: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Reading stopped in the middle: a disk error, or a damaged `.gz`.
    #[error("{}:{line}: cannot read on: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The first line that could not be read.
        line: u64,
        /// What the system or the decompressor said.
        error: io::Error,
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
    /// Reading a file without lines stopped in the middle: a disk error, or a damaged `.gz`.
    #[error("{}: cannot read on: {error}", path.display())]
    Bytes {
        /// The file.
        path: PathBuf,
        /// What the system or the decompressor said.
        error: io::Error,
    },
    /// The content of a file is not what its format, or the caller, says.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: Box<FormatError>,
    },
    /// A data set without rows, where at least one is needed.
    #[error("expected a data set with at least one row, found none")]
    NoRows,
    /// A batch size of 0.
    #[error("expected a batch size of at least 1, found 0")]
    NoBatchSize,
    /// No batch is full, and those that are not full are left out.
    #[error("expected at least one full batch of {batch_size} rows, found a data set of {rows}")]
    NoFullBatch {
        /// The rows of a batch.
        batch_size: usize,
        /// The rows of the data set.
        rows: usize,
    },
    /// A row that the data set does not have.
    #[error("expected a row below {rows}, found {row}")]
    NoRow {
        /// The row asked for, counted from 0.
        row: usize,
        /// The rows of the data set.
        rows: usize,
    },
    /// A row of a data set cannot be read. The message has the cause, which is often one of the other variants.
    #[error("row {row} of the data set: {cause}")]
    Row {
        /// The row, counted from 0.
        row: usize,
        /// Why.
        cause: Box<DataError>,
    },
    /// Columns of one data set have different numbers of rows.
    #[error("expected {expected} rows in column {column} of the data set, found {found}")]
    Columns {
        /// The column, counted from 0.
        column: usize,
        /// The rows of the first column.
        expected: usize,
        /// The rows of this one.
        found: usize,
    },
    /// The rows of a batch do not have one shape.
    #[error("row {row} of the batch does not have the shape of the first: {cause}")]
    Ragged {
        /// The row of the batch, counted from 0.
        row: usize,
        /// The dimension and its sizes.
        cause: Box<ShapeError>,
    },
    /// An integer of a row does not fit into an `i64`.
    #[error("row {row} of the batch: expected an integer that fits into an i64, found {found}")]
    Integer {
        /// The row of the batch, counted from 0.
        row: usize,
        /// The integer.
        found: u64,
    },
    /// A number of rows or steps that a dimension cannot have.
    #[error("expected {expected} entries for a dimension {dim}, found {found}")]
    Size {
        /// The name of the dimension, or that it has a fixed size.
        dim: &'static str,
        /// Its size.
        expected: usize,
        /// The entries there are.
        found: usize,
    },
    /// A number of parts or a part that a data set cannot be split into.
    #[error("expected {expected}, found {found}")]
    Split {
        /// What can be done, in words.
        expected: String,
        /// What was asked for.
        found: String,
    },
    /// A label that is not one of the classes.
    #[error("expected a class from 0 to {}, found {found}", *classes as i64 - 1)]
    Class {
        /// The number of classes.
        classes: usize,
        /// The label.
        found: i64,
    },
    /// A crop that is larger than its image.
    #[error(
        "expected a crop of at most {height} × {width} pixels, the padded image, found {} × {}",
        crop.0, crop.1
    )]
    Crop {
        /// The height of the padded image.
        height: usize,
        /// Its width.
        width: usize,
        /// Height and width of the crop.
        crop: (usize, usize),
    },
    /// What a data set of one's own reports; see [`DataError::other`].
    #[error("{0}")]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl DataError {
    /// The error of a data set of one's own: any error, or a text.
    ///
    /// ```
    /// use differentiable::data::DataError;
    ///
    /// let error = DataError::other("the camera is not connected");
    /// assert_eq!(error.to_string(), "the camera is not connected");
    /// ```
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        DataError::Other(error.into())
    }

    /// A problem with the content of a file.
    pub(super) fn format(path: &Path, problem: FormatError) -> Self {
        DataError::Format {
            path: path.into(),
            problem: Box::new(problem),
        }
    }
}
