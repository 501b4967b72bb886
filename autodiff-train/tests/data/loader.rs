//! Properties of the loader: every row once, the same order for any number of workers, resuming, errors and panics.

use differentiable::data::{Collated, DataError, Dataset, Loader, Source, Workers};
use differentiable::prelude::*;
use proptest::prelude::{Strategy, prop_assert_eq, proptest};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

dim!(Batch);

type Rows = Vec<usize>;
type Together = Collated<fn(Rows) -> Result<Rows, DataError>>;

/// Batches that are the `Vec` of their rows.
fn rows(data: Rows, size: usize, workers: usize) -> Loader<Rows, Together, Workers> {
    let together: fn(Rows) -> _ = Ok;
    Loader::new(data, size).collate(together).workers(workers)
}

fn sizes() -> impl Strategy<Value = (usize, usize, u64, u64)> {
    (1_usize..60, 1_usize..20, 0_u64..5, 0_u64..5)
}

proptest! {
    #[test]
    fn every_row_comes_exactly_once(( n, size, seed, epoch) in sizes(), workers in 0_usize..4) {
        let loader = rows((0..n).collect(), size, workers).shuffle(seed);
        let batches: Vec<Vec<usize>> = loader.epoch(epoch).collect();
        prop_assert_eq!(batches.len(), loader.len());
        for (number, batch) in batches.iter().enumerate() {
            prop_assert_eq!(batch.len(), loader.rows_of(number));
        }
        let mut seen = batches.concat();
        seen.sort();
        prop_assert_eq!(seen, Vec::from_iter(0..n));
        prop_assert_eq!(loader.rows_of(loader.len()), 0);
    }

    #[test]
    fn the_order_does_not_depend_on_the_workers((n, size, seed, epoch) in sizes(), workers in 1_usize..6, prefetch in 0_usize..4) {
        let data = Vec::from_iter(0..n);
        let alone: Vec<Vec<usize>> = Loader::new(&data, size).collate(Ok).shuffle(seed).epoch(epoch).collect();
        let loader = rows(data.clone(), size, workers).shuffle(seed).prefetch(prefetch);
        prop_assert_eq!(loader.epoch(epoch).collect::<Vec<_>>(), alone);
    }

    #[test]
    fn the_rest_of_an_epoch_is_its_tail((n, size, seed, epoch) in sizes(), first in 0_usize..70, workers in 0_usize..4) {
        let loader = rows((0..n).collect(), size, workers).shuffle(seed);
        let all: Vec<Vec<usize>> = loader.epoch(epoch).collect();
        let rest: Vec<Vec<usize>> = loader.epoch_from(epoch, first).map(Result::unwrap).collect();
        prop_assert_eq!(&rest[..], &all[first.min(all.len())..]);
        let source: Vec<_> = Source::epoch_from(&loader, epoch, first).map(Result::unwrap).collect();
        prop_assert_eq!(source, rest);
    }
}

#[test]
fn epochs_have_orders_of_their_own() {
    let loader = rows((0..50).collect(), 7, 0).shuffle(1);
    let order = |epoch| loader.epoch(epoch).collect::<Vec<_>>().concat();
    assert_ne!(order(0), order(1));
    assert_eq!(order(1), order(1));
    let as_is = rows((0..50).collect(), 7, 2);
    assert_eq!(
        as_is.epoch(3).collect::<Vec<_>>().concat(),
        Vec::from_iter(0..50)
    );
}

#[test]
fn drop_last_leaves_full_batches() {
    let loader = rows((0..10).collect(), 4, 2).shuffle(1).drop_last();
    assert_eq!((loader.len(), loader.batches()), (2, 2));
    assert!(loader.epoch(0).all(|batch| batch.len() == 4));
}

#[test]
fn what_cannot_be_loaded_is_an_error_at_once() {
    let message = |e: Option<DataError>| e.expect("an error").to_string();
    assert_eq!(
        message(Loader::try_new(Vec::<i64>::new(), 4).err()),
        "expected a data set with at least one row, found none"
    );
    assert_eq!(
        message(Loader::try_new(vec![1], 0).err()),
        "expected a batch size of at least 1, found 0"
    );
    let panic = std::panic::catch_unwind(|| Loader::new(vec![1, 2, 3], 4).drop_last());
    assert_eq!(
        panic.unwrap_err().downcast_ref::<String>().unwrap(),
        "expected at least one full batch of 4 rows, found a data set of 3"
    );
}

/// Ten rows, of which one cannot be read, and one panics.
struct Faulty {
    wrong: Option<usize>,
    panics: Option<usize>,
}

impl Dataset for Faulty {
    type Item = usize;

    fn len(&self) -> usize {
        10
    }

    fn get(&self, index: usize) -> Result<usize, DataError> {
        assert_ne!(self.panics, Some(index), "the disk is on fire");
        match self.wrong == Some(index) {
            true => Err(DataError::other("the disk is full")),
            false => Ok(index),
        }
    }
}

#[test]
fn an_error_is_the_last_item_and_names_its_row() {
    for workers in [0, 1, 3] {
        let data = Faulty {
            wrong: Some(5),
            panics: None,
        };
        let loader = Loader::new(data, 2).workers(workers).collate(Ok);
        let mut batches = loader.try_epoch(0);
        for expected in [[0, 1], [2, 3]] {
            assert_eq!(batches.next().unwrap().unwrap(), expected);
        }
        let error = batches.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "row 5 of the data set: the disk is full");
        assert!(batches.next().is_none(), "{workers} workers");

        let count = std::panic::AssertUnwindSafe(|| loader.epoch(0).count());
        let panic = std::panic::catch_unwind(count).unwrap_err();
        assert_eq!(
            panic.downcast_ref::<String>().unwrap(),
            "row 5 of the data set: the disk is full"
        );
    }
}

#[test]
fn a_panic_of_a_worker_goes_on_in_the_caller() {
    for workers in [0, 1, 3] {
        let data = Faulty {
            wrong: None,
            panics: Some(7),
        };
        let loader = Loader::new(data, 2).workers(workers).collate(Ok);
        let mut batches = loader.try_epoch(0);
        for _ in 0..3 {
            batches.next().unwrap().unwrap();
        }
        let next = std::panic::AssertUnwindSafe(|| batches.next());
        let panic = std::panic::catch_unwind(next).unwrap_err();
        let message = panic.downcast_ref::<String>().unwrap();
        assert!(message.contains("the disk is on fire"), "{message}");
    }
}

/// Counts the rows that are read.
struct Counted {
    read: Arc<AtomicUsize>,
}

impl Dataset for Counted {
    type Item = usize;

    fn len(&self) -> usize {
        1_000_000
    }

    fn get(&self, index: usize) -> Result<usize, DataError> {
        self.read.fetch_add(1, Ordering::SeqCst);
        Ok(index)
    }
}

#[test]
fn dropping_the_iterator_stops_the_workers() {
    let read = Arc::new(AtomicUsize::new(0));
    let data = Arc::new(Counted {
        read: Arc::clone(&read),
    });
    let loader = Loader::new(Arc::clone(&data), 10)
        .workers(3)
        .prefetch(2)
        .collate(Ok);
    let mut batches = loader.epoch(0);
    batches.next().unwrap();
    drop(batches);
    // The threads have ended: nobody but the loader and this function holds the data, and no row is read any more.
    let count = read.load(Ordering::SeqCst);
    drop(loader);
    assert_eq!(Arc::strong_count(&data), 1);
    // Each worker holds one batch, two wait in its channel, and one was taken.
    assert!(count <= 10 * (3 * 3 + 1), "{count}");
    std::thread::yield_now();
    assert_eq!(read.load(Ordering::SeqCst), count);
}

#[test]
fn workers_read_no_further_than_the_prefetch() {
    let read = Arc::new(AtomicUsize::new(0));
    let data = Counted {
        read: Arc::clone(&read),
    };
    let loader = Loader::new(data, 10).workers(2).prefetch(1).collate(Ok);
    let mut batches = loader.epoch(0);
    for taken in 1..=50 {
        batches.next().unwrap();
        let ahead = read.load(Ordering::SeqCst) - 10 * taken;
        assert!(ahead <= 10 * 2 * 2 + 10, "{ahead}");
    }
}

#[test]
fn augmentation_differs_by_epoch_and_not_by_workers() {
    let data = || vec![0_i64; 12].augment(9, |_, seeds| (seeds.next_seed() % 1000) as i64);
    let epoch = |workers, epoch| -> Vec<i64> {
        let loader = Loader::new(data(), 5)
            .shuffle(2)
            .workers(workers)
            .stack(Batch);
        let batches = loader.epoch(epoch).map(|b: Tensor![i64; Batch]| b.to_vec());
        batches.collect::<Vec<_>>().concat()
    };
    assert_eq!(epoch(0, 3), epoch(2, 3));
    assert_ne!(epoch(2, 3), epoch(2, 4));
}
