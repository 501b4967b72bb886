//! Reads the golden values. `generate.py` beside this file made them; `CONTRIBUTING.md` says how.

use serde_json::Value;

/// The cases of a golden file.
pub fn read(json: &str) -> Vec<Value> {
    serde_json::from_str(json).expect("a golden file is a list of cases")
}

/// The entries of a list of numbers.
pub fn numbers(list: &Value) -> Vec<f64> {
    let entries = list.as_array().expect("a list of numbers");
    let number = |entry: &Value| entry.as_f64().expect("a number");
    entries.iter().map(number).collect()
}

/// How two lists differ beyond a relative tolerance (absolute below one), if they do.
pub fn difference(found: &[f64], expected: &[f64], tolerance: f64) -> Option<String> {
    if found.len() != expected.len() {
        let (found, expected) = (found.len(), expected.len());
        return Some(format!("{found} entries, expected {expected}"));
    }
    let differs = |(a, b): (&f64, &f64)| {
        let scale = 1.0_f64.max(b.abs());
        let distance = (a - b).abs();
        distance.is_nan() || distance > tolerance * scale
    };
    let index = found.iter().zip(expected).position(differs)?;
    let (a, b) = (found[index], expected[index]);
    Some(format!("entry {index} is {a:e}, expected {b:e}"))
}
