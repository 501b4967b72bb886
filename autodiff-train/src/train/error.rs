use super::StepError;
use super::log::LogError;
use crate::data::DataError;
use crate::dist::CommError;
use crate::io::CheckpointError;
use std::error::Error;
use std::path::PathBuf;
use thiserror::Error;

/// Why a training run ended with an error. Each message is one line that says what is wrong, where, and what was
/// expected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// There is nothing to train on, or nothing to validate with.
    #[error("the {role} source has no batches, expected at least one")]
    Empty {
        /// `training` or `validation`.
        role: &'static str,
    },
    /// A source gave fewer batches than it had announced.
    #[error("epoch {epoch}: the {role} source ended after {found} batches, expected {expected}")]
    Ended {
        /// `training` or `validation`.
        role: &'static str,
        /// The number of the epoch, from 1.
        epoch: u64,
        /// What `Source::batches` says.
        expected: usize,
        /// The batches that came.
        found: usize,
    },
    /// A batch could not be read.
    #[error(
        "epoch {epoch}, batch {batch} of the {role} source: {}",
        one_line(error)
    )]
    Data {
        /// `training` or `validation`.
        role: &'static str,
        /// The number of the epoch, from 1.
        epoch: u64,
        /// The number of the batch, from 1.
        batch: usize,
        /// What went wrong.
        error: DataError,
    },
    /// A step failed: the loss is not finite, a label is no class, or a device reported an error.
    #[error("step {step} (epoch {epoch}, batch {batch}{}): {error}", of_row(row))]
    Step {
        /// The number of the step of the optimiser, from 1.
        step: u64,
        /// The number of the epoch, from 1.
        epoch: u64,
        /// The number of the batch, from 1.
        batch: usize,
        /// The row of the data set, counted from 0, that has the index which is outside its range: known where the loss takes
        /// one index for each row and the source knows its [rows](crate::data::Source::row_numbers).
        row: Option<usize>,
        /// What went wrong, and where it shows.
        error: StepError,
    },
    /// The loss or a metric of the validation could not be computed.
    #[error("validation of epoch {epoch} (batch {batch}{}): {error}", of_row(row))]
    Validation {
        /// The number of the epoch, from 1.
        epoch: u64,
        /// The number of the batch, from 1.
        batch: usize,
        /// As of [`Step`](TrainError::Step).
        row: Option<usize>,
        /// What went wrong, and where it shows.
        error: StepError,
    },
    /// A parameter is not finite when a checkpoint is to be saved. The old checkpoint stays.
    #[error(
        "step {step} (epoch {epoch}): parameter `{name}` holds {found} at index {index}, expected finite numbers: \
         the checkpoint was not saved"
    )]
    NotFinite {
        /// The number of the step of the optimiser, from 1.
        step: u64,
        /// The number of the epoch, from 1.
        epoch: u64,
        /// The parameter or buffer.
        name: String,
        /// The index of the number, in row-major order.
        index: usize,
        /// The number.
        found: f64,
    },
    /// The checkpoint that a run should go on from was saved with other training data; see
    /// [`Source::fingerprint`](crate::data::Source::fingerprint).
    #[error(
        "{}: the checkpoint was saved with other training data: {what} {found}, expected {expected} as in this program",
        path.display()
    )]
    OtherData {
        /// The checkpoint.
        path: PathBuf,
        /// What differs, such as `rows`.
        what: String,
        /// Its value in this program.
        expected: String,
        /// Its value in the checkpoint.
        found: String,
    },
    /// The checkpoint that a run should go on from was saved with another value of a [setting](super::Fit::setting).
    #[error("{}: the checkpoint was saved with {setting} {found}, expected {expected} as in this program", path.display())]
    OtherSetting {
        /// The checkpoint.
        path: PathBuf,
        /// The name of the setting.
        setting: String,
        /// Its value in this program, or `no value`.
        expected: String,
        /// Its value in the checkpoint, or `no value`.
        found: String,
    },
    /// The ranks of the run could not go on together.
    #[error("{0}")]
    Ranks(CommError),
    /// A checkpoint could not be written, read or used.
    #[error("{}", one_line(&**.0))]
    Checkpoint(Box<CheckpointError>),
    /// A log could not be written, or is not the log of this run.
    #[error("{}", one_line(.0))]
    Log(LogError),
    /// A method of [`Fit`](super::Fit) was called with a value that makes no sense.
    #[error("`{setting}` is {found}, expected {expected}")]
    Setting {
        /// The method.
        setting: &'static str,
        /// What it was given.
        found: String,
        /// What it takes.
        expected: String,
    },
}

/// The row that an error belongs to, in the words of [`DataError::Row`].
fn of_row(row: &Option<usize>) -> String {
    row.map_or(String::new(), |row| format!(", row {row} of the data set"))
}

/// The message of an error, which may have come from another crate, on one line.
fn one_line(error: &dyn Error) -> String {
    error.to_string().replace('\n', " ")
}

// Not `#[from]`: a source would be printed again by programs that print causes, and the message has it.
impl From<CheckpointError> for TrainError {
    fn from(error: CheckpointError) -> Self {
        TrainError::Checkpoint(Box::new(error))
    }
}

impl From<CommError> for TrainError {
    fn from(error: CommError) -> Self {
        TrainError::Ranks(error)
    }
}

impl From<LogError> for TrainError {
    fn from(error: LogError) -> Self {
        TrainError::Log(error)
    }
}
