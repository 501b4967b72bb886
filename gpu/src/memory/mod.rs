//! Memory of the device: buffers over a pool.

mod arena;
mod driver;
mod pool;
mod staging;

use crate::error::GpuError;
use crate::gpu::Gpu;
pub(crate) use driver::{DeviceMemory, Pinned};
pub use pool::MemoryMode;
pub(crate) use pool::{Block, Pool};
pub(crate) use staging::{STAGE, Staging};
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// Memory of a device. It goes back to its pool when it is dropped, and may be handed out again at once: what uses it then
/// is queued behind what uses it now.
pub struct Buffer {
    pub(crate) memory: Arc<Memory>,
    bytes: usize,
}

/// What a buffer refers to. A captured graph keeps it, too.
pub(crate) struct Memory {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) pool: Arc<Pool>,
    /// `None` after a failed allocation.
    block: Option<Block>,
    /// Why there is no block.
    pub(crate) failure: Option<GpuError>,
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            self.pool.give(block);
        }
    }
}

impl Memory {
    pub(crate) fn address(&self) -> u64 {
        self.block.as_ref().map_or(0, |block| block.address)
    }
}

impl Buffer {
    /// The same memory, which goes back to its pool when both are gone.
    pub fn shared(&self) -> Self {
        Buffer {
            memory: Arc::clone(&self.memory),
            bytes: self.bytes,
        }
    }

    /// Where it is in the device's memory; 0 if the allocation has failed.
    pub fn address(&self) -> u64 {
        self.memory.address()
    }

    /// Its length as it was asked for.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The device.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.memory.gpu
    }

    /// Whether there was no memory for it; see [`Gpu::alloc_late`].
    pub fn is_missing(&self) -> bool {
        self.memory.block.is_none()
    }

    /// The buffer from a byte on.
    pub fn at(&self, at: usize) -> Place<'_> {
        Place { buffer: self, at }
    }
}

impl Debug for Buffer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes at {:#x})", self.bytes, self.address())
    }
}

/// A place in a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The buffer.
    pub buffer: &'a Buffer,
    /// Bytes from its start.
    pub at: usize,
}

impl<'a> From<&'a Buffer> for Place<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Place { buffer, at: 0 }
    }
}

impl Place<'_> {
    pub(crate) fn address(&self) -> u64 {
        self.buffer.address() + self.at as u64
    }

    /// Whether so many bytes lie in the buffer of this device, and the buffer has memory.
    pub(crate) fn check(
        &self,
        gpu: &Gpu,
        bytes: usize,
        what: &'static str,
    ) -> Result<(), GpuError> {
        let (memory, at, len) = (&self.buffer.memory, self.at, self.buffer.bytes);
        if !std::ptr::eq(&*memory.gpu, gpu) {
            return Err(GpuError::Elsewhere { what });
        }
        if let Some(failure) = &memory.failure {
            return Err(failure.clone());
        }
        if at.checked_add(bytes).is_none_or(|end| end > len) {
            return Err(GpuError::Range {
                what,
                at,
                bytes,
                len,
            });
        }
        Ok(())
    }
}

impl Gpu {
    /// Memory with unspecified contents.
    ///
    /// If the device has no more, memory that nobody uses goes back to the driver, and the allocation is tried again.
    pub fn alloc(self: &Arc<Self>, bytes: usize) -> Result<Buffer, GpuError> {
        let pool = self.pool_of_thread()?;
        let mut block = pool.take(bytes)?;
        if block.is_none() && !pool.private {
            self.settle()?;
            self.pool.trim();
            block = pool.take(bytes)?;
        }
        match block {
            Some(block) => Ok(self.buffer(pool, Some(block), bytes, None)),
            None => {
                let (free, total) = self.context.memory()?;
                Err(GpuError::OutOfMemory {
                    asked: bytes,
                    used: total - free,
                    total,
                })
            }
        }
    }

    /// As [`Gpu::alloc`] for callers that cannot fail: after a failure the buffer has no memory, what uses it does nothing,
    /// and the error comes out of the next [`Gpu::download`] or [`Gpu::synchronise`].
    pub fn alloc_late(self: &Arc<Self>, bytes: usize) -> Buffer {
        self.alloc(bytes).unwrap_or_else(|error| {
            self.keep_error(error.clone());
            self.buffer(self.pool.clone(), None, bytes, Some(error))
        })
    }

    fn buffer(
        self: &Arc<Self>,
        pool: Arc<Pool>,
        block: Option<Block>,
        bytes: usize,
        failure: Option<GpuError>,
    ) -> Buffer {
        Buffer {
            memory: Arc::new(Memory {
                gpu: self.clone(),
                pool,
                block,
                failure,
            }),
            bytes,
        }
    }

    /// Gives memory that no buffer uses back to the driver. Waits for the device.
    pub fn trim(&self) -> Result<(), GpuError> {
        self.synchronise()?;
        self.pool.trim();
        Ok(())
    }
}
