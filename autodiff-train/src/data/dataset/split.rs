//! Which rows are for training and which for testing.

use crate::data::DataError;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// The rows of a training and of a test part, both in ascending order. The test part has `test_fraction` of the rows,
/// rounded.
///
/// # Errors
/// If the fraction is not between 0 and 1.
pub fn split_rows(
    rows: usize,
    test_fraction: f64,
    seed: u64,
) -> Result<(Vec<usize>, Vec<usize>), DataError> {
    check_fraction(test_fraction)?;
    let mut order: Vec<usize> = (0..rows).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let count = (rows as f64 * test_fraction).round() as usize;
    Ok(parts(rows, &order[..count]))
}

/// As [`split_rows`], with the same fraction of the rows of each class. `labels` has the class of each row.
///
/// ```
/// use differentiable::data::stratified_rows;
///
/// let labels = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1];
/// let (train, test) = stratified_rows(&labels, 0.5, 3)?;
/// assert_eq!(test.iter().filter(|&&row| labels[row] == 1).count(), 1);
/// assert_eq!(train.len(), 5);
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
///
/// # Errors
/// If the fraction is not between 0 and 1.
pub fn stratified_rows(
    labels: &[i64],
    test_fraction: f64,
    seed: u64,
) -> Result<(Vec<usize>, Vec<usize>), DataError> {
    check_fraction(test_fraction)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut classes: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (row, &label) in labels.iter().enumerate() {
        classes.entry(label).or_default().push(row);
    }
    let mut test = Vec::new();
    for mut rows in classes.into_values() {
        rows.shuffle(&mut rng);
        let count = (rows.len() as f64 * test_fraction).round() as usize;
        test.extend_from_slice(&rows[..count]);
    }
    Ok(parts(labels.len(), &test))
}

/// The rows of `k` pairs of a training and a test part. Each row is in one test part, whose sizes differ by at most one.
///
/// # Errors
/// If `k` is less than 2 or more than the number of rows.
pub fn k_folds(
    rows: usize,
    k: usize,
    seed: u64,
) -> Result<Vec<(Vec<usize>, Vec<usize>)>, DataError> {
    if !(2..=rows).contains(&k) {
        return Err(DataError::Split {
            expected: format!("from 2 to {rows} folds, the number of rows"),
            found: k.to_string(),
        });
    }
    let mut order: Vec<usize> = (0..rows).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let bounds = (0..k).map(|i| i * rows / k..(i + 1) * rows / k);
    Ok(bounds.map(|test| parts(rows, &order[test])).collect())
}

fn check_fraction(fraction: f64) -> Result<(), DataError> {
    match (0.0..=1.0).contains(&fraction) {
        true => Ok(()),
        false => Err(DataError::Split {
            expected: "a fraction of the rows from 0 to 1".into(),
            found: fraction.to_string(),
        }),
    }
}

/// The rows that are not in the test part, and those that are.
fn parts(rows: usize, test: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut in_test = vec![false; rows];
    test.iter().for_each(|&row| in_test[row] = true);
    (0..rows).partition(|&row| !in_test[row])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(parts: &(Vec<usize>, Vec<usize>)) -> Vec<usize> {
        let mut all = [parts.0.as_slice(), &parts.1].concat();
        all.sort();
        all
    }

    #[test]
    fn a_split_is_a_partition_that_the_seed_decides() {
        let parts = split_rows(100, 0.25, 1).unwrap();
        assert_eq!((parts.0.len(), parts.1.len()), (75, 25));
        assert_eq!(sorted(&parts), Vec::from_iter(0..100));
        assert!(parts.0.is_sorted() && parts.1.is_sorted());
        assert_eq!(split_rows(100, 0.25, 1).unwrap(), parts);
        assert_ne!(split_rows(100, 0.25, 2).unwrap(), parts);
        assert!(split_rows(0, 0.5, 1).unwrap().0.is_empty());
    }

    #[test]
    fn each_row_is_in_the_test_part_of_one_fold() {
        for (rows, k) in [(10, 3), (9, 3), (5, 5), (101, 2)] {
            let folds = k_folds(rows, k, 4).unwrap();
            assert_eq!(folds.len(), k);
            let mut tested: Vec<usize> = folds.iter().flat_map(|f| f.1.clone()).collect();
            tested.sort();
            assert_eq!(tested, Vec::from_iter(0..rows));
            for fold in &folds {
                assert_eq!(sorted(fold), Vec::from_iter(0..rows));
                assert!([rows / k, rows.div_ceil(k)].contains(&fold.1.len()));
            }
        }
    }

    #[test]
    fn what_cannot_be_split_is_an_error() {
        for fraction in [-0.1, 1.5, f64::NAN] {
            let message = format!("expected a fraction of the rows from 0 to 1, found {fraction}");
            assert_eq!(split_rows(4, fraction, 0).unwrap_err().to_string(), message);
            assert!(stratified_rows(&[0, 1], fraction, 0).is_err());
        }
        for k in [0, 1, 5] {
            assert_eq!(
                k_folds(4, k, 0).unwrap_err().to_string(),
                format!("expected from 2 to 4 folds, the number of rows, found {k}")
            );
        }
    }
}
