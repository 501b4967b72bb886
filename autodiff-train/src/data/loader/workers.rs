//! Batches read by threads, ahead of the thread that asks for them.
//!
//! Of `n` workers, worker `w` reads the batches `w`, `w + n`, `w + 2n`, … and sends them through a channel of its own, which
//! holds a few. The consumer takes from the channels in turn: so the order is that of the plan, and no worker runs far ahead.

use super::{Fetch, Job};
use crate::data::collate::Collator;
use crate::data::{DataError, Dataset};
use autodiff_nn::device::Device;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};

/// Reads batches in threads: [`Loader::workers`](super::Loader::workers).
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    count: usize,
    prefetch: usize,
}

impl Workers {
    pub(super) fn new(count: usize) -> Self {
        Workers { count, prefetch: 2 }
    }

    pub(super) fn prefetch(self, batches: usize) -> Self {
        Workers {
            prefetch: batches.max(1),
            ..self
        }
    }
}

impl<D, C> Fetch<D, C> for Workers
where
    D: Dataset + Send + Sync + 'static,
    C: Collator<D::Item, Batch: Send> + Send + Sync + 'static,
{
    fn fetch(
        &self,
        job: Job<D, C>,
    ) -> impl Iterator<Item = Result<C::Batch, DataError>> + use<D, C> {
        Team::start(*self, job)
    }
}

/// The threads of an epoch.
struct Team<D: Dataset, C: Collator<D::Item>> {
    job: Arc<Job<D, C>>,
    workers: Vec<Worker<C::Batch>>,
    stop: Arc<AtomicBool>,
    next: usize,
}

struct Worker<T> {
    batches: Receiver<Result<T, DataError>>,
    thread: JoinHandle<()>,
}

impl<D, C> Team<D, C>
where
    D: Dataset + Send + Sync + 'static,
    C: Collator<D::Item, Batch: Send> + Send + Sync + 'static,
{
    fn start(workers: Workers, job: Job<D, C>) -> Self {
        let (job, stop) = (Arc::new(job), Arc::new(AtomicBool::new(false)));
        let count = workers.count.min(job.plan.len());
        let start = |first: usize| {
            let (sender, batches) = sync_channel(workers.prefetch);
            let (job, stop) = (Arc::clone(&job), Arc::clone(&stop));
            // Rows and batches are made where the caller would make them.
            let device = Device::current();
            let read = move || {
                for number in (first..job.plan.len()).step_by(count) {
                    let Some(batch) = job.batch(number, || !stop.load(Ordering::Relaxed)) else {
                        return;
                    };
                    // What follows an error nobody reads, and without a receiver nobody reads this.
                    let is_last = batch.is_err();
                    if sender.send(batch).is_err() || is_last {
                        return;
                    }
                }
            };
            let work = move || device.scope(read);
            let name = format!("data-{first}");
            let thread = thread::Builder::new().name(name).spawn(work);
            Worker {
                batches,
                thread: thread.unwrap_or_else(|e| panic!("a worker cannot be started: {e}")),
            }
        };
        let workers = (0..count).map(start).collect();
        Team {
            job,
            workers,
            stop,
            next: 0,
        }
    }
}

impl<D: Dataset, C: Collator<D::Item>> Iterator for Team<D, C> {
    type Item = Result<C::Batch, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.job.plan.len() {
            return None;
        }
        let number = self.next;
        self.next += 1;
        if self.workers.is_empty() {
            return self.job.batch(number, || true);
        }
        let at = number % self.workers.len();
        if let Ok(batch) = self.workers[at].batches.recv() {
            return Some(batch);
        }
        // The worker ended before its last batch: by a panic, since after an error nobody asks again.
        self.next = self.job.plan.len();
        match self.workers.remove(at).thread.join() {
            Ok(()) => None,
            Err(payload) => panic::resume_unwind(payload),
        }
    }
}

impl<D: Dataset, C: Collator<D::Item>> Drop for Team<D, C> {
    /// Ends the threads: each stops before its next row, or when it finds that nobody receives.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for Worker { batches, thread } in self.workers.drain(..) {
            drop(batches);
            // A panic of a worker whose batches nobody asked for is not the caller's.
            let _ = thread.join();
        }
    }
}
