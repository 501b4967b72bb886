//! Tables whose columns are asked for by name or number: CSV and Parquet files.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod typed;

use super::{FormatError, bytes};
use crate::data::DataError;
use ::csv::StringRecord;
use autodiff_nn::shape::{Dim, Sz};
use autodiff_nn::tensor::Tensor;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the first line of a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// The names of the columns.
    Names,
    /// A row of data: columns have numbers only, counted from 0.
    Data,
}

/// A column of a table, by name or by number, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// By the name in the first line.
    Name(String),
    /// By the number, counted from 0.
    At(usize),
}

impl From<&str> for Column {
    fn from(name: &str) -> Self {
        Column::Name(name.into())
    }
}

impl From<usize> for Column {
    fn from(number: usize) -> Self {
        Column::At(number)
    }
}

impl std::fmt::Display for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Column::Name(name) => write!(f, "{name:?}"),
            Column::At(number) => write!(f, "{number}"),
        }
    }
}

/// A table from a CSV file, plain or compressed by gzip, or with the feature `parquet` from a Parquet file.
///
/// ```
/// use differentiable::data::{DataError, Header, InMemory, Table};
/// use differentiable::prelude::*;
///
/// dim!(Rows);
///
/// # let path = std::env::temp_dir().join("irises.csv");
/// std::fs::write(&path, "length,width,species\n5.1,3.5,setosa\n7.0,3.2,versicolor\n")?;
/// let table = Table::read(&path, Header::Names)?;
/// let x: Tensor![Rows, 2] = table.features(["length", "width"], Rows)?;
/// let (y, names) = table.classes("species", Rows)?;
/// assert_eq!(x.to_vec(), [5.1, 3.5, 7.0, 3.2]);
/// assert_eq!((y.to_vec(), names), (vec![0, 1], vec!["setosa".into(), "versicolor".into()]));
/// let data = InMemory::new((x, y))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    path: PathBuf,
    names: Vec<String>,
    width: usize,
    cells: Cells,
}

#[derive(Clone, Debug)]
enum Cells {
    /// Texts, which become numbers when they are asked for.
    Lines(Vec<Line>),
    #[cfg(feature = "parquet")]
    Typed(typed::Columns),
}

#[derive(Clone, Debug)]
struct Line {
    number: u64,
    cells: StringRecord,
}

impl Table {
    /// Reads a table whose cells are separated by commas, as RFC 4180 says; a quoted cell may hold commas and line ends.
    /// Blanks around a cell and a byte order mark are left out.
    ///
    /// # Errors
    /// If the file cannot be read, has no row of data, is no UTF-8 text, or a row has more or fewer cells than the first
    /// line; if a name stands twice in the header.
    pub fn read(path: impl AsRef<Path>, header: Header) -> Result<Self, DataError> {
        Self::read_separated(path, header, b',')
    }

    /// As [`read`](Table::read), with another separator, such as `b'\t'` or `b';'`.
    pub fn read_separated(
        path: impl AsRef<Path>,
        header: Header,
        separator: u8,
    ) -> Result<Self, DataError> {
        let path = path.as_ref();
        csv::parse(path, &bytes::read(path)?, header, separator)
    }

    /// Reads a Parquet file, without its nested columns. With the feature `parquet`.
    ///
    /// | column in the file | |
    /// |---|---|
    /// | integers, truth values | [`integers`](Table::integers), [`numbers`](Table::numbers), [`features`](Table::features) |
    /// | floats of 16, 32 and 64 bits | [`numbers`](Table::numbers), [`features`](Table::features) |
    /// | texts, categories of texts | [`texts`](Table::texts), [`classes`](Table::classes) |
    /// | dates, times, decimals, bytes | an error when they are asked for |
    ///
    /// A missing entry is an error when its column is asked for. Pages may be compressed by snappy or gzip; a program that
    /// depends on the crate `parquet` with its feature `zstd`, `lz4` or `brotli` reads these too.
    ///
    /// ```
    /// use differentiable::data::Table;
    /// use differentiable::prelude::*;
    ///
    /// dim!(Rows);
    ///
    /// # let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    /// let table = Table::read_parquet(folder.join("table.parquet"))?;
    /// let x: Tensor![Rows, 2] = table.features(["height", "age"], Rows)?;
    /// let (y, names) = table.classes("name", Rows)?;
    /// # assert_eq!(x.at([0, 1]), 36.0);
    /// # Ok::<(), differentiable::data::DataError>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read, is no Parquet file, is damaged or compressed in another way, or has no row.
    #[cfg(feature = "parquet")]
    pub fn read_parquet(path: impl AsRef<Path>) -> Result<Self, DataError> {
        parquet::read(path.as_ref())
    }

    /// The number of rows.
    #[allow(clippy::len_without_is_empty)] // A table has at least one row.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Lines(lines) => lines.len(),
            #[cfg(feature = "parquet")]
            Cells::Typed(columns) => columns.rows(),
        }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The names of the columns; none without a header.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The texts of a column.
    ///
    /// # Errors
    /// [`FormatError::NoColumn`]; of a Parquet file, [`FormatError::ColumnType`] and [`FormatError::Entry`].
    pub fn texts(&self, column: impl Into<Column>) -> Result<Vec<&str>, DataError> {
        let column = column.into();
        let at = self.column(&column)?;
        match &self.cells {
            Cells::Lines(lines) => Ok(lines.iter().map(|line| &line.cells[at]).collect()),
            #[cfg(feature = "parquet")]
            Cells::Typed(columns) => columns.texts(at, &column).map_err(|e| self.problem(e)),
        }
    }

    /// A column as finite numbers.
    ///
    /// # Errors
    /// [`FormatError::NoColumn`], [`FormatError::Cell`]; of a Parquet file, [`FormatError::ColumnType`] and
    /// [`FormatError::Entry`].
    pub fn numbers(&self, column: impl Into<Column>) -> Result<Vec<f64>, DataError> {
        let column = column.into();
        let at = self.column(&column)?;
        let finite = |text: &str| text.parse().ok().filter(|x: &f64| x.is_finite());
        match &self.cells {
            Cells::Lines(lines) => self.each(lines, at, &column, "a finite number", finite),
            #[cfg(feature = "parquet")]
            Cells::Typed(columns) => columns.numbers(at, &column).map_err(|e| self.problem(e)),
        }
    }

    /// A column as integers.
    ///
    /// # Errors
    /// As [`numbers`](Table::numbers).
    pub fn integers(&self, column: impl Into<Column>) -> Result<Vec<i64>, DataError> {
        let column = column.into();
        let at = self.column(&column)?;
        let integer = |text: &str| text.parse().ok();
        match &self.cells {
            Cells::Lines(lines) => self.each(lines, at, &column, "an integer", integer),
            #[cfg(feature = "parquet")]
            Cells::Typed(columns) => columns.integers(at, &column).map_err(|e| self.problem(e)),
        }
    }

    /// Columns of finite numbers side by side: row `r` of the tensor is row `r` of the table. `rows` makes the dimension
    /// of the rows.
    ///
    /// # Errors
    /// Those of [`numbers`](Table::numbers); [`DataError::Size`] if the dimension has a fixed size that is not the number of
    /// rows.
    pub fn features<R: Dim, const F: usize>(
        &self,
        columns: [impl Into<Column>; F],
        rows: impl Fn(usize) -> R,
    ) -> Result<Tensor<(R, Sz<F>)>, DataError> {
        let mut values = vec![0.0; self.len() * F];
        for (at, column) in columns.into_iter().enumerate() {
            for (row, x) in self.numbers(column)?.into_iter().enumerate() {
                values[row * F + at] = x as f32;
            }
        }
        let rows = rows(self.len());
        Tensor::from_vec_with((rows, Sz), values).map_err(|_| self.wrong_size(rows))
    }

    /// A column of texts as classes, and the texts in the order of the classes, which is alphabetical.
    ///
    /// # Errors
    /// Those of [`texts`](Table::texts); [`DataError::Size`] if the dimension has a fixed size that is not the number of rows.
    pub fn classes<R: Dim>(
        &self,
        column: impl Into<Column>,
        rows: impl Fn(usize) -> R,
    ) -> Result<(Tensor<(R,), i64>, Vec<String>), DataError> {
        let texts = self.texts(column)?;
        let mut numbers: BTreeMap<&str, i64> = texts.iter().map(|&text| (text, 0)).collect();
        for (number, class) in numbers.values_mut().enumerate() {
            *class = number as i64;
        }
        let labels = texts.iter().map(|text| numbers[text]).collect();
        let names = numbers.keys().map(|text| text.to_string()).collect();
        let rows = rows(self.len());
        let labels = Tensor::from_vec_with((rows,), labels).map_err(|_| self.wrong_size(rows))?;
        Ok((labels, names))
    }

    /// A column of integers as classes, from 0 to `classes − 1`.
    ///
    /// # Errors
    /// Those of [`integers`](Table::integers); [`FormatError::Label`], or of a CSV file [`FormatError::Class`], for a label that
    /// is not below `classes`; [`DataError::Size`] as [`classes`](Table::classes).
    pub fn labels<R: Dim>(
        &self,
        column: impl Into<Column>,
        classes: usize,
        rows: impl Fn(usize) -> R,
    ) -> Result<Tensor<(R,), i64>, DataError> {
        let column = column.into();
        let labels = self.integers(column.clone())?;
        let fits = |&label: &i64| usize::try_from(label).is_ok_and(|l| l < classes);
        if let Some(row) = labels.iter().position(|label| !fits(label)) {
            let found = labels[row];
            let problem = match &self.cells {
                Cells::Lines(lines) => FormatError::Class {
                    column: column.to_string(),
                    line: lines[row].number,
                    classes,
                    found,
                },
                #[cfg(feature = "parquet")]
                Cells::Typed(_) => FormatError::Label {
                    row,
                    classes,
                    found,
                },
            };
            return Err(DataError::format(&self.path, problem));
        }
        let rows = rows(self.len());
        Tensor::from_vec_with((rows,), labels).map_err(|_| self.wrong_size(rows))
    }

    fn wrong_size(&self, rows: impl Dim) -> DataError {
        DataError::Size {
            dim: "of the rows",
            expected: rows.size(),
            found: self.len(),
        }
    }

    fn column(&self, column: &Column) -> Result<usize, DataError> {
        let at = match column {
            Column::Name(name) => self.names.iter().position(|n| n == name),
            Column::At(number) => Some(*number).filter(|&n| n < self.width),
        };
        at.ok_or_else(|| {
            let columns = match self.names.as_slice() {
                [] => (0..self.width).map(|n| n.to_string()).collect(),
                names => names.to_vec(),
            };
            let column = column.to_string();
            DataError::format(&self.path, FormatError::NoColumn { column, columns })
        })
    }

    #[cfg(feature = "parquet")]
    fn problem(&self, problem: FormatError) -> DataError {
        DataError::format(&self.path, problem)
    }

    fn each<T>(
        &self,
        lines: &[Line],
        at: usize,
        column: &Column,
        expected: &'static str,
        f: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, DataError> {
        const LONGEST: usize = 40;
        let cells = lines.iter().map(|line| {
            let text = &line.cells[at];
            f(text).ok_or_else(|| {
                let problem = FormatError::Cell {
                    expected,
                    column: column.to_string(),
                    line: line.number,
                    found: text.chars().take(LONGEST).collect(),
                };
                DataError::format(&self.path, problem)
            })
        });
        cells.collect()
    }
}
