//! How the rows of a batch become the batch.

use super::{DataError, Digest, Stack};
use autodiff_nn::shape::Dim;
use std::marker::PhantomData;
use std::sync::Arc;

/// A row that knows its batch. `#[batch]` implements it for a struct:
///
/// ```
/// use differentiable::data::{Collate, Loader};
/// use differentiable::prelude::*;
///
/// dim!(Batch, Time);
///
/// #[batch]
/// #[derive(Clone)]
/// struct Review {
///     #[pad(Time, 0)]
///     words: Vec<i64>,
///     length: f32,
///     stars: u8,
/// }
///
/// let review = |words: &[i64], stars| Review { words: words.to_vec(), length: words.len() as f32, stars };
/// let rows = vec![review(&[4, 2], 5), review(&[9, 9, 1], 1)];
/// let batch: ReviewBatch = Review::collate(rows)?;
/// let words: &Tensor![i64; Batch, Time] = &batch.words;
/// assert_eq!(words.to_vec(), [4, 2, 0, 9, 9, 1]);
/// assert_eq!(batch.words_lengths.to_vec(), [2, 3]);
/// assert_eq!(batch.stars.to_vec(), [5, 1]);
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how its rows are joined to a batch",
    note = "mark a struct `#[batch]`; for tensors, numbers and tuples say `loader.stack(Batch)`; for anything else give a function: `loader.collate(|rows| ..)`"
)]
pub trait Collate: Sized {
    /// The batch.
    type Batch;

    /// Joins rows, at least one, to a batch.
    ///
    /// # Errors
    /// If they do not fit together.
    fn collate(rows: Vec<Self>) -> Result<Self::Batch, DataError>;

    /// Adds the row to a checksum, by which a resumed run notices other data. `#[batch]` writes it; without an
    /// implementation rows are not compared.
    fn digest(&self, digest: &mut Digest) {
        digest.unknown();
    }
}

/// How a [`Loader`](super::Loader) joins rows of type `R`.
pub trait Collator<R> {
    /// The batch.
    type Batch;

    /// Joins rows, at least one, to a batch.
    ///
    /// # Errors
    /// If they do not fit together.
    fn collate(&self, rows: Vec<R>) -> Result<Self::Batch, DataError>;

    /// Adds a row to a checksum, if its values can be read.
    fn digest(&self, row: &R, digest: &mut Digest) {
        let _ = row; // A function that joins rows says nothing about one.
        digest.unknown();
    }
}

/// As the row says, by its [`Collate`]: what a [`Loader`](super::Loader) begins with.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByRow;

impl<R: Collate> Collator<R> for ByRow {
    type Batch = R::Batch;

    fn collate(&self, rows: Vec<R>) -> Result<R::Batch, DataError> {
        R::collate(rows)
    }

    fn digest(&self, row: &R, digest: &mut Digest) {
        row.digest(digest);
    }
}

/// Along a new dimension, by [`Stack`]: [`Loader::stack`](super::Loader::stack).
#[derive(Clone, Copy, Debug)]
pub struct Stacked<B>(pub(super) PhantomData<B>);

impl<B: Dim, R: Stack<B>> Collator<R> for Stacked<B> {
    type Batch = R::Batch;

    fn collate(&self, rows: Vec<R>) -> Result<R::Batch, DataError> {
        R::stack(rows)
    }

    fn digest(&self, row: &R, digest: &mut Digest) {
        row.digest(digest);
    }
}

/// By another collator, where a function says what of a row tells it from others:
/// [`Loader::digest`](super::Loader::digest).
#[derive(Clone, Copy, Debug)]
pub struct Digested<C, G> {
    pub(super) collate: C,
    pub(super) digest: G,
}

impl<R, C: Collator<R>, G: Fn(&R, &mut Digest)> Collator<R> for Digested<Arc<C>, G> {
    type Batch = C::Batch;

    fn collate(&self, rows: Vec<R>) -> Result<C::Batch, DataError> {
        self.collate.collate(rows)
    }

    fn digest(&self, row: &R, digest: &mut Digest) {
        (self.digest)(row, digest);
    }
}

/// By a function: [`Loader::collate`](super::Loader::collate).
#[derive(Clone, Copy, Debug)]
pub struct Collated<F>(pub(super) F);

impl<R, T, F: Fn(Vec<R>) -> Result<T, DataError>> Collator<R> for Collated<F> {
    type Batch = T;

    fn collate(&self, rows: Vec<R>) -> Result<T, DataError> {
        (self.0)(rows)
    }
}
