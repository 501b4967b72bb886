//! Fields of a JSON object as numbers, vectors and matrices of the expected size.

use serde_json::{Map, Value};
use std::fmt;

/// Why a function could not be evaluated.
#[derive(Debug, PartialEq)]
pub enum EvalError {
    UnknownModule(String),
    UnknownFunction {
        module: &'static str,
        found: String,
    },
    Missing(String),
    /// A field of another kind than expected.
    Kind {
        field: String,
        expected: &'static str,
        found: &'static str,
    },
    Length {
        field: String,
        expected: usize,
        found: usize,
    },
    /// A number outside its range.
    Value {
        field: String,
        expected: String,
        found: String,
    },
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::UnknownModule(found) => write!(f, "unknown module `{found}`"),
            EvalError::UnknownFunction { module, found } => {
                write!(f, "module `{module}` has no function `{found}`")
            }
            EvalError::Missing(field) => write!(f, "field `{field}` is missing"),
            EvalError::Kind {
                field,
                expected,
                found,
            } => write!(f, "field `{field}`: expected {expected}, found {found}"),
            EvalError::Length {
                field,
                expected,
                found,
            } => {
                let elements = count(*expected);
                write!(f, "field `{field}`: expected {elements}, found {found}")
            }
            EvalError::Value {
                field,
                expected,
                found,
            } => write!(f, "field `{field}`: expected {expected}, found {found}"),
        }
    }
}

impl std::error::Error for EvalError {}

impl EvalError {
    pub fn kind(field: &str, expected: &'static str, found: &Value) -> Self {
        EvalError::Kind {
            field: field.into(),
            expected,
            found: match found {
                Value::Null => "null",
                Value::Bool(_) => "a boolean",
                Value::Number(_) => "another kind of number",
                Value::String(_) => "a string",
                Value::Array(_) => "an array",
                Value::Object(_) => "an object",
            },
        }
    }
}

/// A number that must be finite: JSON has no others, but `1e999` overflows.
pub fn number(field: &str, value: &Value) -> Result<f64, EvalError> {
    value
        .as_f64()
        .filter(|number| number.is_finite())
        .ok_or_else(|| EvalError::kind(field, "a number", value))
}

fn elements<'a>(
    field: &str,
    value: &'a Value,
    length: Option<usize>,
) -> Result<&'a [Value], EvalError> {
    let elements = value
        .as_array()
        .ok_or_else(|| EvalError::kind(field, "an array", value))?;
    match length {
        Some(expected) if elements.len() != expected => Err(EvalError::Length {
            field: field.into(),
            expected,
            found: elements.len(),
        }),
        _ => Ok(elements),
    }
}

/// The fields of the input.
pub struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub fn of(input: &'a Value) -> Result<Self, EvalError> {
        input
            .as_object()
            .map(Fields)
            .ok_or_else(|| EvalError::kind("input", "an object", input))
    }

    fn value(&self, field: &str) -> Result<&'a Value, EvalError> {
        self.0
            .get(field)
            .ok_or_else(|| EvalError::Missing(field.into()))
    }

    /// A field that may be absent.
    pub fn optional<T>(
        &self,
        field: &str,
        default: T,
        read: impl FnOnce(&Self, &str) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        match self.0.contains_key(field) {
            true => read(self, field),
            false => Ok(default),
        }
    }

    pub fn number(&self, field: &str) -> Result<f64, EvalError> {
        number(field, self.value(field)?)
    }

    /// An integer that is not negative and small enough for arithmetic with sizes not to overflow.
    pub fn integer(&self, field: &str) -> Result<usize, EvalError> {
        let value = self.value(field)?;
        let found = value
            .as_u64()
            .ok_or_else(|| EvalError::kind(field, "an integer that is not negative", value))?;
        in_range(field, found, 0)
    }

    /// A size: an integer of at least `least`.
    pub fn size(&self, field: &str, least: u64) -> Result<usize, EvalError> {
        in_range(field, self.integer(field)? as u64, least)
    }

    /// A vector; without `length` it may have any.
    pub fn vector(&self, field: &str, length: Option<usize>) -> Result<Vec<f64>, EvalError> {
        let values = elements(field, self.value(field)?, length)?;
        values
            .iter()
            .enumerate()
            .map(|(index, value)| number(&format!("{field}[{index}]"), value))
            .collect()
    }

    /// A vector whose length the program knows when it is compiled.
    pub fn array<const N: usize>(&self, field: &str) -> Result<[f64; N], EvalError> {
        let mut array = [0.0; N];
        array.copy_from_slice(&self.vector(field, Some(N))?);
        Ok(array)
    }

    /// The rows of a matrix, one after the other.
    pub fn matrix(&self, field: &str, rows: usize, columns: usize) -> Result<Vec<f64>, EvalError> {
        let mut entries = Vec::new();
        for (index, row) in elements(field, self.value(field)?, Some(rows))?
            .iter()
            .enumerate()
        {
            let name = format!("{field}[{index}]");
            for (column, value) in elements(&name, row, Some(columns))?.iter().enumerate() {
                entries.push(number(&format!("{name}[{column}]"), value)?);
            }
        }
        Ok(entries)
    }

    /// The numbers of rows and columns of a matrix, as its first row tells; both at least 1.
    pub fn dimensions(&self, field: &str) -> Result<(usize, usize), EvalError> {
        let rows = elements(field, self.value(field)?, None)?;
        let Some(first) = rows.first() else {
            return Err(too_small(field, 1, 0));
        };
        let name = format!("{field}[0]");
        let columns = elements(&name, first, None)?.len();
        if columns == 0 {
            return Err(too_small(&name, 1, 0));
        }
        Ok((rows.len(), columns))
    }
}

fn count(elements: usize) -> String {
    match elements {
        1 => "1 element".into(),
        _ => format!("{elements} elements"),
    }
}

/// Larger sizes need more memory than there is.
const LARGEST: u64 = 1 << 22;

fn in_range(field: &str, found: u64, least: u64) -> Result<usize, EvalError> {
    if found < least || found > LARGEST {
        return Err(EvalError::Value {
            field: field.into(),
            expected: format!("an integer from {least} to {LARGEST}"),
            found: found.to_string(),
        });
    }
    Ok(found as usize)
}

/// The error for a sequence that must have more elements.
pub fn too_small(field: &str, least: usize, found: usize) -> EvalError {
    EvalError::Value {
        field: field.into(),
        expected: format!("at least {}", count(least)),
        found: found.to_string(),
    }
}
