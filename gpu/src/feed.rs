//! Uploads beside the computation: the batches of a loader.

use crate::context::{Event, Pinned, Stream};
use crate::counters::add;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::{Buffer, Place};
use std::sync::Arc;

/// Two slots of pinned memory and of memory of the device: while the computation uses the batch in one, the next goes into
/// the other on a stream of its own.
pub struct Feed {
    slots: [Slot; 2],
    /// Batches sent and received.
    sent: usize,
    received: usize,
    stream: Stream,
    gpu: Arc<Gpu>,
}

struct Slot {
    pinned: Pinned,
    buffer: Buffer,
    bytes: usize,
    /// The batch is in the slot.
    arrived: Event,
    /// The computation has taken it out.
    taken: Event,
}

impl Feed {
    /// A feed for batches of at most so many bytes.
    pub fn new(gpu: &Arc<Gpu>, most: usize) -> Result<Self, GpuError> {
        let slot = || -> Result<Slot, GpuError> {
            let (pinned, buffer) = (Pinned::new(&gpu.context, most.max(1))?, gpu.alloc(most)?);
            let slot = Slot {
                pinned,
                buffer,
                bytes: 0,
                arrived: Event::new(&gpu.context)?,
                taken: Event::new(&gpu.context)?,
            };
            // Work that is queued may still use the memory for what it was before.
            let _work = gpu.enter_outside_capture("a feed")?;
            slot.taken.record(&gpu.stream)?;
            Ok(slot)
        };
        Ok(Self {
            slots: [slot()?, slot()?],
            sent: 0,
            received: 0,
            stream: Stream::new(&gpu.context)?,
            gpu: gpu.clone(),
        })
    }

    /// Whether a batch can be sent before one is received.
    pub fn has_room(&self) -> bool {
        self.sent - self.received < 2
    }

    /// Begins the upload of a batch. `bytes` may change as soon as this returns. It waits if the slot's last upload is not
    /// done; there must be room.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), GpuError> {
        let what = "sending a batch";
        let at = self.sent % 2;
        let room = self.has_room();
        let slot = &mut self.slots[at];
        if !room || bytes.len() > slot.pinned.bytes {
            let len = if room { slot.pinned.bytes } else { 0 };
            return Err(GpuError::Range {
                what,
                at: 0,
                bytes: bytes.len(),
                len,
            });
        }
        if self.sent >= 2 && !slot.arrived.passed() {
            self.gpu.count_wait();
            self.gpu.context.driver.check(slot.arrived.wait()?, what)?;
        }
        add(&self.gpu.counters.uploads, 1);
        add(&self.gpu.counters.uploaded_bytes, bytes.len());
        slot.bytes = bytes.len();
        self.stream.wait_for(&slot.taken)?;
        if !bytes.is_empty() {
            // SAFETY: the last copy from the slot is done, and the batch fits.
            let code = unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), slot.pinned.start, bytes.len());
                let (to, from) = (slot.buffer.address(), slot.pinned.start.cast());
                (self.gpu.driver().cuMemcpyHtoDAsync_v2)(to, from, bytes.len(), self.stream.raw)
            };
            self.gpu.driver().check(code, what)?;
        }
        slot.arrived.record(&self.stream)?;
        self.sent += 1;
        Ok(())
    }

    /// Copies the batch that was sent first to its place, behind all that was queued; the host does not wait. Says how many
    /// bytes it has, or `None` if no batch was sent.
    pub fn receive<'a>(&mut self, to: impl Into<Place<'a>>) -> Result<Option<usize>, GpuError> {
        if self.received == self.sent {
            return Ok(None);
        }
        let to = to.into();
        let slot = &self.slots[self.received % 2];
        to.check(&self.gpu, slot.bytes, "receiving a batch")?;
        let _work = self.gpu.enter_outside_capture("receiving a batch")?;
        self.gpu.stream.wait_for(&slot.arrived)?;
        if slot.bytes > 0 {
            let (to, from, stream) = (to.address(), slot.buffer.address(), self.gpu.stream.raw);
            // SAFETY: both ranges lie in their buffers.
            let code =
                unsafe { (self.gpu.driver().cuMemcpyDtoDAsync_v2)(to, from, slot.bytes, stream) };
            self.gpu.driver().check(code, "receiving a batch")?;
        }
        slot.taken.record(&self.gpu.stream)?;
        self.received += 1;
        Ok(Some(slot.bytes))
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        // The copies end before the slots go back.
        for slot in &self.slots {
            let _ = slot.arrived.wait();
        }
    }
}
