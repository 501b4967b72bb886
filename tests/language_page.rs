//! `docs/book/src/reference/language.md`: every row names a test, or the text of a compile error, that exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../docs/book/src/reference/language.md");

/// The cells of a row; `\|` does not separate.
fn cells(line: &str) -> Vec<String> {
    let inner = line.strip_prefix('|').and_then(|l| l.strip_suffix('|'));
    let inner = inner.expect("a row between bars").replace("\\|", "\u{1}");
    let cell = |c: &str| c.trim().replace('\u{1}', "|");
    inner.split('|').map(cell).collect()
}

/// The rows below the headers that start with `first`, each with three cells.
fn rows(first: &str) -> Vec<[String; 3]> {
    let mut wanted = false;
    let mut out = Vec::new();
    for line in PAGE.lines() {
        if !line.starts_with('|') {
            wanted = false;
            continue;
        }
        let row = cells(line);
        if row[0] == first {
            wanted = true;
        } else if wanted && !row[0].starts_with("---") {
            out.push(row.try_into().expect("three cells"));
        }
    }
    out
}

/// The tests of `tests/language/`, as `module::function`, and those of `tests/higher_order/` and
/// `tests/checkpointed/`, with that name before them.
fn tests() -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let programs = |folder| fs::read_dir(folder).expect("the programs");
    let higher = programs("tests/higher_order").map(|f| (f, "higher_order/"));
    let kept = programs("tests/checkpointed").map(|f| (f, "checkpointed/"));
    let language = programs("tests/language").map(|f| (f, ""));
    for (file, folder) in language.chain(higher).chain(kept) {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a program");
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let stem = format!("{folder}{stem}");
        let (mut inner, mut is_test, mut programs) = (String::new(), false, false);
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("mod ") {
                inner = format!("{}::", name.trim_end_matches(" {"));
            } else if line == "}" && !inner.is_empty() {
                inner.clear();
            }
            // `programs! {`, whose entries `name(x) { … }` are tests.
            programs = line == "programs! {" || programs && line != "}";
            let entry = line
                .strip_prefix("    ")
                .filter(|l| programs && !l.starts_with(' '));
            if let Some((name, _)) = entry.and_then(|l| l.split_once('(')) {
                out.insert(format!("{stem}::{name}"));
            }
            let line = line.trim();
            if let Some(names) = line.strip_prefix("each! {") {
                let names = names.trim_end_matches('}').split_whitespace();
                out.extend(names.map(|name| format!("{stem}::{name}")));
            }
            if let Some(name) = line.strip_prefix("same!(") {
                let name = name.split(':').next().expect("a name");
                out.insert(format!("{stem}::{name}"));
            }
            if line == "#[test]" {
                is_test = true;
            } else if let (true, Some(name)) = (is_test, line.strip_prefix("fn ")) {
                let name = name.split('(').next().expect("a name");
                out.insert(format!("{stem}::{inner}{name}"));
                is_test = false;
            }
        }
    }
    out
}

#[test]
fn every_supported_construct_has_a_test() {
    let tests = tests();
    assert!(tests.len() > 150, "{} tests found", tests.len());
    let rows = rows("supported");
    assert!(rows.len() > 80, "{} rows found", rows.len());
    for [construct, _, test] in rows {
        let name = test.trim_matches('`');
        assert!(
            tests.contains(name),
            "{construct}: no test `{name}` in tests/language"
        );
    }
}

#[test]
fn every_refusal_has_a_message() {
    let rows = rows("not supported");
    assert!(rows.len() > 40, "{} rows found", rows.len());
    for [construct, _, message] in rows {
        let (file, text) = message.split_once(": ").expect("file: text");
        let path = Path::new("tests/ui").join(file).with_extension("stderr");
        let recorded = fs::read_to_string(&path)
            .unwrap_or_else(|e| panic!("{construct}: {}: {e}", path.display()));
        assert!(
            recorded.contains(text),
            "{construct}: no \"{text}\" in {}",
            path.display()
        );
    }
}

#[test]
fn every_recorded_file_has_a_row() {
    let rows = rows("not supported");
    for file in fs::read_dir("tests/ui/unsupported").expect("the cases") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "stderr") {
            let stem = path.file_stem().expect("a name").to_string_lossy();
            let prefix = format!("unsupported/{stem}: ");
            assert!(
                rows.iter().any(|r| r[2].starts_with(&prefix)),
                "no row for {}",
                path.display()
            );
        }
    }
}
