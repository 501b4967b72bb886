//! Uploads, downloads, copies, fills, waiting.

use crate::counters::add;
use crate::error::GpuError;
use crate::fault::RECORD;
use crate::gpu::{Gpu, Work};
use crate::memory::{Pinned, Place, STAGE, Staging};
use crate::stream::{Event, Stream};

impl Gpu {
    /// Copies bytes to the device. They may change as soon as this returns.
    pub fn upload<'a>(&self, to: impl Into<Place<'a>>, bytes: &[u8]) {
        let to = to.into();
        if let Err(error) = self.try_upload(to, bytes) {
            self.keep_error(error);
        }
    }

    fn try_upload(&self, to: Place<'_>, bytes: &[u8]) -> Result<(), GpuError> {
        let what = "upload";
        to.check(self, bytes.len(), what)?;
        let mut work = self.enter_outside_capture(what)?;
        self.stage(&mut work.uploads, &self.stream, to.address(), bytes, what)
    }

    /// Queues copies to the device on a stream, through pinned memory.
    pub(crate) fn stage(
        &self,
        staging: &mut Staging,
        stream: &Stream,
        mut address: u64,
        mut bytes: &[u8],
        what: &'static str,
    ) -> Result<(), GpuError> {
        add(&self.counters.uploads, 1);
        add(&self.counters.uploaded_bytes, bytes.len());
        while !bytes.is_empty() {
            let waited = &mut || self.count_wait();
            let (room, count) = staging.room(&self.context, stream, bytes.len(), waited)?;
            // SAFETY: room for `count` bytes that the device does not read any more; the caller has checked the range.
            let code = unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), room, count);
                (self.driver().cuMemcpyHtoDAsync_v2)(address, room.cast(), count, stream.raw)
            };
            self.driver().check(code, what)?;
            address += count as u64;
            bytes = &bytes[count..];
        }
        Ok(())
    }

    /// Copies bytes from the device: waits for all that was queued, and gives the first error of it.
    pub fn download<'a>(
        &self,
        from: impl Into<Place<'a>>,
        bytes: &mut [u8],
    ) -> Result<(), GpuError> {
        let from = from.into();
        from.check(self, bytes.len(), "download")
            .or_else(|error| self.finish(error))?;
        add(&self.counters.downloads, 1);
        add(&self.counters.downloaded_bytes, bytes.len());
        let mut waiting: Option<(Landing, &mut [u8])> = None;
        let mut address = from.address();
        let count = bytes.len().div_ceil(STAGE).max(1);
        let mut rest = bytes;
        for at in 0..count {
            let (chunk, after) = rest.split_at_mut(rest.len().min(STAGE));
            rest = after;
            let landing = self.land(address, chunk.len(), at + 1 == count)?;
            address += chunk.len() as u64;
            if let Some((landing, chunk)) = waiting.replace((landing, chunk)) {
                self.take(landing, chunk)?;
            }
        }
        match waiting {
            Some((landing, chunk)) => self.take(landing, chunk),
            None => Ok(()),
        }
    }

    /// The error of a call that reads, after one that came before it.
    fn finish(&self, error: GpuError) -> Result<(), GpuError> {
        self.synchronise()?;
        Err(error)
    }

    /// Waits until all work is done, and gives the first error of it.
    pub fn synchronise(&self) -> Result<(), GpuError> {
        let landing = self.land(0, 0, true)?;
        self.take(landing, &mut [])
    }

    /// Queues a copy into pinned memory and, at last, of the fault word.
    fn land(&self, from: u64, bytes: usize, last: bool) -> Result<Landing, GpuError> {
        let mut work = self.enter_outside_capture("waiting for the device")?;
        let (memory, event) = match work.downloads.pop() {
            Some(landing) => landing,
            None => (
                Pinned::new(&self.context, STAGE + RECORD)?,
                Event::new(&self.context)?,
            ),
        };
        let faults = last && std::mem::take(&mut work.faults);
        let landing = Landing {
            memory,
            event,
            faults,
            last,
        };
        let driver = self.driver();
        // SAFETY: the range lies in its buffer, as the caller has checked, and the pinned memory has room for it.
        unsafe {
            if bytes > 0 {
                let code = (driver.cuMemcpyDtoHAsync_v2)(
                    landing.memory.start.cast(),
                    from,
                    bytes,
                    self.stream.raw,
                );
                self.sort(&mut work, code, "download")?;
            }
            if faults {
                let record = landing.memory.start.add(STAGE);
                let code = (driver.cuMemcpyDtoHAsync_v2)(
                    record.cast(),
                    self.fault.address(),
                    RECORD,
                    self.stream.raw,
                );
                self.sort(&mut work, code, "download")?;
                let code =
                    (driver.cuMemsetD8Async)(self.fault.address(), 0, RECORD, self.stream.raw);
                self.sort(&mut work, code, "fill")?;
            }
        }
        landing.event.record(&self.stream)?;
        Ok(landing)
    }

    /// Waits for a copy, and gives what it has brought.
    fn take(&self, landing: Landing, to: &mut [u8]) -> Result<(), GpuError> {
        self.count_wait();
        let code = landing.event.wait()?;
        let mut work = self.lock();
        self.sort(&mut work, code, "waiting for the device")?;
        // SAFETY: the copy is done, and was as long as `to`.
        unsafe { std::ptr::copy_nonoverlapping(landing.memory.start, to.as_mut_ptr(), to.len()) };
        let record = landing
            .faults
            .then(|| landing.memory.start.wrapping_add(STAGE));
        // SAFETY: the record stands behind the stage, and was copied.
        let fault = record.and_then(|record| unsafe { crate::fault::read(record) });
        let last = landing.last;
        work.downloads.push((landing.memory, landing.event));
        if last {
            work.recent.clear();
            if work.capture.is_none() {
                self.pool.part();
            }
        }
        match (last.then(|| work.late.take()).flatten(), fault) {
            (Some(late), _) => Err(late),
            (None, Some(fault)) => Err(fault),
            (None, None) => Ok(()),
        }
    }

    /// Tells errors of a call from those after which the device is of no use.
    pub(crate) fn sort(&self, work: &mut Work, code: u32, what: &str) -> Result<(), GpuError> {
        let Err(error) = self.driver().check(code, what) else {
            return Ok(());
        };
        // Illegal addresses, instructions and so on, failed launches, assertions, errors of the hardware.
        if !matches!(
            code,
            214 | 220 | 226 | 700 | 702 | 710 | 713..=719 | 721 | 999
        ) {
            return Err(error);
        }
        let Work { dead, recent, .. } = work;
        let first = || GpuError::Launch {
            kernels: recent.iter().rev().map(|name| name.to_string()).collect(),
            code,
            error: self.driver().name(code),
        };
        Err(dead.get_or_insert_with(first).clone())
    }

    /// Copies bytes on the device.
    pub fn copy<'a, 'b>(&self, to: impl Into<Place<'a>>, from: impl Into<Place<'b>>, bytes: usize) {
        let (to, from) = (to.into(), from.into());
        self.queue(|work| {
            to.check(self, bytes, "copy")?;
            from.check(self, bytes, "copy")?;
            if bytes == 0 {
                return Ok(());
            }
            add(&self.counters.copies, 1);
            work.hold(&to);
            work.hold(&from);
            let (to, from) = (to.address(), from.address());
            // SAFETY: both ranges lie in their buffers.
            let code =
                unsafe { (self.driver().cuMemcpyDtoDAsync_v2)(to, from, bytes, self.stream.raw) };
            self.driver().check(code, "copy")
        });
    }

    /// Fills bytes of the device with a pattern of 1, 2, 4 or 8 bytes, which divides their number.
    pub fn fill<'a>(&self, to: impl Into<Place<'a>>, bytes: usize, pattern: Pattern) {
        let to = to.into();
        self.queue(|work| {
            to.check(self, bytes, "fill")?;
            if bytes == 0 {
                return Ok(());
            }
            let width = pattern.width();
            if !bytes.is_multiple_of(width) || !to.address().is_multiple_of(width as u64) {
                return Err(GpuError::Range {
                    what: "fill",
                    at: to.at,
                    bytes,
                    len: to.buffer.bytes(),
                });
            }
            add(&self.counters.fills, 1);
            work.hold(&to);
            let (driver, address, stream, count) =
                (self.driver(), to.address(), self.stream.raw, bytes / width);
            // SAFETY: the range lies in its buffer.
            let code = unsafe {
                match pattern.simplest() {
                    Pattern::Byte(value) => (driver.cuMemsetD8Async)(address, value, bytes, stream),
                    Pattern::Half(value) => {
                        (driver.cuMemsetD16Async)(address, value, bytes / 2, stream)
                    }
                    Pattern::Word(value) => {
                        (driver.cuMemsetD32Async)(address, value, bytes / 4, stream)
                    }
                    Pattern::Double(value) => {
                        // Two columns of words.
                        match (driver.cuMemsetD2D32Async)(
                            address,
                            8,
                            value as u32,
                            1,
                            count,
                            stream,
                        ) {
                            0 => (driver.cuMemsetD2D32Async)(
                                address + 4,
                                8,
                                (value >> 32) as u32,
                                1,
                                count,
                                stream,
                            ),
                            code => code,
                        }
                    }
                }
            };
            driver.check(code, "fill")
        });
    }
}

/// What a fill repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One byte.
    Byte(u8),
    /// Two bytes.
    Half(u16),
    /// Four bytes.
    Word(u32),
    /// Eight bytes.
    Double(u64),
}

impl Pattern {
    fn width(self) -> usize {
        match self {
            Self::Byte(_) => 1,
            Self::Half(_) => 2,
            Self::Word(_) => 4,
            Self::Double(_) => 8,
        }
    }

    /// The same with fewer bytes, if its halves are equal.
    fn simplest(self) -> Self {
        match self {
            Self::Double(value) if value as u32 == (value >> 32) as u32 => {
                Self::Word(value as u32).simplest()
            }
            Self::Word(value) if value as u16 == (value >> 16) as u16 => {
                Self::Half(value as u16).simplest()
            }
            Self::Half(value) if value as u8 == (value >> 8) as u8 => Self::Byte(value as u8),
            simple => simple,
        }
    }
}

/// A download that is under way.
struct Landing {
    memory: Pinned,
    event: Event,
    faults: bool,
    last: bool,
}
