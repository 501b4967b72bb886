//! Tables from Parquet files (<https://parquet.apache.org/docs/file-format>).

use super::typed::{Columns, Missing, Typed, Values};
use super::{Cells, FormatError, Table};
use crate::data::DataError;
use crate::data::formats::guard::guarded;
use ::parquet::basic::{ConvertedType, LogicalType};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::types::ColumnDescriptor;
use autodiff_nn::prelude::f16;
use std::fs::File;
use std::path::Path;

pub(super) fn read(path: &Path) -> std::result::Result<Table, DataError> {
    guarded(|| read_columns(path)).unwrap_or_else(|reason| {
        let expected = "a Parquet file";
        let problem = FormatError::Container { expected, reason };
        Err(DataError::format(path, problem))
    })
}

fn read_columns(path: &Path) -> std::result::Result<Table, DataError> {
    let open = || {
        let file = File::open(path)?;
        // A folder can be opened as a file; its length says nothing.
        match file.metadata()?.is_dir() {
            true => Err(std::io::ErrorKind::IsADirectory.into()),
            false => Ok(file),
        }
    };
    let file = open().map_err(|error| DataError::Open {
        path: path.into(),
        error,
    })?;
    let damaged = |error: ParquetError| {
        let expected = "a Parquet file";
        let reason = error.to_string().replace('\n', " ");
        DataError::format(path, FormatError::Container { expected, reason })
    };
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let flat = |c: &ColumnDescriptor| c.path().parts().len() == 1 && c.max_rep_level() == 0;
    let places = (0..schema.num_columns()).filter(|&at| flat(&schema.column(at)));
    let places: Vec<usize> = places.collect();
    let names: Vec<String> = places
        .iter()
        .map(|&at| schema.column(at).name().to_string())
        .collect();
    let rows: usize = (0..reader.num_row_groups())
        .map(|group| usize::try_from(reader.metadata().row_group(group).num_rows()).unwrap_or(0))
        .sum();
    if rows == 0 {
        return Err(DataError::Empty { path: path.into() });
    }
    let mut columns = Vec::with_capacity(places.len());
    for &at in &places {
        let column = column(&reader, at, rows).map_err(|error| {
            let name = schema.column(at).name().to_string();
            damaged(ParquetError::General(format!("column {name:?}: {error}")))
        })?;
        columns.push(column);
    }
    Ok(Table {
        path: path.into(),
        names,
        width: columns.len(),
        cells: Cells::Typed(Columns::new(rows, columns)),
    })
}

/// What the numbers and bytes of a column stand for.
enum Meaning {
    Signed,
    Unsigned,
    Half,
    Text,
    Plain,
}

/// `Err` has the name of a type that is not read.
fn meaning(column: &ColumnDescriptor) -> std::result::Result<Meaning, String> {
    use ConvertedType::*;
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Integer(kind)), _) if kind.is_signed => Ok(Meaning::Signed),
        (Some(LogicalType::Integer(_)), _) => Ok(Meaning::Unsigned),
        (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _) => Ok(Meaning::Text),
        (Some(LogicalType::Float16), _) => Ok(Meaning::Half),
        (Some(LogicalType::Date), _) => Err("dates".into()),
        (Some(LogicalType::Time(_) | LogicalType::Timestamp(_)), _) => Err("times".into()),
        (Some(LogicalType::Decimal(_)), _) => Err("decimals".into()),
        (Some(other), _) => Err(format!("values of type {other:?}")),
        (None, NONE) => Ok(Meaning::Plain),
        (None, UTF8 | ENUM | JSON) => Ok(Meaning::Text),
        (None, INT_8 | INT_16 | INT_32 | INT_64) => Ok(Meaning::Signed),
        (None, UINT_8 | UINT_16 | UINT_32 | UINT_64) => Ok(Meaning::Unsigned),
        (None, other) => Err(format!("values of type {other}")),
    }
}

fn column(reader: &SerializedFileReader<File>, at: usize, rows: usize) -> Result<Typed> {
    let descriptor = reader.metadata().file_metadata().schema_descr().column(at);
    let meaning = match meaning(&descriptor) {
        Ok(meaning) => meaning,
        Err(kind) => return Ok(unreadable(kind)),
    };
    let mut all = Typed {
        values: Values::Other("no values".into()),
        missing: None,
    };
    let mut done = 0;
    for group in 0..reader.num_row_groups() {
        let expected = reader.metadata().row_group(group).num_rows() as usize;
        let chunk = reader.get_row_group(group)?.get_column_reader(at)?;
        let Some(mut chunk) = decode(chunk, &meaning, expected)? else {
            return Ok(unreadable("bytes".into()));
        };
        if let Some(missing) = &mut chunk.missing {
            missing.row += done;
        }
        done += expected;
        all.missing = all.missing.or(chunk.missing);
        all.values = match (all.values, chunk.values) {
            (Values::Integers(mut a), Values::Integers(b)) => {
                a.extend(b);
                Values::Integers(a)
            }
            (Values::Floats(mut a), Values::Floats(b)) => {
                a.extend(b);
                Values::Floats(a)
            }
            (Values::Texts(mut a), Values::Texts(b)) => {
                a.extend(b);
                Values::Texts(a)
            }
            (_, first) => first,
        };
    }
    debug_assert_eq!(done, rows, "the sum over the groups");
    Ok(all)
}

fn unreadable(kind: String) -> Typed {
    Typed {
        values: Values::Other(kind),
        missing: None,
    }
}

/// The values of one group of rows; `None` for bytes that are no text.
fn decode(chunk: ColumnReader, meaning: &Meaning, rows: usize) -> Result<Option<Typed>> {
    let float = |x: f64| Ok::<_, String>(x);
    let typed = match (chunk, meaning) {
        (ColumnReader::BoolColumnReader(c), _) => integers(c, rows, |x| Ok(i64::from(x)))?,
        (ColumnReader::Int32ColumnReader(c), Meaning::Unsigned) => {
            // The bits of the signed number are those of the unsigned one.
            integers(c, rows, |x| Ok(i64::from(x as u32)))?
        }
        (ColumnReader::Int32ColumnReader(c), _) => integers(c, rows, |x| Ok(i64::from(x)))?,
        (ColumnReader::Int64ColumnReader(c), Meaning::Unsigned) => integers(c, rows, |x| {
            let unsigned = x as u64;
            i64::try_from(unsigned).map_err(|_| unsigned.to_string())
        })?,
        (ColumnReader::Int64ColumnReader(c), _) => integers(c, rows, Ok)?,
        (ColumnReader::FloatColumnReader(c), _) => floats(c, rows, |x| float(f64::from(x)))?,
        (ColumnReader::DoubleColumnReader(c), _) => floats(c, rows, float)?,
        (ColumnReader::FixedLenByteArrayColumnReader(c), Meaning::Half) => {
            floats(c, rows, |bytes| match *bytes.data() {
                [low, high] => float(f16::from_le_bytes([low, high]).to_f64()),
                _ => Err("another number of bytes than two".into()),
            })?
        }
        (ColumnReader::ByteArrayColumnReader(c), Meaning::Text) => {
            let text = |bytes: ::parquet::data_type::ByteArray| {
                let text = std::str::from_utf8(bytes.data()).map(str::to_string);
                text.map_err(|_| "bytes that are not UTF-8".to_string())
            };
            let (texts, missing) = values(c, rows, text)?;
            typed(Values::Texts(texts), missing)
        }
        _ => return Ok(None),
    };
    Ok(Some(typed))
}

fn typed(values: Values, missing: Option<Missing>) -> Typed {
    Typed { values, missing }
}

fn integers<T: DataType>(
    chunk: ColumnReaderImpl<T>,
    rows: usize,
    convert: impl Fn(T::T) -> std::result::Result<i64, String>,
) -> Result<Typed> {
    let (integers, missing) = values(chunk, rows, convert)?;
    Ok(typed(Values::Integers(integers), missing))
}

fn floats<T: DataType>(
    chunk: ColumnReaderImpl<T>,
    rows: usize,
    convert: impl Fn(T::T) -> std::result::Result<f64, String>,
) -> Result<Typed> {
    let (floats, missing) = values(chunk, rows, convert)?;
    Ok(typed(Values::Floats(floats), missing))
}

/// Reads a chunk, and finds its first entry without a value. Where there is one, the values are not complete.
fn values<T: DataType, V>(
    mut chunk: ColumnReaderImpl<T>,
    rows: usize,
    convert: impl Fn(T::T) -> std::result::Result<V, String>,
) -> Result<(Vec<V>, Option<Missing>)> {
    let (mut levels, mut raw) = (Vec::new(), Vec::new());
    let mut found = 0;
    while found < rows {
        match chunk.read_records(rows - found, Some(&mut levels), None, &mut raw)? {
            (0, ..) => break,
            (records, ..) => found += records,
        }
    }
    if found != rows {
        let message = format!("expected {rows} entries in a group of rows, found {found}");
        return Err(ParquetError::General(message));
    }
    // Level 0 of a column that is not nested is null; a column without nulls has no levels.
    if let Some(row) = levels.iter().position(|&level| level == 0) {
        let found = "null".to_string();
        return Ok((Vec::new(), Some(Missing { row, found })));
    }
    let mut out = Vec::with_capacity(raw.len());
    for (row, value) in raw.into_iter().enumerate() {
        match convert(value) {
            Ok(value) => out.push(value),
            Err(found) => return Ok((out, Some(Missing { row, found }))),
        }
    }
    Ok((out, None))
}
