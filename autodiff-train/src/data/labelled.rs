use super::stratified_rows;
use autodiff_nn::shape::{Dim, ShapeError, Sz};
use autodiff_nn::tensor::Tensor;

/// Rows of features, each with the class it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    features: Vec<f32>,
    labels: Vec<i64>,
    width: usize,
    classes: usize,
}

/// A data set in two parts that share no row.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// What the model learns from.
    pub train: Labelled,
    /// What it is judged by.
    pub test: Labelled,
}

impl Labelled {
    /// No rows yet.
    pub fn empty(width: usize, classes: usize) -> Self {
        Labelled {
            features: Vec::new(),
            labels: Vec::new(),
            width,
            classes,
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row has not [`Labelled::width`] features or the label is not a class.
    pub fn push(&mut self, row: &[f32], label: usize) {
        assert_eq!(row.len(), self.width, "features in the row");
        assert!(
            label < self.classes,
            "label {label} of {} classes",
            self.classes
        );
        self.features.extend_from_slice(row);
        self.labels.push(label as i64);
    }

    /// All features, row after row.
    pub fn features(&self) -> &[f32] {
        &self.features
    }

    /// The features of one row.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.features[index * self.width..][..self.width]
    }

    /// The label of each row.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// Features in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of classes; labels are below it.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Multiplies every feature by `factor`.
    pub fn scaled(mut self, factor: f32) -> Self {
        self.features.iter_mut().for_each(|x| *x *= factor);
        self
    }

    /// The rows with these indices, in this order.
    pub fn select(&self, rows: &[usize]) -> Labelled {
        let mut part = Labelled::empty(self.width, self.classes);
        part.features.reserve_exact(rows.len() * self.width);
        part.labels.reserve_exact(rows.len());
        for &row in rows {
            part.features.extend_from_slice(self.row(row));
            part.labels.push(self.labels[row]);
        }
        part
    }

    /// The rows with these indices as tensors: features and labels. `batch` makes the run-time
    /// dimension from the number of rows: `data.batch(rows, Batch)` after `dim!(Batch)`.
    ///
    /// An error if the rows have not `F` features.
    #[allow(clippy::type_complexity)]
    pub fn batch<B: Dim, const F: usize>(
        &self,
        rows: &[usize],
        batch: impl Fn(usize) -> B,
    ) -> Result<(Tensor<(B, Sz<F>)>, Tensor<(B,), i64>), ShapeError> {
        let part = self.select(rows);
        let (x, labels) = (part.features, part.labels);
        let rows = batch(rows.len());
        Ok((
            Tensor::from_vec_with((rows, Sz), x)?,
            Tensor::from_vec_with((rows,), labels)?,
        ))
    }

    /// All rows as tensors; see [`batch`](Labelled::batch).
    #[allow(clippy::type_complexity)]
    pub fn all<B: Dim, const F: usize>(
        &self,
        batch: impl Fn(usize) -> B,
    ) -> Result<(Tensor<(B, Sz<F>)>, Tensor<(B,), i64>), ShapeError> {
        self.batch(&Vec::from_iter(0..self.len()), batch)
    }

    /// Sets aside a test part of about `test_fraction` of the rows, the same fraction of every
    /// class, chosen by `seed` alone. Rows keep their order within each part.
    ///
    /// # Panics
    /// When the fraction is not between 0 and 1.
    pub fn stratified_split(&self, test_fraction: f64, seed: u64) -> Split {
        assert!(
            (0.0..=1.0).contains(&test_fraction),
            "test fraction {test_fraction}"
        );
        let (train, test) =
            stratified_rows(&self.labels, test_fraction, seed).expect("the fraction was checked");
        Split {
            train: self.select(&train),
            test: self.select(&test),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row `i` holds the feature `i`, so that rows can be told apart after a split.
    fn numbered(labels: &[usize]) -> Labelled {
        let mut data = Labelled::empty(1, 3);
        labels
            .iter()
            .enumerate()
            .for_each(|(i, &l)| data.push(&[i as f32], l));
        data
    }

    #[test]
    fn a_split_is_a_partition_with_the_same_share_of_each_class() {
        let labels: Vec<usize> = (0..200)
            .map(|i| if i % 10 == 0 { 2 } else { i % 2 })
            .collect();
        let data = numbered(&labels);
        let Split { train, test } = data.stratified_split(0.2, 1);
        let mut rows = [train.features(), test.features()].concat();
        rows.sort_by(f32::total_cmp);
        assert_eq!(rows, data.features());
        for class in 0..3 {
            let count = |d: &Labelled| d.labels().iter().filter(|&&l| l == class).count();
            assert_eq!(count(&test), (count(&data) as f64 * 0.2).round() as usize);
        }
        for (row, &label) in test.labels().iter().enumerate() {
            assert_eq!(label as usize, labels[test.row(row)[0] as usize]);
        }
    }

    #[test]
    fn the_seed_decides_the_split() {
        let data = numbered(&[0; 100]);
        assert_eq!(data.stratified_split(0.2, 7), data.stratified_split(0.2, 7));
        assert_ne!(data.stratified_split(0.2, 7), data.stratified_split(0.2, 8));
    }

    #[test]
    fn a_batch_is_two_tensors() {
        autodiff_nn::dim!(Rows);
        let data = numbered(&[0, 1, 2]);
        let (x, labels) = data.batch::<_, 1>(&[2, 0], Rows).unwrap();
        assert_eq!((x.to_vec(), labels.to_vec()), (vec![2.0, 0.0], vec![2, 0]));
        assert!(data.batch::<_, 2>(&[2, 0], Rows).is_err());
        assert_eq!(data.all::<_, 1>(Rows).unwrap().1.to_vec(), [0, 1, 2]);
    }

    #[test]
    fn empty_fractions_and_empty_data() {
        let data = numbered(&[0, 1, 2]);
        assert!(data.stratified_split(0.0, 0).test.is_empty());
        assert!(data.stratified_split(1.0, 0).train.is_empty());
        assert!(numbered(&[]).stratified_split(0.5, 0).train.is_empty());
    }
}
