//! The emulated driver, called as a program calls CUDA's.
#![allow(clippy::undocumented_unsafe_blocks)]
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use libloading::{Library, Symbol};
use std::ffi::c_void;
use std::ptr::null_mut;

type Handle = *mut c_void;

struct Driver(Library);

impl Driver {
    fn new() -> Option<Self> {
        let path = differentiable_gpu_emulator::library().or_else(|| {
            eprintln!("g++ is missing: skipped");
            None
        })?;
        // SAFETY: the emulator, whose functions are called with the types that CUDA declares, here and below.
        let driver = Self(unsafe { Library::new(path) }.unwrap());
        unsafe {
            let mut context: Handle = null_mut();
            driver.get::<unsafe extern "C" fn(*mut Handle, i32) -> u32>("cuDevicePrimaryCtxRetain")(
                &mut context,
                0,
            );
            driver.get::<unsafe extern "C" fn(Handle) -> u32>("cuCtxSetCurrent")(context);
        }
        Some(driver)
    }

    fn get<T>(&self, name: &str) -> Symbol<'_, T> {
        unsafe { self.0.get(name.as_bytes()) }.unwrap()
    }

    fn alloc(&self, bytes: usize) -> Result<u64, u32> {
        let mut address = 0;
        let alloc = self.get::<unsafe extern "C" fn(*mut u64, usize) -> u32>("cuMemAlloc_v2");
        match unsafe { alloc(&mut address, bytes) } {
            0 => Ok(address),
            code => Err(code),
        }
    }

    fn stream(&self) -> Handle {
        let mut stream = null_mut();
        unsafe {
            self.get::<unsafe extern "C" fn(*mut Handle, u32) -> u32>("cuStreamCreate")(
                &mut stream,
                1,
            )
        };
        stream
    }

    fn fill(&self, address: u64, value: u32, stream: Handle) {
        let fill =
            self.get::<unsafe extern "C" fn(u64, u32, usize, Handle) -> u32>("cuMemsetD32Async");
        assert_eq!(unsafe { fill(address, value, 1, stream) }, 0);
    }

    /// What is there, for a stream that waits for no other.
    fn read(&self, address: u64, stream: Handle) -> (u32, u32) {
        let mut value = 0u32;
        let copy = self.get::<unsafe extern "C" fn(*mut u32, u64, usize, Handle) -> u32>(
            "cuMemcpyDtoHAsync_v2",
        );
        let code = unsafe { copy(&mut value, address, 4, stream) };
        (code, value)
    }

    fn of_stream(&self, function: &str, stream: Handle) -> u32 {
        unsafe { self.get::<unsafe extern "C" fn(Handle) -> u32>(function)(stream) }
    }
}

#[test]
fn a_missing_wait_between_streams_shows() {
    let Some(driver) = Driver::new() else { return };
    let (first, second) = (driver.stream(), driver.stream());
    let address = driver.alloc(4).unwrap();
    driver.fill(address, 7, first);
    // Without a wait the other stream sees what was there before: ones, which are no number.
    assert_eq!(driver.read(address, second), (0, u32::MAX));
    let mut event: Handle = null_mut();
    unsafe {
        driver.get::<unsafe extern "C" fn(*mut Handle, u32) -> u32>("cuEventCreate")(&mut event, 0);
        driver.get::<unsafe extern "C" fn(Handle, Handle) -> u32>("cuEventRecord")(event, first);
        driver.get::<unsafe extern "C" fn(Handle, Handle, u32) -> u32>("cuStreamWaitEvent")(
            second, event, 0,
        );
    }
    // Work behind the event is not waited for.
    driver.fill(address, 8, first);
    assert_eq!(driver.read(address, second), (0, 7));
    assert_eq!(driver.of_stream("cuStreamSynchronize", first), 0);
    assert_eq!(driver.read(address, second), (0, 8));
}

#[test]
fn a_capture_refuses_what_waits_or_allocates() {
    const UNSUPPORTED: u32 = 900;
    const LOST: u32 = 901;
    const RELAXED: u32 = 2;
    let Some(driver) = Driver::new() else { return };
    let stream = driver.stream();
    let address = driver.alloc(4).unwrap();
    let begin = || unsafe {
        driver.get::<unsafe extern "C" fn(Handle, u32) -> u32>("cuStreamBeginCapture_v2")(stream, 1)
    };
    let end = || {
        let mut graph: Handle = null_mut();
        let code = unsafe {
            driver.get::<unsafe extern "C" fn(Handle, *mut Handle) -> u32>("cuStreamEndCapture")(
                stream, &mut graph,
            )
        };
        (code, graph)
    };
    let refused: [&dyn Fn() -> u32; 4] = [
        &|| driver.alloc(4).unwrap_err(),
        &|| driver.read(address, stream).0,
        &|| driver.of_stream("cuStreamSynchronize", stream),
        &|| unsafe { driver.get::<unsafe extern "C" fn() -> u32>("cuCtxSynchronize")() },
    ];
    for call in refused {
        assert_eq!(begin(), 0);
        assert_eq!(call(), UNSUPPORTED);
        assert_eq!(end(), (LOST, null_mut()));
    }
    // A thread that says so may allocate.
    assert_eq!(begin(), 0);
    let mut mode = RELAXED;
    let exchange =
        driver.get::<unsafe extern "C" fn(*mut u32) -> u32>("cuThreadExchangeStreamCaptureMode");
    unsafe { exchange(&mut mode) };
    assert!(driver.alloc(4).is_ok());
    unsafe { exchange(&mut mode) };
    driver.fill(address, 9, stream);
    let (code, graph) = end();
    assert!(code == 0 && !graph.is_null());
    assert_eq!(driver.read(address, stream), (0, u32::MAX));
}
