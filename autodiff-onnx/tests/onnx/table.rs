//! Every operation that can be recorded is in the table of those that are written, or in that of those that are not.

use differentiable::onnx;
use std::path::Path;

/// The methods of a list in the core.
fn methods(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../autodiff-core/src/device")
        .join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let list = text.split_once("=> { $then! {").unwrap().1;
    let list = list.split_once("} };").unwrap().0;
    let lines = list.lines().filter_map(|l| l.trim().strip_prefix("fn "));
    let names = lines.map(|l| l.split('[').next().unwrap().to_owned());
    names.collect()
}

#[test]
fn every_operation_is_written_or_refused() {
    let mut all = Vec::new();
    for file in ["backend.rs", "images.rs", "fourier.rs", "linalg.rs"] {
        all.extend(methods(file));
    }
    assert!(all.len() > 75, "{} methods", all.len());
    let (written, refused) = onnx::operations();
    for method in &all {
        let ways = written.iter().filter(|m| *m == method).count();
        let no = refused.iter().filter(|r| r.0 == method).count();
        assert_eq!(ways + no, 1, "`{method}` is in both tables, or in none");
    }
    for name in written.iter().chain(refused.iter().map(|r| &r.0)) {
        assert!(
            all.iter().any(|m| m == name),
            "`{name}` is no method of a device"
        );
    }
}

/// The page names each operator that a rule writes to, and each operation that is refused.
#[test]
fn the_page_names_what_is_refused() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/src/onnx.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (written, refused) = onnx::operations();
    for name in written.iter().chain(refused.iter().map(|r| &r.0)) {
        assert!(
            page.contains(&format!("`{name}`")),
            "the page lacks `{name}`"
        );
    }
}
