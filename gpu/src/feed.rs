//! Uploads beside the computation: the batches of a loader.

use crate::counters::add;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::{Buffer, Pinned, Place};
use crate::stream::{Event, Stream};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};

/// Two slots of pinned memory and of memory of the device: while the computation uses the batch in one, the next goes into
/// the other on a stream of its own. One thread may send while another receives.
pub struct Feed {
    slots: [Slot; 2],
    /// Held by the thread that sends, and by the one that receives.
    sending: Mutex<()>,
    receiving: Mutex<()>,
    /// Batches sent and received.
    sent: AtomicUsize,
    received: AtomicUsize,
    stream: Stream,
    gpu: Arc<Gpu>,
}

struct Slot {
    pinned: Pinned,
    buffer: Buffer,
    bytes: AtomicUsize,
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
                bytes: AtomicUsize::new(0),
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
            sending: Mutex::default(),
            receiving: Mutex::default(),
            sent: AtomicUsize::new(0),
            received: AtomicUsize::new(0),
            stream: Stream::new(&gpu.context)?,
            gpu: gpu.clone(),
        })
    }

    /// Whether a batch can be sent before one is received.
    pub fn has_room(&self) -> bool {
        self.sent.load(SeqCst) - self.received.load(SeqCst) < 2
    }

    /// Begins the upload of a batch. `bytes` may change as soon as this returns. It waits if the slot's last upload is not
    /// done; there must be room.
    pub fn send(&self, bytes: &[u8]) -> Result<(), GpuError> {
        let what = "sending a batch";
        let _alone = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
        let at = self.sent.load(SeqCst);
        let slot = &self.slots[at % 2];
        let len = if self.has_room() {
            slot.pinned.bytes
        } else {
            0
        };
        if !self.has_room() || bytes.len() > len {
            return Err(GpuError::Range {
                what,
                at: 0,
                bytes: bytes.len(),
                len,
            });
        }
        if at >= 2 && !slot.arrived.passed() {
            self.gpu.count_wait();
            self.gpu.driver().check(slot.arrived.wait()?, what)?;
        }
        add(&self.gpu.counters.uploads, 1);
        add(&self.gpu.counters.uploaded_bytes, bytes.len());
        slot.bytes.store(bytes.len(), SeqCst);
        self.stream.wait_for(&slot.taken)?;
        if !bytes.is_empty() {
            // SAFETY: the last copy from the slot is done, nobody else sends, and the batch fits.
            let code = unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), slot.pinned.start, bytes.len());
                let (to, from) = (slot.buffer.address(), slot.pinned.start.cast());
                (self.gpu.driver().cuMemcpyHtoDAsync_v2)(to, from, bytes.len(), self.stream.raw)
            };
            self.gpu.driver().check(code, what)?;
        }
        slot.arrived.record(&self.stream)?;
        self.sent.store(at + 1, SeqCst);
        Ok(())
    }

    /// Copies the batch that was sent first to its place, behind all that was queued; the host does not wait. Says how many
    /// bytes it has, or `None` if no batch was sent.
    pub fn receive<'a>(&self, to: impl Into<Place<'a>>) -> Result<Option<usize>, GpuError> {
        let what = "receiving a batch";
        let _alone = self
            .receiving
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let at = self.received.load(SeqCst);
        if at == self.sent.load(SeqCst) {
            return Ok(None);
        }
        let (to, slot) = (to.into(), &self.slots[at % 2]);
        let bytes = slot.bytes.load(SeqCst);
        to.check(&self.gpu, bytes, what)?;
        let _work = self.gpu.enter_outside_capture(what)?;
        self.gpu.stream.wait_for(&slot.arrived)?;
        if bytes > 0 {
            let (to, from, stream) = (to.address(), slot.buffer.address(), self.gpu.stream.raw);
            // SAFETY: both ranges lie in their buffers.
            let code = unsafe { (self.gpu.driver().cuMemcpyDtoDAsync_v2)(to, from, bytes, stream) };
            self.gpu.driver().check(code, what)?;
        }
        slot.taken.record(&self.gpu.stream)?;
        self.received.store(at + 1, SeqCst);
        Ok(Some(bytes))
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
