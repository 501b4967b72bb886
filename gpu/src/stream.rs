//! Streams and events.

use crate::context::Context;
use crate::error::GpuError;
use cudarc::driver::sys::{CUevent, CUstream};
use std::ptr::null_mut;
use std::sync::Arc;

/// A queue of work.
pub(crate) struct Stream {
    context: Arc<Context>,
    pub(crate) raw: CUstream,
}

// SAFETY: the driver locks its streams.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    pub(crate) fn new(context: &Arc<Context>) -> Result<Self, GpuError> {
        const NON_BLOCKING: u32 = 1;
        context.bind()?;
        let mut raw = null_mut();
        // SAFETY: a handle to write to.
        let code = unsafe { (context.driver.cuStreamCreate)(&mut raw, NON_BLOCKING) };
        context.driver.check(code, "creating a stream")?;
        Ok(Self {
            context: context.clone(),
            raw,
        })
    }

    /// Waits for all that was queued.
    pub(crate) fn synchronise(&self) -> Result<(), GpuError> {
        self.context.bind()?;
        // SAFETY: the handle is alive.
        let code = unsafe { (self.context.driver.cuStreamSynchronize)(self.raw) };
        self.context.driver.check(code, "waiting for a stream")
    }

    /// Work that is queued from now on waits for the event.
    pub(crate) fn wait_for(&self, event: &Event) -> Result<(), GpuError> {
        self.context.bind()?;
        // SAFETY: both handles are alive.
        let code = unsafe { (self.context.driver.cuStreamWaitEvent)(self.raw, event.raw, 0) };
        self.context
            .driver
            .check(code, "waiting for another stream")
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: from `new`.
            unsafe { (self.context.driver.cuStreamDestroy_v2)(self.raw) };
        }
    }
}

/// A place in a stream.
pub(crate) struct Event {
    context: Arc<Context>,
    raw: CUevent,
}

// SAFETY: the driver locks its events.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    pub(crate) fn new(context: &Arc<Context>) -> Result<Self, GpuError> {
        const WITHOUT_TIME: u32 = 2;
        context.bind()?;
        let mut raw = null_mut();
        // SAFETY: a handle to write to.
        let code =
            context.relaxed(|| unsafe { (context.driver.cuEventCreate)(&mut raw, WITHOUT_TIME) });
        context.driver.check(code, "creating an event")?;
        Ok(Self {
            context: context.clone(),
            raw,
        })
    }

    pub(crate) fn record(&self, stream: &Stream) -> Result<(), GpuError> {
        self.context.bind()?;
        // SAFETY: both handles are alive.
        self.context.driver.check(
            unsafe { (self.context.driver.cuEventRecord)(self.raw, stream.raw) },
            "recording an event",
        )
    }

    /// Whether the work in front of it is done.
    pub(crate) fn passed(&self) -> bool {
        // SAFETY: the handle is alive.
        self.context.bind().is_ok() && unsafe { (self.context.driver.cuEventQuery)(self.raw) } == 0
    }

    /// Waits on the host; the code is the driver's.
    pub(crate) fn wait(&self) -> Result<u32, GpuError> {
        self.context.bind()?;
        // SAFETY: the handle is alive.
        Ok(unsafe { (self.context.driver.cuEventSynchronize)(self.raw) })
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: from `new`.
            unsafe { (self.context.driver.cuEventDestroy_v2)(self.raw) };
        }
    }
}
