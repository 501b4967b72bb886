//! How long training waits for its data.

use differentiable::data::{DataError, Source};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// A source that measures how long its reader waits for batches: with workers that keep up, nearly nothing.
#[derive(Debug)]
pub struct Waiting<S> {
    source: S,
    waited: Cell<Duration>,
}

impl<S: Source> Waiting<S> {
    /// The batches of a source.
    pub fn on(source: S) -> Self {
        Waiting {
            source,
            waited: Cell::default(),
        }
    }

    /// How long the reader has waited so far, the start of the workers of each epoch included.
    pub fn waited(&self) -> Duration {
        self.waited.get()
    }

    fn timed<T>(&self, f: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let value = f();
        self.waited.set(self.waited.get() + start.elapsed());
        value
    }
}

impl<S: Source> Source for Waiting<S> {
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
        let mut batches = self.timed(|| self.source.epoch_from(epoch, first));
        std::iter::from_fn(move || self.timed(|| batches.next()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use differentiable::data::{Dataset, Loader};
    use differentiable::prelude::*;

    dim!(Rows);

    #[test]
    fn slow_rows_are_waited_for() {
        let slow = vec![1_i64, 2, 3].map(|row| {
            std::thread::sleep(Duration::from_millis(20));
            row
        });
        let source = Waiting::on(Loader::new(slow, 2).stack(Rows));
        let batches: Vec<Tensor![i64; Rows]> =
            source.epoch_from(0, 0).map(Result::unwrap).collect();
        assert_eq!(batches[1].to_vec(), [3]);
        assert!(source.waited() >= Duration::from_millis(60));
        assert_eq!((source.batches(), source.rows_of(1)), (2, 1));
    }
}
