//! Columns that have a type in their file.

use super::{Column, FormatError};

/// Columns of one length.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    rows: usize,
    columns: Vec<Typed>,
}

/// A column, and its first entry that has no value: what is asked of the column is an error then.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) values: Values,
    pub(super) missing: Option<Missing>,
}

/// An entry that is null, or too large.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    pub(super) row: usize,
    pub(super) found: String,
}

#[derive(Clone, Debug)]
pub(super) enum Values {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Texts(Vec<String>),
    /// The name of a type that is no number and no text.
    Other(String),
}

impl Values {
    fn kind(&self) -> String {
        match self {
            Values::Integers(_) => "integers".into(),
            Values::Floats(_) => "floats".into(),
            Values::Texts(_) => "texts".into(),
            Values::Other(name) => name.clone(),
        }
    }
}

impl Columns {
    pub(super) fn new(rows: usize, columns: Vec<Typed>) -> Self {
        Columns { rows, columns }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn texts(&self, at: usize, column: &Column) -> Result<Vec<&str>, FormatError> {
        match &self.columns[at].values {
            Values::Texts(texts) => {
                self.check_complete(at, column, "a text")?;
                Ok(texts.iter().map(String::as_str).collect())
            }
            other => Err(wrong_type("texts", column, other)),
        }
    }

    pub(super) fn integers(&self, at: usize, column: &Column) -> Result<Vec<i64>, FormatError> {
        match &self.columns[at].values {
            Values::Integers(integers) => {
                self.check_complete(at, column, "an integer that fits into an i64")?;
                Ok(integers.clone())
            }
            other => Err(wrong_type("integers", column, other)),
        }
    }

    pub(super) fn numbers(&self, at: usize, column: &Column) -> Result<Vec<f64>, FormatError> {
        const EXPECTED: &str = "a finite number";
        let numbers = match &self.columns[at].values {
            Values::Integers(integers) => integers.iter().map(|&n| n as f64).collect(),
            Values::Floats(floats) => floats.clone(),
            other => return Err(wrong_type("numbers", column, other)),
        };
        self.check_complete(at, column, EXPECTED)?;
        match numbers.iter().position(|x| !x.is_finite()) {
            None => Ok(numbers),
            Some(row) => Err(FormatError::Entry {
                expected: EXPECTED,
                column: column.to_string(),
                row,
                found: numbers[row].to_string(),
            }),
        }
    }

    fn check_complete(
        &self,
        at: usize,
        column: &Column,
        expected: &'static str,
    ) -> Result<(), FormatError> {
        match &self.columns[at].missing {
            None => Ok(()),
            Some(Missing { row, found }) => Err(FormatError::Entry {
                expected,
                column: column.to_string(),
                row: *row,
                found: found.clone(),
            }),
        }
    }
}

fn wrong_type(expected: &'static str, column: &Column, found: &Values) -> FormatError {
    FormatError::ColumnType {
        expected,
        column: column.to_string(),
        found: found.kind(),
    }
}
