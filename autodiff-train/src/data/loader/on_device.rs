//! Batches brought to a device, one ahead.

use super::Loader;
use crate::data::{DataError, Dataset, Fingerprint, Share, Source};
use autodiff_nn::device::{Device, Prefetched, ToDevice};

/// Batches of another source, on a device: [`Loader::to_device`].
#[derive(Clone, Debug)]
pub struct OnDevice<S> {
    source: S,
    device: Device,
}

impl<S: Source<Batch: ToDevice>> OnDevice<S> {
    /// Brings the batches of a source to a device, each while the one before it is used. For a loader it is
    /// [`to_device`](Loader::to_device).
    pub fn new(source: S, device: &Device) -> Self {
        OnDevice {
            source,
            device: device.clone(),
        }
    }

    /// The batches of an epoch.
    ///
    /// # Panics
    /// When a batch cannot be read, with the message of the error. [`try_epoch`](Self::try_epoch) returns it.
    pub fn epoch(&self, epoch: u64) -> impl Iterator<Item = S::Batch> {
        self.try_epoch(epoch)
            .map(|batch| batch.unwrap_or_else(|e| panic!("{e}")))
    }

    /// The batches of an epoch. A row that cannot be read is an error, and the last item.
    pub fn try_epoch(&self, epoch: u64) -> impl Iterator<Item = Result<S::Batch, DataError>> {
        self.epoch_from(epoch, 0)
    }

    /// The source of the batches.
    pub fn source(&self) -> &S {
        &self.source
    }
}

impl<S: Source<Batch: ToDevice>> Source for OnDevice<S> {
    type Batch = S::Batch;

    fn batches(&self) -> usize {
        self.source.batches()
    }

    fn rows_of(&self, batch: usize) -> usize {
        self.source.rows_of(batch)
    }

    fn epoch_from(
        &self,
        epoch: u64,
        first: usize,
    ) -> impl Iterator<Item = Result<S::Batch, DataError>> {
        Ahead::of(&self.device, || self.source.epoch_from(epoch, first))
    }

    fn epoch_share(
        &self,
        epoch: u64,
        first: usize,
        share: Share,
    ) -> impl Iterator<Item = Result<Option<S::Batch>, DataError>> {
        Ahead::of(&self.device, || {
            self.source.epoch_share(epoch, first, share)
        })
    }

    fn rows_of_share(&self, batch: usize, share: Share) -> usize {
        self.source.rows_of_share(batch, share)
    }

    fn row_numbers(&self, epoch: u64, batch: usize) -> Option<Vec<usize>> {
        self.source.row_numbers(epoch, batch)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.source.fingerprint()
    }
}

/// Gives a batch when the next one is on its way.
struct Ahead<'a, I, T> {
    batches: I,
    next: Option<Result<Prefetched<T>, DataError>>,
    begun: bool,
    device: &'a Device,
}

impl<'a, I: Iterator<Item = Result<T, DataError>>, T: ToDevice> Ahead<'a, I, T> {
    /// New tensors are made on the processor.
    fn of(device: &'a Device, batches: impl FnOnce() -> I) -> Self {
        Ahead {
            batches: Device::cpu().scope(batches),
            next: None,
            begun: false,
            device,
        }
    }

    fn read(&mut self) -> Option<Result<Prefetched<T>, DataError>> {
        let batch = Device::cpu().scope(|| self.batches.next())?;
        Some(batch.map(|batch| self.device.prefetch(batch)))
    }
}

impl<I: Iterator<Item = Result<T, DataError>>, T: ToDevice> Iterator for Ahead<'_, I, T> {
    type Item = Result<T, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.begun {
            self.begun = true;
            self.next = self.read();
        }
        // Taken before the next one begins, which would have to arrive as well.
        let batch = self.next.take()?.map(Prefetched::take);
        if batch.is_ok() {
            self.next = self.read();
        }
        Some(batch)
    }
}

impl<D: Dataset, C, W> Loader<D, C, W> {
    /// Brings each batch to a device, on a GPU beside the computation: while one is used, the next is copied.
    ///
    /// New tensors of rows and batches are made on the processor. A data set whose tensors are on a device already is joined
    /// there; one that is too large for it is made in [`Device::cpu().scope(..)`](Device::scope).
    ///
    /// ```
    /// use differentiable::data::Loader;
    /// use differentiable::prelude::*;
    ///
    /// dim!(Batch);
    ///
    /// let rows: Vec<f32> = (0..10).map(|i| i as f32).collect();
    /// let device = Device::current(); // `Device::cuda(0)?`
    /// let loader = Loader::new(rows, 4).workers(2).stack(Batch).to_device(&device);
    /// for batch in loader.epoch(0) {
    ///     assert_eq!(batch.device(), &device);
    /// }
    /// ```
    pub fn to_device(self, device: &Device) -> OnDevice<Self>
    where
        Self: Source<Batch: ToDevice>,
    {
        OnDevice::new(self, device)
    }
}
