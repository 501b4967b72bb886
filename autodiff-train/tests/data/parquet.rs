//! Parquet files that pyarrow wrote (`files/write_parquet.py`), and damaged ones.

use crate::support::{Folder, file};
use differentiable::data::*;
use differentiable::prelude::*;

dim!(Rows);

fn read(name: &str) -> Table {
    Table::read_parquet(file(name)).unwrap()
}

#[test]
fn a_table_is_asked_as_one_of_text_is() {
    let table = read("table.parquet");
    assert_eq!(table.names(), ["name", "height", "age", "kind"]);
    assert_eq!((table.len(), table.width()), (4, 4));
    assert_eq!(table.texts("name").unwrap(), ["Ada", "Bob", "Ada", "Cy"]);
    assert_eq!(table.integers("age").unwrap(), [36, 7, 40, 30]);
    assert_eq!(table.numbers(1).unwrap(), [1.65, 0.9, 1.7, 1.5]);
    let x: Tensor![Rows, 2] = table.features(["age", "height"], Rows).unwrap();
    assert_eq!(x.to_vec(), [36.0, 1.65, 7.0, 0.9, 40.0, 1.7, 30.0, 1.5]);
    let (y, names) = table.classes("kind", Rows).unwrap();
    assert_eq!(
        (y.to_vec(), names),
        (vec![1, 0, 1, 1], vec!["a".into(), "b".into()])
    );
}

#[test]
fn every_type_in_several_groups_of_rows() {
    const N: i64 = 300;
    for name in ["types.parquet", "types_v2.parquet"] {
        let table = read(name);
        assert_eq!(table.len(), N as usize);
        let quarters: Vec<f64> = (0..N).map(|i| i as f64 / 4.0).collect();
        for column in ["f2", "f4", "f8"] {
            assert_eq!(table.numbers(column).unwrap(), quarters, "{name} {column}");
        }
        let integers: [(&str, fn(i64) -> i64); 9] = [
            ("bool", |i| i64::from(i % 3 == 0)),
            ("i1", |i| i % 256 - 128),
            ("i2", |i| i - 150),
            ("i4", |i| i - 150),
            ("i8", |i| i - 150),
            ("u1", |i| i % 256),
            ("u2", |i| i * 219),
            ("u4", |i| i + 4_294_966_996),
            ("u8", |i| i),
        ];
        for (column, of) in integers {
            let expected: Vec<i64> = (0..N).map(of).collect();
            assert_eq!(table.integers(column).unwrap(), expected, "{name} {column}");
        }
        let texts: Vec<String> = (0..N).map(|i| format!("n{}", i % 7)).collect();
        assert_eq!(table.texts("text").unwrap(), texts, "{name}");
    }
}

#[test]
fn columns_that_are_not_what_is_asked_for() {
    let table = read("odd.parquet");
    let names = [
        "gap", "gap_text", "all_null", "nan", "large", "day", "time", "decimal", "bytes", "fine",
    ];
    assert_eq!(table.names(), names);
    let place = format!("{}: ", file("odd.parquet").display());
    let said = |error: DataError| {
        let text = error.to_string();
        text.strip_prefix(&place).expect("the file").to_string()
    };
    let numbers = |column: &str| said(table.numbers(column).unwrap_err());
    let texts = |column: &str| said(table.texts(column).unwrap_err());
    for (found, expected) in [
        (
            numbers("gap"),
            "expected a finite number in column \"gap\" of row 1, found null",
        ),
        (
            texts("gap_text"),
            "expected a text in column \"gap_text\" of row 2, found null",
        ),
        (
            said(table.integers("all_null").unwrap_err()),
            "expected an integer that fits into an i64 in column \"all_null\" of row 0, found null",
        ),
        (
            numbers("nan"),
            "expected a finite number in column \"nan\" of row 2, found NaN",
        ),
        (
            said(table.integers("large").unwrap_err()),
            "expected an integer that fits into an i64 in column \"large\" of row 1, found 9223372036854775808",
        ),
        (
            numbers("day"),
            "expected numbers in column \"day\", found dates",
        ),
        (
            numbers("time"),
            "expected numbers in column \"time\", found times",
        ),
        (
            numbers("decimal"),
            "expected numbers in column \"decimal\", found decimals",
        ),
        (
            texts("bytes"),
            "expected texts in column \"bytes\", found bytes",
        ),
        (
            texts("fine"),
            "expected texts in column \"fine\", found integers",
        ),
        (
            numbers("gap_text"),
            "expected numbers in column \"gap_text\", found texts",
        ),
        (
            said(table.integers("nan").unwrap_err()),
            "expected integers in column \"nan\", found floats",
        ),
    ] {
        assert_eq!(found, expected);
    }
    assert_eq!(table.integers("fine").unwrap(), [1, 2, 3]);
    assert!(numbers("list").starts_with("expected a column \"list\", found \"gap\", "));
}

#[test]
fn files_that_are_damaged_or_of_another_kind() {
    let f = Folder::new("parquet");
    let read = |bytes: &[u8]| Table::read_parquet(f.write("t.parquet", bytes));
    let container = "t.parquet: expected a Parquet file, found an error: ";
    let whole = std::fs::read(file("checked.parquet")).unwrap();
    for bytes in [
        &b""[..],
        b"a,b\n1,2\n",
        &whole[..whole.len() / 2],
        &whole[..whole.len() - 1],
    ] {
        let said = f.message(read(bytes));
        assert!(said.starts_with(container), "{said}");
    }
    // A page has a checksum where the writer was asked for one.
    let mut flipped = whole.clone();
    flipped[1500] ^= 1;
    let said = f.message(read(&flipped));
    assert!(
        said.starts_with(&format!("{container}Parquet error: column \"x\": ")),
        "{said}"
    );
    let empty = Table::read_parquet(file("empty.parquet"))
        .unwrap_err()
        .to_string();
    assert!(
        empty.ends_with("empty.parquet: expected at least one row of data, found none"),
        "{empty}"
    );
    let other = Table::read_parquet(file("zstd.parquet"))
        .unwrap_err()
        .to_string();
    assert!(other.contains("zstd"), "{other}");
    let said = f.message(Table::read_parquet(f.path()));
    assert!(said.starts_with(".: cannot open the data file: "), "{said}");
}

/// No flipped bit makes the reader panic.
#[test]
fn damage_anywhere_is_an_error_or_other_numbers() {
    let f = Folder::new("parquet-flips");
    for name in ["table.parquet", "odd.parquet"] {
        let whole = std::fs::read(file(name)).unwrap();
        let step = if cfg!(debug_assertions) { 23 } else { 1 };
        let mut errors = 0;
        for at in (0..whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            if let Err(error) = Table::read_parquet(f.write("t.parquet", &bytes)) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
                errors += 1;
            }
        }
        assert!(errors > 0, "{name}");
    }
}
