use super::bytes;
use crate::data::{DataError, Labelled};
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::path::Path;

/// Reads a CSV file without a header, plain or gzip-compressed: each row is `width` numbers in
/// `range` and then a label from `0` to `classes − 1`. `f32::MIN..=f32::MAX` allows every number.
///
/// Compression is told by the content, not by the name. A byte order mark is skipped: spreadsheet
/// programs put one before their UTF-8.
pub fn read_labelled_csv(
    path: impl AsRef<Path>,
    width: usize,
    classes: usize,
    range: RangeInclusive<f32>,
) -> Result<Labelled, DataError> {
    let path = path.as_ref();
    let reader = bytes::open(path)?;
    parse(reader, path, Labelled::empty(width, classes), &range)
}

fn parse(
    mut reader: impl BufRead,
    path: &Path,
    mut data: Labelled,
    range: &RangeInclusive<f32>,
) -> Result<Labelled, DataError> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let read = reader.read_until(b'\n', &mut text);
        let length = read.map_err(|error| DataError::Read {
            path: path.into(),
            line,
            error,
        })?;
        if length == 0 {
            break;
        }
        let mark = if line == 1 { BYTE_ORDER_MARK } else { b"" };
        let row = text.strip_prefix(mark).unwrap_or(&text).trim_ascii();
        if !row.is_empty() {
            parse_row(row, line, path, range, &mut data)?;
        }
    }
    if data.is_empty() {
        return Err(DataError::Empty { path: path.into() });
    }
    Ok(data)
}

fn parse_row(
    text: &[u8],
    line: u64,
    path: &Path,
    range: &RangeInclusive<f32>,
    data: &mut Labelled,
) -> Result<(), DataError> {
    let (width, classes) = (data.width(), data.classes());
    let fields: Vec<&[u8]> = text.split(|&b| b == b',').map(unquoted).collect();
    if fields.len() != width + 1 {
        return Err(DataError::RowLength {
            path: path.into(),
            line,
            expected: width + 1,
            found: fields.len(),
        });
    }
    let mut row = Vec::with_capacity(width);
    for (i, &field) in fields[..width].iter().enumerate() {
        let value = utf8(field).parse().ok().filter(|v: &f32| v.is_finite());
        let value = value.ok_or_else(|| DataError::Number {
            path: path.into(),
            line,
            column: i + 1,
            found: shown(field),
        })?;
        if !range.contains(&value) {
            return Err(DataError::OutOfRange {
                path: path.into(),
                line,
                column: i + 1,
                low: *range.start(),
                high: *range.end(),
                found: shown(field),
            });
        }
        row.push(value);
    }
    let field = fields[width];
    let label = utf8(field).parse().ok().filter(|&l: &usize| l < classes);
    let label = label.ok_or_else(|| DataError::Label {
        path: path.into(),
        line,
        column: width + 1,
        classes,
        found: shown(field),
    })?;
    data.push(&row, label);
    Ok(())
}

/// A field without surrounding blanks and quotes; numbers need neither.
fn unquoted(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    field
        .strip_prefix(b"\"")
        .and_then(|f| f.strip_suffix(b"\""))
        .unwrap_or(field)
}

/// A field as text; what is not UTF-8 is no number either.
fn utf8(field: &[u8]) -> &str {
    std::str::from_utf8(field).unwrap_or("")
}

/// A field for an error message, which must stay on one readable line.
fn shown(field: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(field);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::{self, Write};

    const ANY: RangeInclusive<f32> = f32::MIN..=f32::MAX;

    fn read_in(text: &[u8], range: RangeInclusive<f32>) -> Result<Labelled, String> {
        let empty = Labelled::empty(2, 3);
        parse(text, Path::new("d.csv"), empty, &range).map_err(|e| e.to_string())
    }

    fn read(text: &str) -> Result<Labelled, String> {
        read_in(text.as_bytes(), ANY)
    }

    #[test]
    fn rows_and_labels() {
        let data = read("1,2.5,0\r\n -3 , \"4e1\" , 2\n").unwrap();
        assert_eq!(data.features(), [1.0, 2.5, -3.0, 40.0]);
        assert_eq!(data.labels(), [0, 2]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_only() {
        let plain = read("1,2,0\n3,4,1\n").unwrap();
        assert_eq!(read("\u{feff}1,2,0\n3,4,1\n").unwrap(), plain);
        assert_eq!(read("\u{feff}\n1,2,0\n3,4,1\n").unwrap(), plain);
        assert_eq!(
            read("\u{feff}").unwrap_err(),
            "d.csv: expected at least one row of data, found none"
        );
        assert!(
            read("1,2,0\n\u{feff}3,4,1\n")
                .unwrap_err()
                .starts_with("d.csv:2:")
        );
    }

    #[test]
    fn a_number_outside_the_range_is_refused() {
        let read = |text: &str| read_in(text.as_bytes(), 0.0..=16.0);
        assert_eq!(read("0,16,0\n-0,1e1,0\n").unwrap().len(), 2);
        for (field, text) in [("-1", "1,-1,0"), ("17", "1,17,0"), ("16.001", "1,16.001,0")] {
            let message =
                format!("d.csv:2: expected a number from 0 to 16 in column 2, found {field:?}");
            assert_eq!(read(&format!("1,2,0\n{text}\n")).unwrap_err(), message);
        }
        // What is no number at all is another error.
        assert!(
            read("inf,1,0")
                .unwrap_err()
                .contains("expected a finite number")
        );
    }

    #[test]
    fn errors_say_where_what_and_what_was_expected() {
        for (text, message) in [
            ("", "d.csv: expected at least one row of data, found none"),
            (
                "1,2,0\n1,2\n",
                "d.csv:2: expected 3 values (2 features and a label), found 2",
            ),
            (
                "1,2,0,7\n",
                "d.csv:1: expected 3 values (2 features and a label), found 4",
            ),
            (
                "1,2,0\n1,x2,0\n",
                "d.csv:2: expected a finite number in column 2, found \"x2\"",
            ),
            (
                "1,,0\n",
                "d.csv:1: expected a finite number in column 2, found \"\"",
            ),
            (
                "NaN,1,0\n",
                "d.csv:1: expected a finite number in column 1, found \"NaN\"",
            ),
            (
                "1,inf,0\n",
                "d.csv:1: expected a finite number in column 2, found \"inf\"",
            ),
            (
                "1,2,3\n",
                "d.csv:1: expected a label from 0 to 2 in column 3, found \"3\"",
            ),
            (
                "1,2,-1\n",
                "d.csv:1: expected a label from 0 to 2 in column 3, found \"-1\"",
            ),
            (
                "1,2,1.0\n",
                "d.csv:1: expected a label from 0 to 2 in column 3, found \"1.0\"",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), message, "for {text:?}");
        }
    }

    #[test]
    fn blank_lines_and_a_missing_last_newline_do_not_shift_the_line() {
        assert!(
            read("1,2,0\n\n\n1,x,0\n")
                .unwrap_err()
                .starts_with("d.csv:4:")
        );
        assert!(read("1,2,0\n1,x,0").unwrap_err().starts_with("d.csv:2:"));
        assert!(
            read("1,2,0\r\n1,2,0\r\n1,x,0\r\n1,2,0\r\n")
                .unwrap_err()
                .starts_with("d.csv:3:")
        );
    }

    #[test]
    fn a_message_stays_on_one_line() {
        let bytes = [&b"1,\r"[..], &[0xff; 200], b",0\n"].concat();
        let message = read_in(&bytes, ANY).unwrap_err();
        assert!(
            message.lines().count() == 1 && message.len() < 300,
            "{message}"
        );
    }

    #[test]
    fn a_truncated_gzip_is_an_error_with_a_line() {
        let mut gz = GzEncoder::new(Vec::new(), Compression::default());
        for i in 0..10_000 {
            writeln!(gz, "{i},{},1", (i * 7919) % 1009).unwrap();
        }
        let bytes = gz.finish().unwrap();
        let path = std::env::temp_dir().join(format!("truncated-{}.csv.gz", std::process::id()));
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read_labelled_csv(&path, 2, 3, ANY).unwrap().len(), 10_000);
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let error = read_labelled_csv(&path, 2, 3, ANY).unwrap_err();
        std::fs::remove_file(&path).unwrap();
        assert!(
            matches!(error, DataError::Read { line: 1000.., .. }),
            "{error}"
        );
    }

    #[test]
    fn a_missing_file_is_an_error_that_names_it() {
        let error = read_labelled_csv("no/such/file.csv", 2, 3, ANY).unwrap_err();
        let DataError::Open { error: cause, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!(cause.kind(), io::ErrorKind::NotFound);
        // The message has the cause, so programs that print causes would say a source twice.
        assert_eq!(
            error.to_string(),
            format!("no/such/file.csv: cannot open the data file: {cause}")
        );
        assert!(std::error::Error::source(&error).is_none());
    }
}
