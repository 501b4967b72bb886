//! The data that ships with the repository.

use anyhow::{Context, Result, ensure};
use differentiable::data::{DataError, Labelled, Split, read_labelled_csv};
use differentiable::prelude::*;
use std::path::{Path, PathBuf};

pub use crate::training::below;

dim!(
    /// Examples in a batch.
    pub Batch,
    /// Steps of a sequence.
    pub Time
);

/// Different characters in a text: those of ASCII that can be printed, and one for all others, the end of a line too.
pub const CHARACTERS: usize = 96;

fn in_repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(name)
}

/// Handwritten digits of 8 by 8 pixels, from 0 to 1, of which a fifth is set aside for a test: the same in every run.
///
/// # Errors
/// If the file cannot be read, or has too few digits.
pub fn digits() -> Result<Split> {
    Ok(all_digits()?.stratified_split(TEST_FRACTION, SPLIT_SEED))
}

const TEST_FRACTION: f64 = 0.2;
const SPLIT_SEED: u64 = 1;

fn all_digits() -> Result<Labelled> {
    let path = in_repository("data/digits.csv.gz");
    let digits = read_labelled_csv(&path, 64, 10, 0.0..=16.0)?.scaled(1.0 / 16.0);
    // The programs show dozens of test images.
    ensure!(
        digits.len() >= 1000,
        "{}: found {} digits, expected at least 1000",
        path.display(),
        digits.len()
    );
    Ok(digits)
}

/// A handwritten digit, as the row of a data set. `DigitBatch` is a batch of them.
#[batch]
#[derive(Clone, Debug)]
pub struct Digit {
    /// From 0, white, to 1, black.
    pub x: Tensor![1, 8, 8],
    /// From 0 to 9.
    pub y: i64,
}

/// A part of [`digits`] as rows of a data set.
///
/// # Errors
/// If a row has not 64 pixels.
pub fn images(part: &Labelled) -> Result<Vec<Digit>, DataError> {
    (0..part.len())
        .map(|row| {
            let x = Tensor::from_vec(part.row(row).to_vec()).map_err(DataError::other)?;
            let y = part.labels()[row];
            Ok(Digit { x, y })
        })
        .collect()
}

/// The share of rows in which the largest of the numbers stands at the label.
pub fn accuracy<const C: usize>(
    logits: &Tensor![Batch, { C }],
    labels: &Tensor![i64; Batch],
) -> f64 {
    let right = logits.argmax::<1>().eq(labels).count();
    right.item() as f64 / labels.len() as f64
}

/// A text to learn from, and one that is set aside.
#[derive(Debug)]
pub struct Text {
    /// The first nine tenths, as numbers below [`CHARACTERS`].
    pub train: Vec<i64>,
    /// The last tenth.
    pub test: Vec<i64>,
}

/// The chapters of the book, one after the other.
///
/// # Errors
/// If they cannot be read.
pub fn book() -> Result<Text> {
    let folder = in_repository("docs/book").join("src");
    let cannot = || format!("{}: cannot read the pages of the book", folder.display());
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    let mut text = String::new();
    for page in &pages {
        text += &std::fs::read_to_string(page).with_context(cannot)?;
    }
    let mut train = encode(&text);
    ensure!(
        train.len() >= 10_000,
        "{}: found {} characters, expected at least 10000",
        folder.display(),
        train.len()
    );
    let test = train.split_off(train.len() / 10 * 9);
    Ok(Text { train, test })
}

/// A text as numbers below [`CHARACTERS`]: 0 is the end of a line.
pub fn encode(text: &str) -> Vec<i64> {
    let number = |c: char| match c {
        ' '..='~' => c as i64 - 31,
        _ => 0,
    };
    text.chars().map(number).collect()
}

/// The text of numbers.
pub fn decode(numbers: &[i64]) -> String {
    let character = |&n: &i64| match n {
        1..96 => (n as u8 + 31) as char,
        _ => '\n',
    };
    numbers.iter().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use differentiable::data::stratified_rows;

    /// The comparison with PyTorch tests on the same digits.
    #[test]
    fn the_test_digits_are_those_of_the_comparison() {
        let labels = all_digits().unwrap().labels().to_vec();
        let (_, test) = stratified_rows(&labels, TEST_FRACTION, SPLIT_SEED).unwrap();
        let numbers: Vec<String> = test.iter().map(usize::to_string).collect();
        let lines: Vec<String> = numbers.chunks(24).map(|line| line.join(" ")).collect();
        let path = in_repository("benches/pytorch/test_digits.txt");
        let text = lines.join("\n") + "\n";
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}
