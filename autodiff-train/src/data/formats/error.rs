use thiserror::Error;

/// What is wrong with the content of a file. A [`DataError::Format`](crate::data::DataError::Format) names the file before it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is of another kind, or its first bytes are damaged.
    #[error("expected {expected}, found {found}")]
    Magic {
        /// What a file of this kind begins with.
        expected: &'static str,
        /// The first bytes.
        found: String,
    },
    /// The file ends too early, or goes on behind its data.
    #[error("expected {expected} bytes of {what}, found {found}")]
    Size {
        /// The part of the file.
        what: &'static str,
        /// Its size as the header says.
        expected: u64,
        /// Its size.
        found: u64,
    },
    /// The header cannot be understood.
    #[error("expected {expected} in the header, found {found}")]
    Header {
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// An element type that cannot be read, or cannot become the one asked for.
    #[error("expected elements of type {expected}, found {found}")]
    ElementType {
        /// The types that can.
        expected: String,
        /// The type in the file.
        found: String,
    },
    /// A number that the element type asked for does not hold.
    #[error("expected numbers that fit into {expected}, found {found} at index {index}")]
    Number {
        /// The element type.
        expected: String,
        /// Its place, in row-major order.
        index: usize,
        /// The number.
        found: String,
    },
    /// An array has another shape than the caller says.
    #[error("expected an array of shape {expected}, found {found:?}")]
    Shape {
        /// The shape asked for, with the names of run-time dimensions.
        expected: String,
        /// The shape in the file.
        found: Vec<usize>,
    },
    /// There is no array of this name.
    #[error("expected an array {name:?}, found {}", list(names))]
    NoArray {
        /// The name asked for.
        name: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// There is no column of this name or number.
    #[error("expected a column {column}, found {}", list(columns))]
    NoColumn {
        /// The name, or the number counted from 0.
        column: String,
        /// The names that there are.
        columns: Vec<String>,
    },
    /// A label is not one of the classes.
    #[error("expected a label from 0 to {} in row {row}, found {found}", *classes as i64 - 1)]
    Label {
        /// The row, counted from 0.
        row: usize,
        /// The number of classes.
        classes: usize,
        /// The label.
        found: i64,
    },
    /// A label in a table is not one of the classes.
    #[error(
        "expected a label from 0 to {} in column {column} of line {line}, found {found}",
        *classes as i64 - 1
    )]
    Class {
        /// The name of the column, or its number counted from 0.
        column: String,
        /// The line, counted from 1.
        line: u64,
        /// The number of classes.
        classes: usize,
        /// The label.
        found: i64,
    },
    /// A cell of a table is not what the caller says.
    #[error("expected {expected} in column {column} of line {line}, found {found:?}")]
    Cell {
        /// What was asked for, such as a finite number.
        expected: &'static str,
        /// The name of the column, or its number counted from 0.
        column: String,
        /// The line, counted from 1.
        line: u64,
        /// The text that stands there.
        found: String,
    },
    /// A row of a table has too few or too many cells.
    #[error("expected {expected} cells in line {line}, found {found}")]
    Cells {
        /// The cells of the first line.
        expected: usize,
        /// The line, counted from 1.
        line: u64,
        /// The cells of this line.
        found: usize,
    },
    /// A column name that stands twice in the header.
    #[error("expected different names of columns, found {name:?} twice")]
    SameColumn {
        /// The name.
        name: String,
    },
    /// A text that is not UTF-8.
    #[error("expected UTF-8 text in line {line}, found other bytes")]
    Text {
        /// The line, counted from 1.
        line: u64,
    },
    /// Something stands in a folder, or is missing there, that should not be.
    #[error("expected {expected}, found {found}")]
    Folder {
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// An image has another size than the caller says.
    #[error(
        "expected an image of {} × {} pixels (height × width), found {} × {}",
        expected[0], expected[1], found[0], found[1]
    )]
    ImageSize {
        /// Height and width asked for.
        expected: [usize; 2],
        /// Those of the file.
        found: [usize; 2],
    },
    /// A column of a typed table holds something else than what was asked for.
    #[error("expected {expected} in column {column}, found {found}")]
    ColumnType {
        /// What was asked for, such as numbers.
        expected: &'static str,
        /// The name of the column, or its number counted from 0.
        column: String,
        /// What the file says that it holds.
        found: String,
    },
    /// An entry of a typed table is missing, or is not what the caller says.
    #[error("expected {expected} in column {column} of row {row}, found {found}")]
    Entry {
        /// What was asked for, such as a finite number.
        expected: &'static str,
        /// The name of the column, or its number counted from 0.
        column: String,
        /// The row, counted from 0.
        row: usize,
        /// What stands there; `null` if nothing does.
        found: String,
    },
    /// What the reader of a container says: a damaged archive, a header that is no JSON.
    #[error("expected {expected}, found an error: {reason}")]
    Container {
        /// The kind of file.
        expected: &'static str,
        /// What its reader says.
        reason: String,
    },
}

/// The first names of a list that may be long.
fn list(names: &[String]) -> String {
    const MOST: usize = 8;
    if names.is_empty() {
        return "none".into();
    }
    let shown: Vec<String> = names.iter().take(MOST).map(|n| format!("{n:?}")).collect();
    match names.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        _ => shown.join(", "),
    }
}
