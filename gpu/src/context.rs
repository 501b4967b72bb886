//! A device's context.

use crate::error::GpuError;
use crate::load::Driver;
use cudarc::driver::sys::{CUcontext, CUdevice, CUdevice_attribute, CUstreamCaptureMode};
use std::ffi::CStr;
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
