//! What can go wrong on a tape.

use thiserror::Error;

/// Why a gradient was not computed, or an operation not recorded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TapeError {
    /// Two tapes know nothing of one another.
    #[error(
        "`{operation}`: a value of another tape: bring it over by `tape.constant(x.value().clone())`, which has no gradient"
    )]
    OtherTape {
        /// The operation or the method that was given the value.
        operation: &'static str,
    },
    /// The operation that made the value is no longer on the tape.
    #[error(
        "`{operation}`: the tape was cleared after this value was computed: compute it again, or use `x.detach()`, which has no gradient"
    )]
    Cleared {
        /// The operation or the method that was given the value.
        operation: &'static str,
    },
    /// The value was computed from constants alone, or under `no_grad`.
    #[error("`{operation}`: the value depends on no variable of the tape, so it has no gradient")]
    NoGradient {
        /// The method that was called.
        operation: &'static str,
    },
    /// One of the values that the gradient was asked by has no part in it.
    #[error(
        "`{operation}`: the value does not depend on {what}: see `gradient_or_zero` for a zero in its place"
    )]
    Unconnected {
        /// The method that was called.
        operation: &'static str,
        /// The variable or the operation.
        what: String,
    },
    /// The gradient of this operation is not made of operations of the tape.
    #[error("the gradient of `{operation}` has no derivative on a tape: {instead}")]
    NoSecondDerivative {
        /// The operation.
        operation: &'static str,
        /// What to write in its place.
        instead: &'static str,
    },
}

/// The value of an operation whose operands are of one tape and of one time, so that it does not fail.
pub(crate) fn of_one_tape<T>(value: Result<T, TapeError>) -> T {
    value.unwrap_or_else(|e| panic!("values of one tape: {e}"))
}

/// The value of a result, or a panic with the error, at the caller's line.
pub(crate) trait OrPanic {
    type Value;
    fn or_panic(self) -> Self::Value;
}

impl<T> OrPanic for Result<T, TapeError> {
    type Value = T;
    #[track_caller]
    fn or_panic(self) -> T {
        match self {
            Ok(value) => value,
            Err(error) => panic!("{error}"),
        }
    }
}
