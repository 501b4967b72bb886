//! The device.

use crate::beside::Beside;
use crate::context::Context;
use crate::counters::{Counters, MemoryCounters, MemoryUse, WorkCounters, add};
use crate::error::GpuError;
use crate::fault::FaultWord;
use crate::graph::Capture;
use crate::kernel::Modules;
use crate::load::Driver;
use crate::memory::{Pinned, Pool, Staging};
use crate::product::Products;
use crate::setup::{Properties, Setup};
use crate::stream::{Event, Stream};
use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// An open GPU: one stream of work, its memory, its kernels.
///
/// Calls may come from several threads; their work is done in the order of the calls. What only queues work does not fail:
/// its error is kept, the first one wins, and it comes out of the next [`Gpu::download`] or [`Gpu::synchronise`].
pub struct Gpu {
    pub(crate) products: Products,
    pub(crate) modules: Modules,
    pub(crate) fault: FaultWord,
    pub(crate) pool: Arc<Pool>,
    pub(crate) work: Mutex<Work>,
    /// Tells threads that wait that a capture has ended.
    pub(crate) captured: Condvar,
    pub(crate) stream: Stream,
    pub(crate) memory_counters: Arc<MemoryCounters>,
    pub(crate) counters: WorkCounters,
    pub(crate) setup: Setup,
    pub(crate) properties: Properties,
    pub(crate) ordinal: usize,
    pub(crate) context: Arc<Context>,
}

/// What is locked while work is queued.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) capture: Option<Capture>,
    /// The first error that nobody has been told.
    pub(crate) late: Option<GpuError>,
    /// The error after which the device is of no use.
    pub(crate) dead: Option<GpuError>,
    /// Kernels launched since the last wait, the oldest first.
    pub(crate) recent: Vec<Arc<str>>,
    /// Whether a kernel may have written the fault word.
    pub(crate) faults: bool,
    pub(crate) uploads: Staging,
    pub(crate) beside: Option<Beside>,
    /// Pinned memory for downloads, and its event.
    pub(crate) downloads: Vec<(Pinned, Event)>,
}

/// The lock on the work of a device.
pub(crate) type Locked<'a> = MutexGuard<'a, Work>;

impl Gpu {
    /// Its number.
    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// What it is.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// What it has been asked to do.
    pub fn counters(&self) -> Counters {
        self.counters.snapshot()
    }

    /// The memory that its buffers use.
    pub fn memory_use(&self) -> MemoryUse {
        self.memory_counters.snapshot()
    }

    pub(crate) fn driver(&self) -> &'static Driver {
        self.context.driver
    }

    pub(crate) fn lock(&self) -> Locked<'_> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock for work that is queued. Waits while another thread captures a graph.
    pub(crate) fn enter(&self) -> Result<Locked<'_>, GpuError> {
        let mut work = self.lock();
        while work
            .capture
            .as_ref()
            .is_some_and(|capture| !capture.is_mine())
        {
            work = self
                .captured
                .wait(work)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(dead) = &work.dead {
            return Err(dead.clone());
        }
        self.context.bind()?;
        Ok(work)
    }

    /// As `enter`, for what a graph cannot do.
    pub(crate) fn enter_outside_capture(&self, what: &'static str) -> Result<Locked<'_>, GpuError> {
        let mut work = self.enter()?;
        match &mut work.capture {
            None => Ok(work),
            Some(capture) => {
                let error = GpuError::Capturing { what };
                capture.refused.get_or_insert(error.clone());
                Err(error)
            }
        }
    }

    /// Queues work, and keeps an error for later.
    pub(crate) fn queue(&self, f: impl FnOnce(&mut Work) -> Result<(), GpuError>) {
        match self.enter() {
            Ok(mut work) => {
                if let Err(error) = f(&mut work) {
                    work.keep(error);
                }
            }
            Err(error) => self.keep_error(error),
        }
    }

    pub(crate) fn keep_error(&self, error: GpuError) {
        self.lock().keep(error);
    }

    /// Waits until all work is done, and leaves errors that are kept for those who read.
    pub(crate) fn settle(&self) -> Result<(), GpuError> {
        let mut work = self.enter_outside_capture("waiting for the device")?;
        self.count_wait();
        // SAFETY: the stream is alive.
        let code = unsafe { (self.driver().cuStreamSynchronize)(self.stream.raw) };
        self.sort(&mut work, code, "waiting for the device")?;
        work.recent.clear();
        Ok(())
    }

    /// The pool of the graph that this thread captures, or that of the device.
    pub(crate) fn pool_of_thread(&self) -> Result<Arc<Pool>, GpuError> {
        let work = self.lock();
        if let Some(dead) = &work.dead {
            return Err(dead.clone());
        }
        let capture = work.capture.as_ref().filter(|capture| capture.is_mine());
        Ok(capture.map_or(&self.pool, |capture| &capture.pool).clone())
    }

    pub(crate) fn count_wait(&self) {
        add(&self.counters.host_waits, 1);
    }
}

impl Work {
    /// Keeps the first error.
    pub(crate) fn keep(&mut self, error: GpuError) {
        if let Some(capture) = self.capture.as_mut().filter(|capture| capture.is_mine()) {
            capture.refused.get_or_insert(error);
        } else {
            self.late.get_or_insert(error);
        }
    }
}

impl Debug for Gpu {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "cuda:{}", self.ordinal)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // Copies may still read pinned memory, kernels buffers.
        let _ = self.stream.synchronise();
        if let Some(beside) = &self.lock().beside {
            let _ = beside.stream.synchronise();
        }
    }
}
