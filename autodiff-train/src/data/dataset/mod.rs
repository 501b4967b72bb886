//! Data sets: rows that can be read by number, and what is made of them.

mod adapt;
mod augment;
mod memory;
mod split;

pub use adapt::{Chain, LabelsBelow, Map, Subset, TryMap};
pub use augment::{Augment, TryAugment};
pub use memory::{Columns, InMemory};
pub use split::{k_folds, split_rows, stratified_rows};

use super::{DataError, Labelled};
use autodiff_nn::nn::Seeds;
use std::sync::Arc;

/// Rows that can be read by number.
///
/// A `Vec`, a slice and an array of rows are data sets that copy their rows; [`InMemory`] takes rows from tensors. A type of
/// your own, such as a folder of files, implements `len` and `get`.
///
/// ```
/// use differentiable::data::{DataError, Dataset};
///
/// /// The squares below 100, without storing them.
/// struct Squares;
///
/// impl Dataset for Squares {
///     type Item = u64;
///
///     fn len(&self) -> usize {
///         10
///     }
///
///     fn get(&self, index: usize) -> Result<u64, DataError> {
///         Ok((index * index) as u64)
///     }
/// }
///
/// let (train, test) = Squares.map(|x| x as f64 / 100.0).split(0.2, 7)?;
/// assert_eq!((train.len(), test.len()), (8, 2));
/// # Ok::<(), DataError>(())
/// ```
///
/// The trait is not in the prelude: where it is imported, `get` of a `Vec` is the one of the data set, which returns a
/// `Result`.
pub trait Dataset {
    /// A row.
    type Item;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Whether there is no row.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a row.
    ///
    /// # Errors
    /// If there is no such row, or it cannot be read.
    fn get(&self, index: usize) -> Result<Self::Item, DataError>;

    /// Reads a row as an epoch of training sees it: [`augment`](Dataset::augment) changes rows at random, differently in each
    /// epoch. Without it this is [`get`](Dataset::get). A [`Loader`](super::Loader) reads rows by this method.
    fn get_in(&self, epoch: u64, index: usize) -> Result<Self::Item, DataError> {
        let _ = epoch; // A row without augmentation is the same in each epoch.
        self.get(index)
    }

    /// The data set of the values of `f`, which is called each time that a row is read.
    fn map<U, F: Fn(Self::Item) -> U>(self, f: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map { data: self, f }
    }

    /// As [`map`](Dataset::map), by a function that can fail: the error is that of the row.
    fn try_map<U, F: Fn(Self::Item) -> Result<U, DataError>>(self, f: F) -> TryMap<Self, F>
    where
        Self: Sized,
    {
        TryMap { data: self, f }
    }

    /// The same rows, where one whose label is not a class, from 0 to `classes − 1`, is an error that names it. `label` gives
    /// the label of a row.
    ///
    /// ```
    /// use differentiable::data::{Dataset, Loader};
    /// use differentiable::prelude::*;
    ///
    /// dim!(Batch);
    ///
    /// let rows = vec![(tensor([0.5, 1.0]), 0), (tensor([2.0, 0.5]), 3)];
    /// let loader = Loader::new(rows.labels_below(3, |row| row.1), 2).stack(Batch);
    /// let error = loader.try_epoch(0).find_map(Result::err).unwrap();
    /// assert_eq!(error.to_string(), "row 1 of the data set: expected a class from 0 to 2, found 3");
    /// ```
    fn labels_below<L: Into<i64>, F: Fn(&Self::Item) -> L>(
        self,
        classes: usize,
        label: F,
    ) -> LabelsBelow<Self, F>
    where
        Self: Sized,
    {
        LabelsBelow {
            data: self,
            classes,
            label,
        }
    }

    /// Changes rows at random, as `f` says with the seeds that it is given. The seeds depend on `seed`, the epoch and the
    /// row alone, not on the order of rows and not on the number of threads.
    ///
    /// ```
    /// use differentiable::data::Dataset;
    ///
    /// let data = vec![0; 4].augment(1, |x, seeds| x + seeds.next_seed() % 100);
    /// assert_eq!(data.get_in(3, 2)?, data.get_in(3, 2)?);
    /// assert_ne!(data.get_in(3, 2)?, data.get_in(4, 2)?);
    /// # Ok::<(), differentiable::data::DataError>(())
    /// ```
    fn augment<U, F: Fn(Self::Item, &mut Seeds) -> U>(self, seed: u64, f: F) -> Augment<Self, F>
    where
        Self: Sized,
    {
        Augment {
            data: self,
            seed,
            f,
        }
    }

    /// As [`augment`](Dataset::augment), by a function that can fail.
    fn try_augment<U, F: Fn(Self::Item, &mut Seeds) -> Result<U, DataError>>(
        self,
        seed: u64,
        f: F,
    ) -> TryAugment<Self, F>
    where
        Self: Sized,
    {
        TryAugment {
            data: self,
            seed,
            f,
        }
    }

    /// The rows with these numbers, in this order; a number may come several times.
    ///
    /// # Errors
    /// [`DataError::NoRow`] if there is no row of a number.
    fn subset(self, rows: impl Into<Vec<usize>>) -> Result<Subset<Self>, DataError>
    where
        Self: Sized,
    {
        Subset::new(self, rows.into())
    }

    /// A training and a test part: the test part has `test_fraction` of the rows, rounded, chosen by `seed` alone. Rows keep
    /// their order within each part. The parts share the data set, so nothing is copied.
    ///
    /// # Errors
    /// If the fraction is not between 0 and 1.
    fn split(
        self,
        test_fraction: f64,
        seed: u64,
    ) -> Result<(Subset<Arc<Self>>, Subset<Arc<Self>>), DataError>
    where
        Self: Sized,
    {
        let (train, test) = split_rows(self.len(), test_fraction, seed)?;
        let data = Arc::new(self);
        Ok((
            Subset::new(Arc::clone(&data), train)?,
            Subset::new(data, test)?,
        ))
    }

    /// `k` pairs of a training and a test part for cross-validation: each row is in the test part of one pair. Which, `seed`
    /// decides.
    ///
    /// # Errors
    /// If `k` is less than 2 or more than the number of rows.
    fn folds(
        self,
        k: usize,
        seed: u64,
    ) -> Result<Vec<(Subset<Arc<Self>>, Subset<Arc<Self>>)>, DataError>
    where
        Self: Sized,
    {
        let folds = k_folds(self.len(), k, seed)?;
        let data = Arc::new(self);
        let parts = folds.into_iter().map(|(train, test)| {
            let train = Subset::new(Arc::clone(&data), train)?;
            Ok((train, Subset::new(Arc::clone(&data), test)?))
        });
        parts.collect()
    }

    /// The rows of this data set, and then those of another.
    fn chain<D: Dataset<Item = Self::Item>>(self, other: D) -> Chain<Self, D>
    where
        Self: Sized,
    {
        Chain {
            first: self,
            second: other,
        }
    }
}

/// The row of a slice, or the error of its absence.
fn row_of<T: Clone>(rows: &[T], row: usize) -> Result<T, DataError> {
    let found = <[T]>::get(rows, row).cloned();
    found.ok_or(DataError::NoRow {
        row,
        rows: rows.len(),
    })
}

impl<T: Clone> Dataset for [T] {
    type Item = T;

    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn get(&self, index: usize) -> Result<T, DataError> {
        row_of(self, index)
    }
}

impl<T: Clone> Dataset for Vec<T> {
    type Item = T;

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn get(&self, index: usize) -> Result<T, DataError> {
        row_of(self, index)
    }
}

impl<T: Clone, const N: usize> Dataset for [T; N] {
    type Item = T;

    fn len(&self) -> usize {
        N
    }

    fn get(&self, index: usize) -> Result<T, DataError> {
        row_of(self, index)
    }
}

/// A row is its features and its label.
impl Dataset for Labelled {
    type Item = (Vec<f32>, i64);

    fn len(&self) -> usize {
        Labelled::len(self)
    }

    fn get(&self, index: usize) -> Result<Self::Item, DataError> {
        let label = row_of(self.labels(), index)?;
        Ok((self.row(index).to_vec(), label))
    }
}

macro_rules! through_a_pointer {
    ($($pointer:ty),*) => { $(
        impl<D: Dataset + ?Sized> Dataset for $pointer {
            type Item = D::Item;

            fn len(&self) -> usize {
                (**self).len()
            }

            fn get(&self, index: usize) -> Result<Self::Item, DataError> {
                (**self).get(index)
            }

            fn get_in(&self, epoch: u64, index: usize) -> Result<Self::Item, DataError> {
                (**self).get_in(epoch, index)
            }
        }
    )* };
}
through_a_pointer!(&D, Box<D>, Arc<D>);
