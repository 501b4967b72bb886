//! Batches that come to a device while it computes.

use super::{Device, ToDevice};

impl Device {
    /// Begins to bring a value here. A GPU copies it beside the computation, and [`take`](Prefetched::take) makes what follows wait
    /// for the copy; the program waits in neither of them. Other devices bring the value at once.
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
    pub fn prefetch<T: ToDevice>(&self, value: T) -> Prefetched<T> {
        // What has begun is waited for even if the value's own code panics.
        let mut prefetched = Prefetched {
            value: Some(value),
            #[cfg(feature = "cuda")]
            device: self.clone(),
        };
        let mut bring = || prefetched.value.move_to(self);
        match self {
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => cuda.beside(bring),
            _ => bring(),
        }
        prefetched
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
