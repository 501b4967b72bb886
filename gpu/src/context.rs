//! A device's context, and what lives in it: memory, streams, events.

use crate::error::GpuError;
use crate::load::Driver;
use cudarc::driver::sys::{
    CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUstream, CUstreamCaptureMode,
};
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

/// The primary context of a device, which a process has once. It is given back when nothing refers to it.
pub(crate) struct Context {
    pub(crate) driver: &'static Driver,
    pub(crate) device: CUdevice,
    raw: CUcontext,
}

// SAFETY: contexts belong to the process; each thread makes them current before it calls the driver.
unsafe impl Send for Context {}
// SAFETY: as above, and the driver locks its own data.
unsafe impl Sync for Context {}

impl Driver {
    /// The driver's name for a code.
    pub(crate) fn name(&self, code: u32) -> String {
        let mut text = std::ptr::null();
        // SAFETY: the driver writes the address of a text that stays, or nothing.
        unsafe {
            (self.cuGetErrorName)(code, &mut text);
            if text.is_null() {
                "unknown error".to_owned()
            } else {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            }
        }
    }

    pub(crate) fn check(&self, code: u32, what: &str) -> Result<(), GpuError> {
        match code {
            0 => Ok(()),
            _ => Err(GpuError::Failed {
                what: what.to_owned(),
                code,
                error: self.name(code),
            }),
        }
    }
}

impl Context {
    pub(crate) fn new(driver: &'static Driver, device: CUdevice) -> Result<Arc<Self>, GpuError> {
        let mut raw = null_mut();
        // SAFETY: a handle to write to.
        let code = unsafe { (driver.cuDevicePrimaryCtxRetain)(&mut raw, device) };
        driver.check(code, "opening the device")?;
        Ok(Arc::new(Self {
            driver,
            device,
            raw,
        }))
    }

    /// Makes this the context of the thread. Other libraries of the process may have set another.
    pub(crate) fn bind(&self) -> Result<(), GpuError> {
        let mut current = null_mut();
        // SAFETY: a handle to write to, and the handle of this context.
        unsafe {
            (self.driver.cuCtxGetCurrent)(&mut current);
            if current == self.raw {
                return Ok(());
            }
            self.driver.check(
                (self.driver.cuCtxSetCurrent)(self.raw),
                "choosing the device",
            )
        }
    }

    pub(crate) fn attribute(&self, attribute: CUdevice_attribute) -> Result<i32, GpuError> {
        let mut value = 0;
        // SAFETY: a number to write to.
        let code =
            unsafe { (self.driver.cuDeviceGetAttribute)(&mut value, attribute, self.device) };
        self.driver
            .check(code, "asking for a property of the device")?;
        Ok(value)
    }

    /// Bytes that are free, and all.
    pub(crate) fn memory(&self) -> Result<(usize, usize), GpuError> {
        self.bind()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: two numbers to write to.
        let code = unsafe { (self.driver.cuMemGetInfo_v2)(&mut free, &mut total) };
        self.driver.check(code, "asking for the free memory")?;
        Ok((free, total))
    }

    pub(crate) fn synchronise(&self) -> Result<(), GpuError> {
        self.bind()?;
        // SAFETY: the context is current.
        self.driver.check(
            unsafe { (self.driver.cuCtxSynchronize)() },
            "waiting for the device",
        )
    }

    /// Runs what a capture would forbid although it does no harm: allocation, loading of modules.
    pub(crate) fn relaxed<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Restore<'a>(&'a Context, CUstreamCaptureMode);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                // SAFETY: a mode to exchange.
                unsafe { (self.0.driver.cuThreadExchangeStreamCaptureMode)(&mut self.1) };
            }
        }
        let mut restore = Restore(self, CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED);
        // SAFETY: a mode to exchange; the old one is one of the three that the enum has.
        unsafe { (self.driver.cuThreadExchangeStreamCaptureMode)(&mut restore.1) };
        f()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained in `new`; nothing of the context is left.
        unsafe { (self.driver.cuDevicePrimaryCtxRelease_v2)(self.device) };
    }
}

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
    pub(crate) bytes: usize,
}

// SAFETY: memory of its own.
unsafe impl Send for Pinned {}

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
            bytes,
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
