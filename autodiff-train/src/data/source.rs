use super::{DataError, Fingerprint, Share};

/// Batches, epoch by epoch: what [`fit`](crate::train::fit) trains on. A [`Loader`](super::Loader) is one.
///
/// The batches of an epoch depend on its number alone, so that a run that is resumed in the middle of an epoch sees what
/// the uninterrupted run saw.
pub trait Source {
    /// What the loss takes.
    type Batch;

    /// The number of batches in an epoch.
    fn batches(&self) -> usize;

    /// The number of rows in a batch, given by its number in the epoch: averages over an epoch weigh by it.
    fn rows_of(&self, batch: usize) -> usize;

    /// The batches of an epoch, from number `first` on. A row that cannot be read is an error, and the last item.
    fn epoch_from(
        &self,
        epoch: u64,
        first: usize,
    ) -> impl Iterator<Item = Result<Self::Batch, DataError>>;

    /// The batches of an epoch as one of several ranks has them: its part of each, or `None` where it has no rows.
    ///
    /// Without an implementation a rank has whole batches in turn, and none of those between. All ranks are busy then only if
    /// gradients are accumulated over as many batches.
    fn epoch_share(
        &self,
        epoch: u64,
        first: usize,
        share: Share,
    ) -> impl Iterator<Item = Result<Option<Self::Batch>, DataError>> {
        let batches = self.epoch_from(epoch, first).enumerate();
        batches.map(move |(at, batch)| {
            let own = (first + at) % share.size == share.rank;
            batch.map(|batch| own.then_some(batch))
        })
    }

    /// The number of rows that a rank has of a batch: as [`rows_of`](Source::rows_of), for
    /// [`epoch_share`](Source::epoch_share).
    fn rows_of_share(&self, batch: usize, share: Share) -> usize {
        match batch % share.size == share.rank {
            true => self.rows_of(batch),
            false => 0,
        }
    }

    /// The rows of a batch, given by its epoch and its number there, as they are numbered in the data set. Messages of errors
    /// name them. `None`, if not implemented.
    fn row_numbers(&self, epoch: u64, batch: usize) -> Option<Vec<usize>> {
        let _ = (epoch, batch);
        None
    }

    /// What tells these data from others: a run that goes on from a checkpoint must find the fingerprint that it was saved
    /// with. It is taken once, so it should not read all data.
    ///
    /// Without an implementation it is the number of rows in an epoch, which other data of the same size have too. That of
    /// a [`Loader`](super::Loader) has a checksum of a few rows.
    fn fingerprint(&self) -> Fingerprint {
        let rows: usize = (0..self.batches()).map(|batch| self.rows_of(batch)).sum();
        Fingerprint::new().with("rows in an epoch", rows)
    }
}
