//! Data sets whose rows are entries of tensors.

use super::{Dataset, row_of};
use crate::data::DataError;
use autodiff_nn::device::Elem;
use autodiff_nn::shape::Axis;
use autodiff_nn::tensor::Tensor;

/// Columns in memory, read row by row: a tensor has a row for each entry along its first axis, a `Vec` one for each element.
///
/// ```
/// use differentiable::data::{DataError, Dataset, InMemory};
/// use differentiable::prelude::*;
///
/// dim!(Rows);
///
/// let x: Tensor![Rows, 2] = Tensor::from_vec_with((Rows(3), Sz), vec![0., 1., 2., 3., 4., 5.])?;
/// let data = InMemory::new((x, vec!["a", "b", "c"]))?;
/// let (x, name): (Tensor![2], &str) = data.get(1)?;
/// assert_eq!((x.to_vec(), name), (vec![2., 3.], "b"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Rows of tensors share the elements of the tensor: nothing is copied before the batch is put together.
#[derive(Clone, Debug)]
pub struct InMemory<C> {
    columns: C,
}

impl<C: Columns> InMemory<C> {
    /// A data set of these columns.
    ///
    /// # Errors
    /// [`DataError::Columns`] if they do not have the same number of rows.
    pub fn new(columns: C) -> Result<Self, DataError> {
        let mut counts = Vec::new();
        columns.counts(&mut counts);
        let expected = counts.first().copied().unwrap_or(0);
        match counts.iter().position(|&n| n != expected) {
            None => Ok(InMemory { columns }),
            Some(column) => Err(DataError::Columns {
                column,
                expected,
                found: counts[column],
            }),
        }
    }

    /// The columns.
    pub fn columns(&self) -> &C {
        &self.columns
    }
}

impl<C: Columns> Dataset for InMemory<C> {
    type Item = C::Row;

    fn len(&self) -> usize {
        let mut counts = Vec::new();
        self.columns.counts(&mut counts);
        counts.first().copied().unwrap_or(0)
    }

    fn get(&self, index: usize) -> Result<C::Row, DataError> {
        self.columns.row(index)
    }
}

/// What has rows: tensors, `Vec`s, and tuples of up to four of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column of a data set",
    note = "columns are tensors with a first axis, `Vec`s, and tuples of up to four of them"
)]
pub trait Columns {
    /// A row of the columns.
    type Row;

    /// Appends the number of rows of each column.
    fn counts(&self, out: &mut Vec<usize>);

    /// A row.
    ///
    /// # Errors
    /// [`DataError::NoRow`] if there is none of this number.
    fn row(&self, index: usize) -> Result<Self::Row, DataError>;
}

impl<S: Axis<0>, T: Elem> Columns for Tensor<S, T> {
    type Row = Tensor<S::Without, T>;

    fn counts(&self, out: &mut Vec<usize>) {
        out.push(self.dims()[0]);
    }

    fn row(&self, row: usize) -> Result<Self::Row, DataError> {
        let rows = self.dims()[0];
        match row < rows {
            true => Ok(self.index::<0>(row)),
            false => Err(DataError::NoRow { row, rows }),
        }
    }
}

impl<T: Clone> Columns for Vec<T> {
    type Row = T;

    fn counts(&self, out: &mut Vec<usize>) {
        out.push(Vec::len(self));
    }

    fn row(&self, index: usize) -> Result<T, DataError> {
        row_of(self, index)
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),+;)*) => { $(
        impl<$($name: Columns),+> Columns for ($($name,)+) {
            type Row = ($($name::Row,)+);

            fn counts(&self, out: &mut Vec<usize>) {
                $( self.$at.counts(out); )+
            }

            fn row(&self, index: usize) -> Result<Self::Row, DataError> {
                Ok(($(self.$at.row(index)?,)+))
            }
        }
    )* };
}
tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

#[cfg(test)]
mod tests {
    use super::*;
    use autodiff_nn::prelude::*;

    autodiff_nn::dim!(Rows);

    #[test]
    fn rows_are_entries_along_the_first_axis() {
        let x: Tensor![i64; Rows, 2, 2] = Tensor::iota_with((Rows(3), Sz, Sz));
        let data = InMemory::new((x, vec!['a', 'b', 'c'])).unwrap();
        assert_eq!(data.len(), 3);
        let (image, name): (Tensor![i64; 2, 2], char) = data.get(2).unwrap();
        assert_eq!((image.to_vec(), name), (vec![8, 9, 10, 11], 'c'));
        assert_eq!(
            data.get(3).unwrap_err().to_string(),
            "expected a row below 3, found 3"
        );
    }

    #[test]
    fn columns_of_different_lengths_are_an_error() {
        let x: Tensor![Rows] = Tensor::zeros_with((Rows(4),));
        let error = InMemory::new((x, vec![1; 4], vec![1; 5])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected 4 rows in column 2 of the data set, found 5"
        );
    }
}
