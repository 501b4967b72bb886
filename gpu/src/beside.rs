//! Uploads beside the computation: while it uses one batch, the next arrives on a stream of its own.

use crate::context::Context;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::{Place, Staging};
use crate::stream::{Event, Stream};
use std::sync::Arc;

/// The stream, and pinned memory through which its copies go.
pub(crate) struct Beside {
    pub(crate) stream: Stream,
    staging: Staging,
    /// Up to here the computation may use what the memory was before.
    free: Event,
    /// The last copy.
    arrived: Event,
    /// Whether there are copies for which the computation does not wait yet.
    pending: bool,
}

impl Beside {
    fn new(context: &Arc<Context>) -> Result<Self, GpuError> {
        Ok(Self {
            stream: Stream::new(context)?,
            staging: Staging::default(),
            free: Event::new(context)?,
            arrived: Event::new(context)?,
            pending: false,
        })
    }
}

impl Gpu {
    /// Copies bytes to the device, beside the work that is queued. They may change as soon as this returns.
    ///
    /// Before anything uses the buffer, and before it is dropped, comes a call of [`Gpu::join_uploads`].
    pub fn upload_beside<'a>(&self, to: impl Into<Place<'a>>, bytes: &[u8]) {
        let to = to.into();
        if let Err(error) = self.try_upload_beside(to, bytes) {
            self.keep_error(error);
        }
    }

    fn try_upload_beside(&self, to: Place<'_>, bytes: &[u8]) -> Result<(), GpuError> {
        let what = "uploading a batch";
        to.check(self, bytes.len(), what)?;
        let mut work = self.enter_outside_capture(what)?;
        let beside = match &mut work.beside {
            Some(beside) => beside,
            none => none.insert(Beside::new(&self.context)?),
        };
        beside.free.record(&self.stream)?;
        beside.stream.wait_for(&beside.free)?;
        beside.pending = true;
        let (staging, stream) = (&mut beside.staging, &beside.stream);
        self.stage(staging, stream, to.address(), bytes, what)
    }

    /// What is queued from now on waits for all that was uploaded beside; the host does not wait.
    pub fn join_uploads(&self) {
        if let Err(error) = self.try_join_uploads() {
            self.keep_error(error);
        }
    }

    fn try_join_uploads(&self) -> Result<(), GpuError> {
        let mut work = self.enter_outside_capture("receiving a batch")?;
        let Some(beside) = work.beside.as_mut().filter(|beside| beside.pending) else {
            return Ok(());
        };
        beside.arrived.record(&beside.stream)?;
        self.stream.wait_for(&beside.arrived)?;
        beside.pending = false;
        Ok(())
    }
}
