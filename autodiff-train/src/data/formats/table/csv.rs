//! Tables from CSV text.

use super::{Cells, FormatError, Header, Line, Table};
use crate::data::DataError;
use csv::{ByteRecord, ReaderBuilder, StringRecord};
use std::collections::HashSet;
use std::path::Path;

pub(super) fn parse(
    path: &Path,
    text: &[u8],
    header: Header,
    separator: u8,
) -> Result<Table, DataError> {
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
        rows.push(Line {
            number: line,
            cells,
        });
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
        cells: Cells::Lines(rows),
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
    use autodiff_nn::shape::Sz;

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
        let t = table(b"0,-1\n2,0\n", Header::Data).unwrap();
        assert_eq!(t.labels(0, 3, Rows).unwrap().to_vec(), [0, 2]);
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
                message(
                    table(b"y\n0\n\n2\n3\n", Header::Names)
                        .unwrap()
                        .labels("y", 3, Rows),
                ),
                "t.csv: expected a label from 0 to 2 in column \"y\" of line 5, found 3",
            ),
            (
                message(t.labels("a", 3, Rows)),
                "t.csv: expected an integer in column \"a\" of line 4, found \"x\\ny\"",
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
