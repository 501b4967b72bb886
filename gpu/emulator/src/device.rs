//! Devices, contexts, errors, and the count of what is left.

use crate::settings::SETTINGS;
use crate::{graphs, memory, modules, streams};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering::SeqCst};

pub type Code = u32;
pub type Handle = *mut c_void;

pub const OK: Code = 0;
pub const INVALID: Code = 1;
pub const OUT_OF_MEMORY: Code = 2;
pub const NO_DEVICE: Code = 100;
pub const INVALID_DEVICE: Code = 101;
pub const INVALID_IMAGE: Code = 200;
pub const INVALID_CONTEXT: Code = 201;
pub const INVALID_HANDLE: Code = 400;
pub const NOT_FOUND: Code = 500;
pub const NOT_READY: Code = 600;
pub const LAUNCH_FAILED: Code = 719;
pub const CAPTURE_UNSUPPORTED: Code = 900;
pub const CAPTURE_INVALIDATED: Code = 901;

const MOST: usize = 16;
/// Contexts are numbers: this one plus the device's ordinal.
const CONTEXT: usize = 0x100;

/// What has failed on each device: it stays, as on a card.
static FAILED: [AtomicU32; MOST] = [const { AtomicU32::new(OK) }; MOST];
static RETAINED: AtomicI64 = AtomicI64::new(0);
static NEXT: AtomicUsize = AtomicUsize::new(0x1000);

thread_local!(static CURRENT: Cell<usize> = const { Cell::new(0) });

/// A handle that no other object has.
pub fn next() -> usize {
    NEXT.fetch_add(1, SeqCst)
}

/// The device of this thread's context.
pub fn current() -> Result<usize, Code> {
    CURRENT.get().checked_sub(CONTEXT).ok_or(INVALID_CONTEXT)
}

pub fn failed(device: usize) -> Code {
    FAILED[device].load(SeqCst)
}

/// Reports a mistake and makes every later call on the device fail.
pub fn fail(device: usize, text: &str) {
    eprintln!("emulator: {text}");
    FAILED[device].store(LAUNCH_FAILED, SeqCst);
}

/// The code of what failed on this thread's device.
pub fn status() -> Code {
    current().map_or_else(|code| code, failed)
}

pub fn code(result: Result<(), Code>) -> Code {
    result.err().unwrap_or(OK)
}

fn exists(device: i32) -> bool {
    (0..SETTINGS.devices.min(MOST as i32)).contains(&device)
}

/// Locks a table. A panic of another thread says nothing about it.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[unsafe(no_mangle)]
extern "C" fn cuInit(_: u32) -> Code {
    if SETTINGS.devices == 0 { NO_DEVICE } else { OK }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDriverGetVersion(version: *mut i32) -> Code {
    // SAFETY: as the driver's function asks, here and below.
    unsafe { *version = SETTINGS.driver };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetCount(count: *mut i32) -> Code {
    // SAFETY: see above.
    unsafe { *count = SETTINGS.devices.min(MOST as i32) };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGet(device: *mut i32, ordinal: i32) -> Code {
    if !exists(ordinal) {
        return INVALID_DEVICE;
    }
    // SAFETY: see above.
    unsafe { *device = ordinal };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, length: i32, _: i32) -> Code {
    let text = c"Emulated GPU".to_bytes_with_nul();
    // SAFETY: the caller has room for `length` bytes.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, text.len().min(length as usize))
    };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _: i32) -> Code {
    // SAFETY: see above.
    unsafe { *bytes = SETTINGS.memory };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetAttribute(value: *mut i32, attribute: i32, device: i32) -> Code {
    if !exists(device) {
        return INVALID_DEVICE;
    }
    let found = match attribute {
        1..=4 => 1024,  // threads of a block
        5 => i32::MAX,  // blocks along x
        6 | 7 => 65535, // along y and z
        8 => 48 << 10,  // shared memory of a block
        10 => 32,       // threads of a warp
        16 => 4,        // multiprocessors
        39 => 2048,     // threads of a multiprocessor
        75 => SETTINGS.arch / 10,
        76 => SETTINGS.arch % 10,
        81 => 228 << 10, // shared memory of a multiprocessor
        97 => 227 << 10, // shared memory of a block that asks for it
        _ => 0,
    };
    // SAFETY: see above.
    unsafe { *value = found };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: i32) -> Code {
    if !exists(device) {
        return INVALID_DEVICE;
    }
    RETAINED.fetch_add(1, SeqCst);
    // SAFETY: see above.
    unsafe { *context = (CONTEXT + device as usize) as Handle };
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuDevicePrimaryCtxRelease_v2(_: i32) -> Code {
    RETAINED.fetch_sub(1, SeqCst);
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuCtxGetCurrent(context: *mut Handle) -> Code {
    // SAFETY: see above.
    unsafe { *context = CURRENT.get() as Handle };
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuCtxSetCurrent(context: Handle) -> Code {
    CURRENT.set(context as usize);
    OK
}
#[unsafe(no_mangle)]
/// As on a card, it ends captures of the device in failure, also those of other threads.
extern "C" fn cuCtxSynchronize() -> Code {
    code(streams::lose_captures().and_then(|()| streams::synchronize_device()))
}

fn name(error: Code) -> &'static CStr {
    match error {
        OK => c"CUDA_SUCCESS",
        INVALID => c"CUDA_ERROR_INVALID_VALUE",
        OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
        NO_DEVICE => c"CUDA_ERROR_NO_DEVICE",
        INVALID_DEVICE => c"CUDA_ERROR_INVALID_DEVICE",
        INVALID_IMAGE => c"CUDA_ERROR_INVALID_IMAGE",
        INVALID_CONTEXT => c"CUDA_ERROR_INVALID_CONTEXT",
        INVALID_HANDLE => c"CUDA_ERROR_INVALID_HANDLE",
        NOT_FOUND => c"CUDA_ERROR_NOT_FOUND",
        NOT_READY => c"CUDA_ERROR_NOT_READY",
        LAUNCH_FAILED => c"CUDA_ERROR_LAUNCH_FAILED",
        CAPTURE_UNSUPPORTED => c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
        CAPTURE_INVALIDATED => c"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
        _ => c"unknown error",
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorName(error: Code, text: *mut *const c_char) -> Code {
    // SAFETY: see above.
    unsafe { *text = name(error).as_ptr() };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorString(error: Code, text: *mut *const c_char) -> Code {
    // SAFETY: see above.
    unsafe { cuGetErrorName(error, text) }
}

/// What has not been given back.
#[repr(C)]
pub struct Live {
    pub contexts: u64,
    pub allocations: u64,
    pub bytes: u64,
    pub pinned: u64,
    pub streams: u64,
    pub events: u64,
    pub graphs: u64,
    pub modules: u64,
}

/// Counts what programs have created and not destroyed, on all devices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emulator_live(live: *mut Live) {
    let (allocations, bytes, pinned) = memory::live();
    let (streams, events) = streams::live();
    let contexts = RETAINED.load(SeqCst) as u64;
    let (graphs, modules) = (graphs::live(), modules::live());
    // SAFETY: the caller passes a `Live` to write to.
    unsafe {
        live.write(Live {
            contexts,
            allocations,
            bytes,
            pinned,
            streams,
            events,
            graphs,
            modules,
        })
    };
}
