//! Data sets made of others.

use super::Dataset;
use crate::data::DataError;

/// The values of a function: [`Dataset::map`].
#[derive(Clone, Debug)]
pub struct Map<D, F> {
    pub(super) data: D,
    pub(super) f: F,
}

impl<D: Dataset, U, F: Fn(D::Item) -> U> Dataset for Map<D, F> {
    type Item = U;

    fn len(&self) -> usize {
        self.data.len()
    }

    fn get(&self, index: usize) -> Result<U, DataError> {
        self.data.get(index).map(&self.f)
    }

    fn get_in(&self, epoch: u64, index: usize) -> Result<U, DataError> {
        self.data.get_in(epoch, index).map(&self.f)
    }
}

/// The values of a function that can fail: [`Dataset::try_map`].
#[derive(Clone, Debug)]
pub struct TryMap<D, F> {
    pub(super) data: D,
    pub(super) f: F,
}

impl<D: Dataset, U, F: Fn(D::Item) -> Result<U, DataError>> Dataset for TryMap<D, F> {
    type Item = U;

    fn len(&self) -> usize {
        self.data.len()
    }

    fn get(&self, index: usize) -> Result<U, DataError> {
        self.data.get(index).and_then(&self.f)
    }

    fn get_in(&self, epoch: u64, index: usize) -> Result<U, DataError> {
        self.data.get_in(epoch, index).and_then(&self.f)
    }
}

/// Rows whose labels are checked: [`Dataset::labels_below`].
#[derive(Clone, Debug)]
pub struct LabelsBelow<D, F> {
    pub(super) data: D,
    pub(super) classes: usize,
    pub(super) label: F,
}

impl<D: Dataset, F> LabelsBelow<D, F> {
    fn checked<L: Into<i64>>(&self, row: D::Item) -> Result<D::Item, DataError>
    where
        F: Fn(&D::Item) -> L,
    {
        let found = (self.label)(&row).into();
        match usize::try_from(found).is_ok_and(|label| label < self.classes) {
            true => Ok(row),
            false => Err(DataError::Class {
                classes: self.classes,
                found,
            }),
        }
    }
}

impl<D: Dataset, L: Into<i64>, F: Fn(&D::Item) -> L> Dataset for LabelsBelow<D, F> {
    type Item = D::Item;

    fn len(&self) -> usize {
        self.data.len()
    }

    fn get(&self, index: usize) -> Result<D::Item, DataError> {
        self.checked(self.data.get(index)?)
    }

    fn get_in(&self, epoch: u64, index: usize) -> Result<D::Item, DataError> {
        self.checked(self.data.get_in(epoch, index)?)
    }
}

/// Some rows of a data set: [`Dataset::subset`].
#[derive(Clone, Debug)]
pub struct Subset<D> {
    data: D,
    rows: Vec<usize>,
}

impl<D: Dataset> Subset<D> {
    pub(super) fn new(data: D, rows: Vec<usize>) -> Result<Self, DataError> {
        let all = data.len();
        match rows.iter().find(|&&row| row >= all) {
            Some(&row) => Err(DataError::NoRow { row, rows: all }),
            None => Ok(Subset { data, rows }),
        }
    }

    /// The numbers of the rows in the data set that this is a part of.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    fn row(&self, index: usize) -> Result<usize, DataError> {
        super::row_of(&self.rows, index)
    }
}

impl<D: Dataset> Dataset for Subset<D> {
    type Item = D::Item;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn get(&self, index: usize) -> Result<D::Item, DataError> {
        self.data.get(self.row(index)?)
    }

    fn get_in(&self, epoch: u64, index: usize) -> Result<D::Item, DataError> {
        self.data.get_in(epoch, self.row(index)?)
    }
}

/// Two data sets, one after the other: [`Dataset::chain`].
#[derive(Clone, Debug)]
pub struct Chain<A, B> {
    pub(super) first: A,
    pub(super) second: B,
}

impl<A: Dataset, B: Dataset<Item = A::Item>> Chain<A, B> {
    /// The place of a row in the second data set, or `None` for a row of the first.
    fn in_second(&self, index: usize) -> Result<Option<usize>, DataError> {
        let rows = self.len();
        if index >= rows {
            return Err(DataError::NoRow { row: index, rows });
        }
        Ok(index.checked_sub(self.first.len()))
    }
}

impl<A: Dataset, B: Dataset<Item = A::Item>> Dataset for Chain<A, B> {
    type Item = A::Item;

    fn len(&self) -> usize {
        self.first.len() + self.second.len()
    }

    fn get(&self, index: usize) -> Result<A::Item, DataError> {
        match self.in_second(index)? {
            None => self.first.get(index),
            Some(at) => self.second.get(at),
        }
    }

    fn get_in(&self, epoch: u64, index: usize) -> Result<A::Item, DataError> {
        match self.in_second(index)? {
            None => self.first.get_in(epoch, index),
            Some(at) => self.second.get_in(epoch, at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<D: Dataset>(data: &D) -> Vec<D::Item> {
        let rows = 0..data.len();
        rows.map(|i| data.get(i).unwrap()).collect()
    }

    #[test]
    fn adapters_give_the_rows_that_they_name() {
        let data = vec![10, 11, 12, 13];
        assert_eq!(all(&(&data).map(|x| x * 2)), [20, 22, 24, 26]);
        assert_eq!(all(&(&data).subset([3, 0, 3]).unwrap()), [13, 10, 13]);
        assert_eq!(
            all(&(&data).chain([7, 8].map(|x| x + 1))),
            [10, 11, 12, 13, 8, 9]
        );
        let both = Dataset::map((&data).chain(&data[..1]), |x| x + 1);
        assert_eq!(all(&both), [11, 12, 13, 14, 11]);
    }

    #[test]
    fn a_row_that_is_not_there_is_an_error() {
        let data = vec![1, 2, 3];
        let error = |e: DataError| e.to_string();
        assert_eq!(
            error(Dataset::get(&data, 3).unwrap_err()),
            "expected a row below 3, found 3"
        );
        assert_eq!(
            error((&data).subset([0, 5]).unwrap_err()),
            "expected a row below 3, found 5"
        );
        let both = (&data).chain(&data);
        assert!(both.get(5).is_ok());
        assert_eq!(
            error(both.get(6).unwrap_err()),
            "expected a row below 6, found 6"
        );
        let part = (&data).subset([2]).unwrap();
        assert_eq!(
            error(part.get(1).unwrap_err()),
            "expected a row below 1, found 1"
        );
    }

    #[test]
    fn labels_are_classes() {
        let data = vec![(0.5, 0_u8), (1.5, 2), (2.5, 3)].labels_below(3, |row| row.1);
        assert_eq!(data.get(1).unwrap(), (1.5, 2));
        let said = data.get_in(7, 2).unwrap_err().to_string();
        assert_eq!(said, "expected a class from 0 to 2, found 3");
        let data = [-1_i64].labels_below(3, |label| *label);
        let said = data.get(0).unwrap_err().to_string();
        assert_eq!(said, "expected a class from 0 to 2, found -1");
    }

    #[test]
    fn the_error_of_a_function_is_that_of_its_row() {
        let data = vec![1, 2, 3].try_map(|x| match x {
            2 => Err(DataError::other("two")),
            x => Ok(x),
        });
        assert_eq!(data.get(0).unwrap(), 1);
        assert_eq!(data.get(1).unwrap_err().to_string(), "two");
    }
}
