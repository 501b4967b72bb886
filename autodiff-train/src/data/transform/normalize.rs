//! Features with mean 0 and standard deviation 1.

use crate::data::{DataError, Dataset};
use autodiff_nn::device::Float;
use autodiff_nn::shape::Shape;
use autodiff_nn::tensor::Tensor;

/// Subtracts from each feature its mean, and divides by its standard deviation.
///
/// Both are those of the training part: the test part, and what the model sees later, is normalised by the same numbers.
///
/// ```
/// use differentiable::data::{Dataset, Normalize};
/// use differentiable::prelude::*;
///
/// let train = vec![tensor([1.0, 5.0]), tensor([3.0, 5.0])];
/// let test = vec![tensor([5.0, 6.0])];
/// let normal = Normalize::fit(&train)?;
/// assert_eq!(normal.apply(&train[0]), tensor([-1.0, 0.0]));
/// let test = test.map(|x| normal.apply(&x));
/// assert_eq!(test.get(0)?, tensor([3.0, 1.0]));
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Normalize<S: Shape, T: Float = f32> {
    /// The mean of each feature.
    pub mean: Tensor<S, T>,
    /// The standard deviation of each feature; 1 for a feature that is the same in all rows, which is then only shifted.
    pub std: Tensor<S, T>,
}

impl<S: Shape, T: Float> Normalize<S, T> {
    /// The mean and standard deviation of each feature over the rows of a data set, by the number of rows (not one less), as
    /// scikit-learn's `StandardScaler` computes them. Sums are in `f64`, by Welford's method (1962).
    ///
    /// # Errors
    /// [`DataError::NoRows`]; [`DataError::Ragged`] if run-time sizes differ; [`DataError::Row`] if a row cannot be read.
    pub fn fit<D: Dataset<Item = Tensor<S, T>>>(data: &D) -> Result<Self, DataError> {
        let read = |row| {
            let cause = |cause| DataError::Row {
                row,
                cause: Box::new(cause),
            };
            data.get(row).map_err(cause)
        };
        if data.is_empty() {
            return Err(DataError::NoRows);
        }
        let first = read(0)?;
        let mut mean = vec![0.0_f64; first.len()];
        let mut squares = vec![0.0_f64; first.len()];
        for row in 0..data.len() {
            let x = read(row)?;
            let same = first.check_same_shape(&x);
            same.map_err(|cause| DataError::Ragged {
                row,
                cause: Box::new(cause),
            })?;
            for ((x, mean), squares) in x.to_vec().iter().zip(&mut mean).zip(&mut squares) {
                let x = x.to_f64();
                let before = x - *mean;
                *mean += before / (row + 1) as f64;
                *squares += before * (x - *mean);
            }
        }
        let std = squares.iter().map(|s| (s / data.len() as f64).sqrt());
        let std = std.map(|s| if s > 0.0 { s } else { 1.0 });
        let tensor = |values: Vec<f64>| {
            let values = values.into_iter().map(T::from_f64).collect();
            Tensor::from_vec_with(first.shape(), values).map_err(DataError::other)
        };
        Ok(Normalize {
            std: tensor(std.collect())?,
            mean: tensor(mean)?,
        })
    }

    /// A row, normalised.
    ///
    /// # Panics
    /// If its run-time sizes are not those of the training part.
    #[track_caller]
    pub fn apply(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
        (x - &self.mean) / &self.std
    }

    /// The row that [`apply`](Normalize::apply) makes into `x`.
    ///
    /// # Panics
    /// As [`apply`](Normalize::apply).
    #[track_caller]
    pub fn undo(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
        x * &self.std + &self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autodiff_nn::prelude::tensor;

    #[test]
    fn mean_and_deviation_are_those_of_numpy() {
        // numpy.mean and numpy.std of [[1, 10, 4], [2, 20, 4], [4, 60, 4], [7, 10, 4]] along axis 0.
        let rows = [
            [1.0, 10.0, 4.0],
            [2.0, 20.0, 4.0],
            [4.0, 60.0, 4.0],
            [7.0, 10.0, 4.0],
        ];
        let rows: Vec<_> = rows.map(tensor::<f64, _>).into();
        let normal = Normalize::fit(&rows).unwrap();
        assert_eq!(normal.mean.to_vec(), [3.5, 25.0, 4.0]);
        for (found, expected) in
            normal
                .std
                .to_vec()
                .into_iter()
                .zip([2.29128784747792, 20.615528128088304, 1.0])
        {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        let back = normal.undo(&normal.apply(&rows[2]));
        assert!((back - &rows[2]).to_vec().iter().all(|x| x.abs() < 1e-14));
    }

    #[test]
    fn large_means_do_not_hide_the_deviation() {
        let rows: Vec<_> = (0..1000).map(|i| tensor([1e9 + (i % 2) as f64])).collect();
        let normal = Normalize::fit(&rows).unwrap();
        assert!((normal.std.to_vec()[0] - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_data_set_without_rows_is_an_error() {
        let none: Vec<Tensor<(), f32>> = Vec::new();
        assert!(matches!(Normalize::fit(&none), Err(DataError::NoRows)));
    }
}
