//! Batches of rows, read and joined.

mod in_place;
mod on_device;
mod workers;

pub use in_place::InPlace;
pub use on_device::OnDevice;
pub use workers::Workers;

use super::collate::{ByRow, Collated, Collator, Digested, Stacked};
use super::{Batches, DataError, Dataset, Digest, Fingerprint, Share, Source};
use std::marker::PhantomData;
use std::sync::Arc;

/// Reads the rows of a data set in mini-batches, epoch by epoch.
///
/// ```
/// use differentiable::data::{Dataset, Loader};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[batch]
/// #[derive(Clone)]
/// struct Point {
///     x: Tensor![2],
///     y: i64,
/// }
///
/// let rows: Vec<Point> = (0..10).map(|i| Point { x: Tensor::full(i as f32), y: i }).collect();
/// let loader = Loader::new(rows, 4).shuffle(1).workers(2);
/// for batch in loader.epoch(0) {
///     let (x, y): (&Tensor![Batch, 2], &Tensor![i64; Batch]) = (&batch.x, &batch.y);
///     assert_eq!(x.at([0, 1]) as i64, y.at([0]));
/// }
/// assert_eq!(loader.epoch(0).map(|batch| batch.y.len()).sum::<usize>(), 10);
/// ```
///
/// The order of rows in an epoch is a function of the seed and the epoch's number. It does not depend on the number of
/// workers, and an epoch can be resumed in the middle: [`epoch_from`](Loader::epoch_from).
///
/// Rows become a batch by their [`Collate`](super::Collate), which `#[batch]` implements for structs; by
/// [`stack`](Loader::stack), for tensors, numbers and tuples; or by a function, [`collate`](Loader::collate).
///
/// | method | |
/// |---|---|
/// | [`shuffle(seed)`](Loader::shuffle) | another order in each epoch; without it, the order of the data set |
/// | [`drop_last()`](Loader::drop_last) | leaves out the last batch of an epoch if it is not full |
/// | [`workers(n)`](Loader::workers) | reads and joins in `n` threads, ahead of the training |
/// | [`prefetch(k)`](Loader::prefetch) | how many finished batches each thread keeps ready, at first 2 |
/// | [`to_device(&device)`](Loader::to_device) | brings each batch to a device, while the one before it is used |
///
/// Without workers the data set may be borrowed, `Loader::new(&data, 64)`.
#[derive(Debug)]
pub struct Loader<D, C = ByRow, W = InPlace> {
    data: Arc<D>,
    batches: Batches,
    rows: Sizes,
    collate: Arc<C>,
    workers: W,
}

/// Clones share the data set.
impl<D, C, W: Clone> Clone for Loader<D, C, W> {
    fn clone(&self) -> Self {
        Loader {
            data: Arc::clone(&self.data),
            batches: self.batches.clone(),
            rows: self.rows,
            collate: Arc::clone(&self.collate),
            workers: self.workers.clone(),
        }
    }
}

/// The numbers that decide how many rows each batch has.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    rows: usize,
    batch_size: usize,
}

impl<D: Dataset> Loader<D> {
    /// Batches of `batch_size` rows, in the order of the data set; the last one may be smaller.
    ///
    /// # Panics
    /// If the data set has no rows or the batch size is 0. [`try_new`](Loader::try_new) returns these as errors.
    #[track_caller]
    pub fn new(data: D, batch_size: usize) -> Self {
        Self::try_new(data, batch_size).unwrap_or_else(|e| panic!("{e}"))
    }

    /// As [`new`](Loader::new).
    ///
    /// # Errors
    /// [`DataError::NoRows`], [`DataError::NoBatchSize`].
    pub fn try_new(data: D, batch_size: usize) -> Result<Self, DataError> {
        let rows = data.len();
        if rows == 0 {
            return Err(DataError::NoRows);
        }
        if batch_size == 0 {
            return Err(DataError::NoBatchSize);
        }
        Ok(Loader {
            data: Arc::new(data),
            batches: Batches::new(rows, batch_size),
            rows: Sizes { rows, batch_size },
            collate: Arc::new(ByRow),
            workers: InPlace,
        })
    }
}

impl<D: Dataset, C, W> Loader<D, C, W> {
    /// Shuffles the rows, anew in each epoch.
    pub fn shuffle(self, seed: u64) -> Self {
        Loader {
            batches: self.batches.seed(seed),
            ..self
        }
    }

    /// Leaves out the last batch of an epoch if it is not full.
    ///
    /// # Panics
    /// If the data set has fewer rows than one batch: an epoch would have no batch.
    #[track_caller]
    pub fn drop_last(self) -> Self {
        let Sizes { rows, batch_size } = self.rows;
        if rows < batch_size {
            panic!("{}", DataError::NoFullBatch { batch_size, rows });
        }
        Loader {
            batches: self.batches.drop_last(),
            ..self
        }
    }

    /// Reads rows and joins them in `n` threads, which work ahead of the training; 0 is one thread, that of the caller.
    /// Batches come in the same order, with the same rows, as without threads.
    ///
    /// The threads share the data set, so the loader has to own it: hand it over, or an `Arc` of it. The threads of an
    /// epoch end with its iterator, also when that is dropped early.
    pub fn workers(self, n: usize) -> Loader<D, C, Workers>
    where
        D: Send + Sync + 'static,
    {
        self.with_workers(Workers::new(n))
    }

    /// Joins rows along a new first axis, by [`Stack`](super::Stack): `stack(Batch)` after `dim!(Batch)`.
    ///
    /// ```
    /// use differentiable::data::Loader;
    /// use differentiable::prelude::*;
    ///
    /// dim!(Batch);
    ///
    /// let rows = vec![(tensor([1.0, 2.0]), 0), (tensor([3.0, 4.0]), 1)];
    /// for batch in Loader::new(&rows, 2).stack(Batch).epoch(0) {
    ///     let (x, y): (Tensor![Batch, 2], Tensor![i64; Batch]) = batch;
    ///     assert_eq!((x.len(), y.to_vec()), (4, vec![0, 1]));
    /// }
    /// ```
    pub fn stack<B>(self, _: fn(usize) -> B) -> Loader<D, Stacked<B>, W> {
        self.with_collate(Stacked(PhantomData))
    }

    /// Joins rows by a function.
    ///
    /// ```
    /// use differentiable::data::{Loader, pad};
    /// use differentiable::nn::Lengths;
    /// use differentiable::prelude::*;
    ///
    /// dim!(Batch, Time);
    ///
    /// let texts = vec![vec![3, 1], vec![4], vec![1, 5, 9]];
    /// let loader = Loader::new(&texts, 3).collate(|rows| pad(&rows, Time, 0));
    /// let (ids, lengths): (Tensor![i64; Batch, Time], Lengths) = loader.epoch(0).next().unwrap();
    /// assert_eq!(ids.dims().as_slice(), [3, 3]);
    /// assert_eq!(lengths.steps(), [2, 1, 3]);
    /// ```
    pub fn collate<T, F>(self, f: F) -> Loader<D, Collated<F>, W>
    where
        F: Fn(Vec<D::Item>) -> Result<T, DataError>,
    {
        self.with_collate(Collated(f))
    }

    /// Says what of a row tells it from others, for the checksum of the [fingerprint](Source::fingerprint) by which a run that
    /// is resumed notices other data. Rows that a [function](Loader::collate) joins have none otherwise.
    ///
    /// ```
    /// use differentiable::data::{Loader, Source, pad};
    /// use differentiable::prelude::*;
    ///
    /// dim!(Batch, Time);
    ///
    /// let of = |texts: Vec<Vec<i64>>| {
    ///     let loader = Loader::new(texts, 2).collate(|rows| pad::<Batch, Time, i64>(&rows, Time, 0));
    ///     loader.digest(|text, digest| digest.numbers(text)).fingerprint()
    /// };
    /// assert_eq!(of(vec![vec![3, 1], vec![4]]), of(vec![vec![3, 1], vec![4]]));
    /// assert_ne!(of(vec![vec![3, 1], vec![4]]), of(vec![vec![3, 2], vec![4]]));
    /// ```
    pub fn digest<G>(self, digest: G) -> Loader<D, Digested<Arc<C>, G>, W>
    where
        G: Fn(&D::Item, &mut Digest),
    {
        let collate = Arc::clone(&self.collate);
        self.with_collate(Digested { collate, digest })
    }

    fn with_workers<V>(self, workers: V) -> Loader<D, C, V> {
        Loader {
            data: self.data,
            batches: self.batches,
            rows: self.rows,
            collate: self.collate,
            workers,
        }
    }

    fn with_collate<E>(self, collate: E) -> Loader<D, E, W> {
        Loader {
            data: self.data,
            batches: self.batches,
            rows: self.rows,
            collate: Arc::new(collate),
            workers: self.workers,
        }
    }

    /// The data set.
    pub fn data(&self) -> &D {
        &self.data
    }

    /// The number of batches in an epoch.
    pub fn len(&self) -> usize {
        self.batches.len()
    }

    /// Whether an epoch has no batch: never, since a loader without one cannot be made.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }
}

impl<D: Dataset, C> Loader<D, C, Workers> {
    /// How many finished batches each worker keeps ready, at least 1: they take memory. At first it is 2.
    pub fn prefetch(self, batches: usize) -> Self {
        Loader {
            workers: self.workers.prefetch(batches),
            ..self
        }
    }
}

impl<D: Dataset, C: Collator<D::Item>, W: Fetch<D, C>> Loader<D, C, W> {
    /// The batches of an epoch.
    ///
    /// # Panics
    /// When a row cannot be read or rows cannot be joined, with the message of the error.
    /// [`try_epoch`](Loader::try_epoch) returns it.
    pub fn epoch(&self, epoch: u64) -> impl Iterator<Item = C::Batch> {
        self.try_epoch(epoch)
            .map(|batch| batch.unwrap_or_else(|e| panic!("{e}")))
    }

    /// The batches of an epoch. A row that cannot be read is an error, and the last item. A panic in a worker goes on in
    /// the thread of the caller.
    pub fn try_epoch(&self, epoch: u64) -> impl Iterator<Item = Result<C::Batch, DataError>> {
        self.epoch_from(epoch, 0)
    }

    /// As [`try_epoch`](Loader::try_epoch), from batch number `first` on: the rest of the epoch as it would have been.
    pub fn epoch_from(
        &self,
        epoch: u64,
        first: usize,
    ) -> impl Iterator<Item = Result<C::Batch, DataError>> {
        // The whole has rows.
        self.shared(epoch, first, Share::WHOLE)
            .filter_map(Result::transpose)
    }

    /// The part of each batch of an epoch that one of several ranks takes, from batch number `first` on; `None` where it has no rows.
    ///
    /// The ranks together see each row of a batch once, so their gradients, weighted by their rows, are that of the batch.
    ///
    /// ```
    /// use differentiable::data::{Loader, Share};
    /// use differentiable::prelude::*;
    ///
    /// dim!(Batch);
    ///
    /// let loader = Loader::new(vec![1_i64, 2, 3, 4, 5], 4).stack(Batch);
    /// let numbers = |x: Tensor![i64; Batch]| x.to_vec();
    /// let of = |rank| -> Vec<Vec<i64>> {
    ///     let parts = loader.shared(0, 0, Share { rank, size: 2 });
    ///     parts.map(|part| part.unwrap().map_or(vec![], numbers)).collect()
    /// };
    /// assert_eq!(of(0), [vec![1, 2], vec![]]);
    /// assert_eq!(of(1), [vec![3, 4], vec![5]]);
    /// ```
    pub fn shared(
        &self,
        epoch: u64,
        first: usize,
        share: Share,
    ) -> impl Iterator<Item = Result<Option<C::Batch>, DataError>> {
        let all = self.batches.epoch(epoch);
        let own = |rows: &[usize]| rows[share.range(rows.len())].to_vec();
        let rows: Vec<Vec<usize>> = all.iter().skip(first).map(own).collect();
        let some: Vec<bool> = rows.iter().map(|rows| !rows.is_empty()).collect();
        let job = Job {
            data: Arc::clone(&self.data),
            collate: Arc::clone(&self.collate),
            epoch,
            plan: rows.into_iter().filter(|rows| !rows.is_empty()).collect(),
        };
        let mut batches = self.workers.fetch(job);
        let (mut some, mut failed) = (some.into_iter(), false);
        std::iter::from_fn(move || {
            if failed {
                return None;
            }
            if !some.next()? {
                return Some(Ok(None));
            }
            let batch = batches.next()?;
            failed = batch.is_err();
            Some(batch.map(Some))
        })
    }
}

impl<D: Dataset, C: Collator<D::Item>, W: Fetch<D, C>> Source for Loader<D, C, W> {
    type Batch = C::Batch;

    fn batches(&self) -> usize {
        self.len()
    }

    fn rows_of(&self, batch: usize) -> usize {
        let Sizes { rows, batch_size } = self.rows;
        rows.saturating_sub(batch * batch_size).min(batch_size)
    }

    fn epoch_from(
        &self,
        epoch: u64,
        first: usize,
    ) -> impl Iterator<Item = Result<C::Batch, DataError>> {
        Loader::epoch_from(self, epoch, first)
    }

    fn epoch_share(
        &self,
        epoch: u64,
        first: usize,
        share: Share,
    ) -> impl Iterator<Item = Result<Option<C::Batch>, DataError>> {
        self.shared(epoch, first, share)
    }

    fn rows_of_share(&self, batch: usize, share: Share) -> usize {
        share.range(self.rows_of(batch)).len()
    }

    fn row_numbers(&self, epoch: u64, batch: usize) -> Option<Vec<usize>> {
        let epoch = self.batches.epoch(epoch);
        epoch.iter().nth(batch).map(<[usize]>::to_vec)
    }

    /// The number of rows, the size of batches, the order, and a checksum of five rows from the first to the last, as the
    /// first epoch sees them. Rows that are joined by [a function](Loader::collate), or by a [`Collate`](super::Collate) that
    /// does not say how, have the checksum `none`: [`digest`](Loader::digest) says how.
    fn fingerprint(&self) -> Fingerprint {
        let Sizes { rows, batch_size } = self.rows;
        let order = match self.batches.shuffle_seed() {
            Some(seed) => format!("shuffled by the seed {seed}"),
            None => "as stored".to_string(),
        };
        let facts = Fingerprint::new()
            .with("rows", rows)
            .with("batch size", batch_size)
            .with("batches", self.len())
            .with("order", order);
        let mut sampled = vec![0, rows / 4, rows / 2, rows * 3 / 4, rows - 1];
        sampled.dedup();
        let mut digest = Digest::new();
        for row in sampled {
            match self.data.get_in(0, row) {
                Ok(item) => self.collate.digest(&item, &mut digest),
                // Where the run comes to the row, its error says why.
                Err(_) => digest.bytes(b"unreadable"),
            }
        }
        let sum = digest.value();
        let sum = sum.map_or("none".to_string(), |sum| format!("{sum:08x}"));
        facts.with("checksum of sampled rows", sum)
    }
}

/// What is to be read: the rows of each batch.
#[derive(Debug)]
pub struct Job<D, C> {
    data: Arc<D>,
    collate: Arc<C>,
    epoch: u64,
    plan: Vec<Vec<usize>>,
}

impl<D: Dataset, C: Collator<D::Item>> Job<D, C> {
    /// Reads a batch, as long as `go_on` says so.
    fn batch(
        &self,
        number: usize,
        go_on: impl Fn() -> bool,
    ) -> Option<Result<C::Batch, DataError>> {
        let mut rows = Vec::with_capacity(self.plan[number].len());
        for &row in &self.plan[number] {
            if !go_on() {
                return None;
            }
            match self.data.get_in(self.epoch, row) {
                Ok(item) => rows.push(item),
                Err(cause) => {
                    let cause = Box::new(cause);
                    return Some(Err(DataError::Row { row, cause }));
                }
            }
        }
        Some(self.collate.collate(rows))
    }
}

/// Where batches are read: [`InPlace`] or by [`Workers`].
pub trait Fetch<D: Dataset, C: Collator<D::Item>> {
    /// The batches of a job, in order.
    fn fetch(
        &self,
        job: Job<D, C>,
    ) -> impl Iterator<Item = Result<C::Batch, DataError>> + use<Self, D, C>;
}
