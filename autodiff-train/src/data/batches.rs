use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

/// Cuts the rows of a data set into shuffled mini-batches, anew for each epoch.
///
/// The order in an epoch is decided by the seed and the epoch's number alone, so that a training
/// run which is resumed at epoch 5 sees what the uninterrupted run saw.
///
/// ```
/// use differentiable::data::Batches;
///
/// let batches = Batches::new(10, 4).seed(1);
/// for epoch in 0..2 {
///     let sizes: Vec<usize> = batches.epoch(epoch).iter().map(<[usize]>::len).collect();
///     assert_eq!(sizes, [4, 4, 2]);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batches {
    rows: usize,
    batch_size: usize,
    order: Order,
    keep_last: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    AsIs,
    Shuffled { seed: u64 },
}

impl Batches {
    /// Batches of `batch_size` out of `rows` rows, in order; the last one may be smaller.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    pub fn new(rows: usize, batch_size: usize) -> Self {
        assert!(batch_size > 0, "a batch has at least one row");
        Batches {
            rows,
            batch_size,
            order: Order::AsIs,
            keep_last: true,
        }
    }

    /// Shuffles the rows of every epoch.
    pub fn seed(self, seed: u64) -> Self {
        Batches {
            order: Order::Shuffled { seed },
            ..self
        }
    }

    /// The seed of the order, if the rows are shuffled.
    pub(super) fn shuffle_seed(&self) -> Option<u64> {
        match self.order {
            Order::AsIs => None,
            Order::Shuffled { seed } => Some(seed),
        }
    }

    /// Leaves out the last batch of an epoch when it is smaller than the others.
    pub fn drop_last(self) -> Self {
        Batches {
            keep_last: false,
            ..self
        }
    }

    /// Batches in an epoch.
    pub fn len(&self) -> usize {
        if self.keep_last {
            self.rows.div_ceil(self.batch_size)
        } else {
            self.rows / self.batch_size
        }
    }

    /// Whether an epoch has no batch.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The batches of one epoch.
    pub fn epoch(&self, epoch: u64) -> Epoch {
        let mut rows: Vec<usize> = (0..self.rows).collect();
        if let Order::Shuffled { seed } = self.order {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            // One stream for each epoch: no state to save, and no two epochs share numbers.
            rng.set_stream(epoch);
            rows.shuffle(&mut rng);
        }
        rows.truncate((self.len() * self.batch_size).min(self.rows));
        Epoch {
            rows,
            batch_size: self.batch_size,
        }
    }
}

/// The mini-batches of one epoch, as row indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epoch {
    rows: Vec<usize>,
    batch_size: usize,
}

impl Epoch {
    /// The batches in order.
    pub fn iter(&self) -> std::slice::Chunks<'_, usize> {
        self.rows.chunks(self.batch_size)
    }
}

impl<'a> IntoIterator for &'a Epoch {
    type Item = &'a [usize];
    type IntoIter = std::slice::Chunks<'a, usize>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_comes_once_in_an_epoch() {
        for (rows, size) in [(10, 3), (9, 3), (1, 5), (0, 4), (7, 1)] {
            let batches = Batches::new(rows, size).seed(3);
            let epoch = batches.epoch(2);
            assert_eq!(epoch.iter().count(), batches.len());
            let mut seen: Vec<usize> = epoch.iter().flatten().copied().collect();
            seen.sort();
            assert_eq!(seen, (0..rows).collect::<Vec<_>>());
        }
    }

    #[test]
    fn dropping_the_last_batch_leaves_full_ones() {
        let batches = Batches::new(10, 4).seed(3).drop_last();
        assert_eq!(batches.len(), 2);
        assert!(batches.epoch(0).iter().all(|b| b.len() == 4));
        assert!(Batches::new(3, 4).drop_last().is_empty());
    }

    #[test]
    fn the_order_depends_on_seed_and_epoch_only() {
        let batches = Batches::new(50, 8).seed(3);
        assert_eq!(batches.epoch(4), Batches::new(50, 8).seed(3).epoch(4));
        assert_ne!(batches.epoch(4), batches.epoch(5));
        assert_ne!(batches.epoch(4), Batches::new(50, 8).seed(4).epoch(4));
        assert!(
            Batches::new(5, 2)
                .epoch(0)
                .iter()
                .flatten()
                .copied()
                .eq(0..5)
        );
    }
}
