//! The fault word: how kernels report an index out of range without a wait of the host.
//!
//! A kernel that finds one goes on with another index and calls `fault(..)` of [`crate::text::FAULT`]; the first report stays. It
//! comes out of the next download as [`GpuError::Index`].

use crate::context::Context;
use crate::error::GpuError;
use crate::memory::DeviceMemory;
use crate::stream::Stream;
use std::sync::Arc;

/// The bytes of a report.
pub(crate) const RECORD: usize = size_of::<Record>();

/// `struct Fault`.
#[repr(C)]
struct Record {
    set: u32,
    operation: u32,
    position: u32,
    unused: u32,
    found: i64,
    len: i64,
}

/// Memory of the device for one report.
pub(crate) struct FaultWord(DeviceMemory);

impl FaultWord {
    pub(crate) fn new(context: &Arc<Context>, stream: &Stream) -> Result<Self, GpuError> {
        let Some(memory) = DeviceMemory::new(context, RECORD)? else {
            let (free, total) = context.memory()?;
            return Err(GpuError::OutOfMemory {
                asked: RECORD,
                used: total - free,
                total,
            });
        };
        let driver = context.driver;
        // SAFETY: memory of this length, used by this stream alone.
        let code = unsafe { (driver.cuMemsetD8Async)(memory.address, 0, RECORD, stream.raw) };
        driver.check(code, "fill")?;
        Ok(Self(memory))
    }

    pub(crate) fn address(&self) -> u64 {
        self.0.address
    }
}

/// Reads a report.
///
/// # Safety
/// The pointer is to the bytes of a report.
pub(crate) unsafe fn read(from: *const u8) -> Option<GpuError> {
    // SAFETY: the caller's promise; all bit patterns are numbers.
    let Record {
        set,
        operation,
        position,
        found,
        len,
        ..
    } = unsafe { from.cast::<Record>().read_unaligned() };
    (set != 0).then_some(GpuError::Index {
        operation,
        position,
        found,
        len,
    })
}
