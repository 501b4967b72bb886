//! Tables of text: CSV files whose columns are asked for by name or number.

use super::{FormatError, bytes};
use crate::data::DataError;
use autodiff_nn::shape::{Dim, Sz};
use autodiff_nn::tensor::Tensor;
use csv::{ByteRecord, ReaderBuilder, StringRecord};
use std::collections::{BTreeMap, HashSet};
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

/// A table of text from a CSV file, plain or compressed by gzip.
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
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    line: u64,
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
        parse(path, &bytes::read(path)?, header, separator)
    }

    /// The number of rows.
    #[allow(clippy::len_without_is_empty)] // A table has at least one row.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The names of the columns; none without a header.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The cells of a column.
    ///
    /// # Errors
    /// [`FormatError::NoColumn`].
    pub fn texts(&self, column: impl Into<Column>) -> Result<Vec<&str>, DataError> {
        let at = self.column(&column.into())?;
        Ok(self.rows.iter().map(|row| &row.cells[at]).collect())
    }

    /// A column as finite numbers.
    ///
    /// # Errors
    /// [`FormatError::NoColumn`], [`FormatError::Cell`].
    pub fn numbers(&self, column: impl Into<Column>) -> Result<Vec<f64>, DataError> {
        let finite = |text: &str| text.parse().ok().filter(|x: &f64| x.is_finite());
        self.each(&column.into(), "a finite number", finite)
    }

    /// A column as integers.
    ///
    /// # Errors
    /// [`FormatError::NoColumn`], [`FormatError::Cell`].
    pub fn integers(&self, column: impl Into<Column>) -> Result<Vec<i64>, DataError> {
        self.each(&column.into(), "an integer", |text| text.parse().ok())
    }

    /// Columns of finite numbers side by side: row `r` of the tensor is row `r` of the table. `rows` makes the dimension
    /// of the rows.
    ///
    /// # Errors
    /// [`FormatError::NoColumn`], [`FormatError::Cell`]; [`DataError::Size`] if the dimension has a fixed size that is not the
    /// number of rows.
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
    /// [`FormatError::NoColumn`]; [`DataError::Size`] if the dimension has a fixed size that is not the number of rows.
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

    fn each<T>(
        &self,
        column: &Column,
        expected: &'static str,
        f: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, DataError> {
        const LONGEST: usize = 40;
        let at = self.column(column)?;
        let cells = self.rows.iter().map(|row| {
            let text = &row.cells[at];
            f(text).ok_or_else(|| {
                let problem = FormatError::Cell {
                    expected,
                    column: column.to_string(),
                    line: row.line,
                    found: text.chars().take(LONGEST).collect(),
                };
                DataError::format(&self.path, problem)
            })
        });
        cells.collect()
    }
}

fn parse(path: &Path, text: &[u8], header: Header, separator: u8) -> Result<Table, DataError> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(separator)
        .from_reader(text);
    let mut width = None;
    let mut rows = Vec::new();
    let mut record = ByteRecord::new();
    loop {
        let start = reader.position().clone();
        let more = reader.read_byte_record(&mut record);
        if !more.map_err(|e| unreadable(path, e))? {
            break;
        }
        // The reader counts empty lines as a part of the row behind them.
        let before = text[start.byte() as usize..].iter();
        let before = before.take_while(|b| matches!(b, b'\r' | b'\n'));
        let line = start.line() + before.filter(|&&b| b == b'\n').count() as u64;
        let wrong = |problem| DataError::format(path, problem);
        let cells = StringRecord::from_byte_record(record.clone());
        let cells = cells.map_err(|_| wrong(FormatError::Text { line }))?;
        let expected = *width.get_or_insert(cells.len());
        if cells.len() != expected {
            let found = cells.len();
            return Err(wrong(FormatError::Cells {
                expected,
                line,
                found,
            }));
        }
        rows.push(Row { line, cells });
    }
    let names = match header {
        Header::Names if !rows.is_empty() => {
            let first = rows.remove(0).cells;
            first.iter().map(str::to_string).collect()
        }
        _ => Vec::new(),
    };
    let mut seen = HashSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
        let name = name.clone();
        return Err(DataError::format(path, FormatError::SameColumn { name }));
    }
    if rows.is_empty() {
        return Err(DataError::Empty { path: path.into() });
    }
    Ok(Table {
        path: path.into(),
        names,
        width: width.unwrap_or(0),
        rows,
    })
}

fn unreadable(path: &Path, error: csv::Error) -> DataError {
    let reason = error.to_string();
    let expected = "a table";
    DataError::format(path, FormatError::Container { expected, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    autodiff_nn::dim!(Rows);

    fn table(text: &[u8], header: Header) -> Result<Table, String> {
        parse(Path::new("t.csv"), text, header, b',').map_err(|e| e.to_string())
    }

    fn message<T>(result: Result<T, DataError>) -> String {
        result.err().map_or("no error".into(), |e| e.to_string())
    }

    #[test]
    fn columns_by_name_and_number() {
        let text = "\u{feff}name, age,\"height, m\"\nAda,36,1.65\r\n\"Bob\nJr\", 7 ,0.9\n";
        let t = table(text.as_bytes(), Header::Names).unwrap();
        assert_eq!((t.len(), t.width()), (2, 3));
        assert_eq!(t.names(), ["name", "age", "height, m"]);
        assert_eq!(t.texts("name").unwrap(), ["Ada", "Bob\nJr"]);
        assert_eq!(t.integers(1).unwrap(), [36, 7]);
        let x = t.features(["height, m", "age"], Rows).unwrap();
        assert_eq!(x.to_vec(), [1.65, 36.0, 0.9, 7.0]);
        let t = table(b"1,2\n3,4\n", Header::Data).unwrap();
        assert_eq!(t.numbers(0).unwrap(), [1.0, 3.0]);
        let (y, names) = table(b"b\na\nb\nc\n", Header::Data)
            .unwrap()
            .classes(0, Rows)
            .unwrap();
        assert_eq!(
            (y.to_vec(), names.join("")),
            (vec![1, 0, 1, 2], "abc".into())
        );
    }

    #[test]
    fn errors_name_line_and_column() {
        let t = table(b"a,b\n1,2\n\n\"x\ny\",inf\n", Header::Names).unwrap();
        for (found, expected) in [
            (
                message(t.numbers("c")),
                "t.csv: expected a column \"c\", found \"a\", \"b\"",
            ),
            (
                message(t.numbers(2)),
                "t.csv: expected a column 2, found \"a\", \"b\"",
            ),
            (
                message(t.integers("a")),
                "t.csv: expected an integer in column \"a\" of line 4, found \"x\\ny\"",
            ),
            (
                message(t.numbers(1)),
                "t.csv: expected a finite number in column 1 of line 4, found \"inf\"",
            ),
            (
                message(t.features(["b"], |_| Sz::<3>)),
                "t.csv: expected a finite number in column \"b\" of line 4, found \"inf\"",
            ),
            (
                message(t.classes("b", |_| Sz::<3>)),
                "expected 3 entries for a dimension of the rows, found 2",
            ),
        ] {
            assert_eq!(found, expected);
        }
        for (text, expected) in [
            (
                &b""[..],
                "t.csv: expected at least one row of data, found none",
            ),
            (
                b"a,b\n",
                "t.csv: expected at least one row of data, found none",
            ),
            (
                b"a,a\n1,2\n",
                "t.csv: expected different names of columns, found \"a\" twice",
            ),
            (
                b"a,b\n1,2\n1\n",
                "t.csv: expected 2 cells in line 3, found 1",
            ),
            (
                b"a\n\xff\n",
                "t.csv: expected UTF-8 text in line 2, found other bytes",
            ),
        ] {
            assert_eq!(table(text, Header::Names).unwrap_err(), expected);
        }
    }
}
