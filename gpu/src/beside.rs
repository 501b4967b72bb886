//! Uploads beside the computation: while it uses one batch, the next arrives on a stream of its own.

use crate::context::Context;
use crate::counters::add;
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

    fn try_upload_beside(&self, to: Place<'_>, mut bytes: &[u8]) -> Result<(), GpuError> {
        let what = "uploading a batch";
        to.check(self, bytes.len(), what)?;
        let mut work = self.enter_outside_capture(what)?;
        if work.beside.is_none() {
            work.beside = Some(Beside::new(&self.context)?);
        }
        let Some(beside) = &mut work.beside else {
            unreachable!("it is there now")
        };
        add(&self.counters.uploads, 1);
        add(&self.counters.uploaded_bytes, bytes.len());
        beside.free.record(&self.stream)?;
        beside.stream.wait_for(&beside.free)?;
        beside.pending = true;
        let mut address = to.address();
        while !bytes.is_empty() {
            let (room, count) =
                beside
                    .staging
                    .room(&self.context, &beside.stream, bytes.len(), &mut || {
                        self.count_wait()
                    })?;
            // SAFETY: room for `count` bytes that the device does not read any more; the range lies in the buffer.
            let code = unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), room, count);
                let (room, stream) = (room.cast(), beside.stream.raw);
                (self.driver().cuMemcpyHtoDAsync_v2)(address, room, count, stream)
            };
            self.driver().check(code, what)?;
            address += count as u64;
            bytes = &bytes[count..];
        }
        Ok(())
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
