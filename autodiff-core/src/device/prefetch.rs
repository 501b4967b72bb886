//! Batches that come to a device while it computes.

use super::{Device, ToDevice};

impl Device {
    /// Brings a value here, without making what was asked for before wait for it, or what is asked for next:
    /// [`take`](Prefetched::take) does that. On a GPU the copy runs beside the computation. Other devices bring it at once.
    ///
    /// A [loader](https://docs.rs/differentiable/latest/differentiable/data/struct.Loader.html#method.to_device) does this
    /// for the batch after the one that it gives.
    ///
    /// ```
    /// use differentiable::prelude::*;
    ///
    /// let device = Device::cpu();
    /// let batches = [tensor([1.0, 2.0]), tensor([3.0, 4.0])];
    /// let mut next = device.prefetch(batches[0].clone());
    /// let mut sum = 0.0;
    /// for i in 0..2 {
    ///     let batch = next.take();
    ///     next = device.prefetch(batches[(i + 1) % 2].clone());
    ///     sum += batch.sum().item();
    /// }
    /// assert_eq!(sum, 10.0);
    /// ```
    pub fn prefetch<T: ToDevice>(&self, mut value: T) -> Prefetched<T> {
        match self {
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => cuda.beside(|| value.move_to(self)),
            _ => value.move_to(self),
        }
        Prefetched {
            value: Some(value),
            #[cfg(feature = "cuda")]
            device: self.clone(),
        }
    }
}

/// A value on its way to a device: [`Device::prefetch`].
#[derive(Debug)]
pub struct Prefetched<T> {
    /// It is there until it is taken.
    value: Option<T>,
    #[cfg(feature = "cuda")]
    device: Device,
}

impl<T> Prefetched<T> {
    /// The value. What uses it waits until it has arrived; the host does not.
    pub fn take(mut self) -> T {
        self.join();
        self.value.take().expect("it is taken once")
    }

    fn join(&self) {
        #[cfg(feature = "cuda")]
        if let Device::Cuda(cuda) = &self.device {
            cuda.gpu().join_uploads();
        }
    }
}

impl<T> Drop for Prefetched<T> {
    /// Its memory must not be used for anything else before the copy is done.
    fn drop(&mut self) {
        if self.value.is_some() {
            self.join();
        }
    }
}
