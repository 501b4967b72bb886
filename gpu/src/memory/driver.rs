//! Memory as the driver gives it.

use crate::context::Context;
use crate::error::GpuError;
use cudarc::driver::sys::CUdeviceptr;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

/// Memory of the device.
pub(crate) struct DeviceMemory {
    context: Arc<Context>,
    pub(crate) address: CUdeviceptr,
    pub(crate) bytes: usize,
}

impl DeviceMemory {
    /// `None` if the device has not enough.
    pub(crate) fn new(context: &Arc<Context>, bytes: usize) -> Result<Option<Self>, GpuError> {
        context.bind()?;
        let mut address = 0;
        // SAFETY: an address to write to.
        match context.relaxed(|| unsafe { (context.driver.cuMemAlloc_v2)(&mut address, bytes) }) {
            2 => Ok(None),
            code => {
                context.driver.check(code, "allocating memory")?;
                Ok(Some(Self {
                    context: context.clone(),
                    address,
                    bytes,
                }))
            }
        }
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        let (context, address) = (&self.context, self.address);
        if context.bind().is_ok() {
            // SAFETY: from `new`. The driver waits for the device before it takes the memory back.
            context.relaxed(|| unsafe { (context.driver.cuMemFree_v2)(address) });
        }
    }
}

/// Memory of the host that the device reads and writes directly.
pub(crate) struct Pinned {
    context: Arc<Context>,
    pub(crate) start: *mut u8,
}

// SAFETY: memory of its own.
unsafe impl Send for Pinned {}
// SAFETY: who writes to it sees to it that nobody else does.
unsafe impl Sync for Pinned {}

impl Pinned {
    pub(crate) fn new(context: &Arc<Context>, bytes: usize) -> Result<Self, GpuError> {
        context.bind()?;
        let mut start: *mut c_void = null_mut();
        // SAFETY: an address to write to.
        let code =
            context.relaxed(|| unsafe { (context.driver.cuMemHostAlloc)(&mut start, bytes, 0) });
        context.driver.check(code, "allocating pinned memory")?;
        Ok(Self {
            context: context.clone(),
            start: start.cast(),
        })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let (context, start) = (&self.context, self.start.cast());
        if context.bind().is_ok() {
            // SAFETY: from `new`; who drops it has waited for the copies.
            context.relaxed(|| unsafe { (context.driver.cuMemFreeHost)(start) });
        }
    }
}
