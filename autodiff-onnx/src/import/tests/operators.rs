//! Values against onnxruntime.

use super::archive::{self, Record};
use super::{case, numbers, run, value};
use crate::import::operators::OPERATORS;
use crate::import::tape::Tape;
use crate::import::value::Value;

fn check(record: &Record, outputs: &[Value], how: &str) {
    let expected: Vec<_> = record.with("out:").collect();
    assert_eq!(expected.len(), outputs.len(), "{}", record.name);
    for ((name, expected), found) in expected.iter().zip(outputs) {
        let expected = value(expected, true);
        let label = format!("{} {name} ({how})", record.name);
        assert_eq!(expected.dims(), found.dims(), "{label}");
        assert_eq!(expected.kind(), found.kind(), "{label}");
        let largest = numbers(&expected)
            .iter()
            .fold(1.0, |m: f64, x| m.max(x.abs()));
        for (a, b) in numbers(&expected).iter().zip(numbers(found)) {
            let near = (a - b).abs() <= 1e-5 * largest || a == &b || a.is_nan() && b.is_nan();
            assert!(near, "{label}: expected {a}, found {b}");
        }
    }
}

#[test]
fn every_operator_agrees_with_onnxruntime() {
    let records = archive::read("operators.bin");
    assert!(records.len() > 200);
    for record in &records {
        let (program, inputs) = case(record);
        check(
            record,
            &run(&program, inputs.clone(), &Tape::default()),
            "given",
        );
        // Once more with everything known, as shapes are computed.
        let known = record.with("in:").map(|(_, e)| value(e, true)).collect();
        check(record, &run(&program, known, &Tape::default()), "known");
    }
}

#[test]
fn every_operator_of_the_table_has_a_case() {
    let records = archive::read("operators.bin");
    let cases: Vec<&str> = records
        .iter()
        .map(|r| r.name.split(' ').next().unwrap())
        .collect();
    // Operators of versions that this onnxruntime does not have.
    let later = ["RMSNormalization", "Swish"];
    for operator in OPERATORS {
        let found = cases.contains(&operator.name) || later.contains(&operator.name);
        assert!(found, "{} has no case in make.py", operator.name);
    }
}

#[test]
fn the_table_is_in_the_order_of_the_alphabet() {
    for pair in OPERATORS.windows(2) {
        assert!(
            pair[0].name < pair[1].name,
            "{} {}",
            pair[0].name,
            pair[1].name
        );
    }
}

#[test]
fn the_page_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/book/src/onnx.md");
    let page = std::fs::read_to_string(path).unwrap();
    let rows = OPERATORS
        .iter()
        .map(|o| format!("| `{}` | {} |\n", o.name, o.without));
    let table = format!(
        "| operator | without |\n|---|---|\n{}",
        rows.collect::<String>()
    );
    assert!(
        page.contains(&table),
        "the table of the page is to be\n{table}"
    );
}
