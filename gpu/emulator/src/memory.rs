//! Memory of devices, pinned memory, copies and fills.
//!
//! Each allocation has pages of its own, ends at a page that cannot be touched, and is filled with ones, which are NaN.

use crate::device::{Code, Handle, INVALID, OK, OUT_OF_MEMORY, code, current, fail, lock, status};
use crate::settings::SETTINGS;
use crate::streams::{enqueue, find, forbidden_in_capture, synchronize_device};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

const PAGE: usize = 4096;
/// What stands in the pages of an allocation in front of it.
const FRONT: u8 = 0xa5;

struct Allocation {
    device: usize,
    base: usize,
    front: usize,
    /// Without the page behind it.
    body: usize,
}

#[derive(Default)]
struct Memory {
    allocations: HashMap<u64, Allocation>,
    used: HashMap<usize, usize>,
    /// Address and length of pinned blocks.
    pinned: BTreeMap<usize, usize>,
}

static MEMORY: LazyLock<Mutex<Memory>> = LazyLock::new(Default::default);

pub fn live() -> (u64, u64, u64) {
    let memory = lock(&MEMORY);
    (
        memory.allocations.len() as u64,
        memory.used.values().sum::<usize>() as u64,
        memory.pinned.len() as u64,
    )
}

fn allocate(bytes: usize) -> Result<u64, Code> {
    forbidden_in_capture()?;
    let device = current()?;
    if bytes == 0 {
        return Err(INVALID);
    }
    let body = bytes.next_multiple_of(PAGE);
    let mut memory = lock(&MEMORY);
    let used = memory.used.entry(device).or_default();
    if *used + body > SETTINGS.memory {
        return Err(OUT_OF_MEMORY);
    }
    let (write, private) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
    );
    // SAFETY: new pages, of which the last is made untouchable, and the rest is written.
    let base = unsafe {
        let base = libc::mmap(std::ptr::null_mut(), body + PAGE, write, private, -1, 0);
        if base == libc::MAP_FAILED {
            return Err(OUT_OF_MEMORY);
        }
        libc::mprotect(base.byte_add(body), PAGE, libc::PROT_NONE);
        base as usize
    };
    *used += body;
    // As close to the end as loads of 16 bytes allow.
    let front = body - bytes.next_multiple_of(16);
    // SAFETY: inside the pages.
    unsafe {
        std::ptr::write_bytes(base as *mut u8, FRONT, front);
        std::ptr::write_bytes((base + front) as *mut u8, 0xff, body - front);
    }
    let start = (base + front) as u64;
    memory.allocations.insert(
        start,
        Allocation {
            device,
            base,
            front,
            body,
        },
    );
    Ok(start)
}

fn free(start: u64) -> Result<(), Code> {
    synchronize_device().or_else(|code| if status() == OK { Err(code) } else { Ok(()) })?;
    let mut memory = lock(&MEMORY);
    let Some(Allocation {
        device,
        base,
        front,
        body,
    }) = memory.allocations.remove(&start)
    else {
        return Err(INVALID);
    };
    *memory.used.entry(device).or_default() -= body;
    // SAFETY: the pages of the allocation, which nothing refers to any more.
    unsafe {
        let before = std::slice::from_raw_parts(base as *const u8, front);
        if before.iter().any(|byte| *byte != FRONT) {
            fail(
                device,
                "a kernel wrote in front of a buffer that is freed now",
            );
        }
        libc::munmap(base as Handle, body + PAGE);
    }
    Ok(())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> Code {
    if status() != OK {
        return status();
    }
    match allocate(bytes) {
        Ok(start) => {
            // SAFETY: the caller passes an address to write to, here and below.
            unsafe { *address = start };
            OK
        }
        Err(code) => code,
    }
}
#[unsafe(no_mangle)]
extern "C" fn cuMemFree_v2(address: u64) -> Code {
    code(free(address))
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code {
    let device = match current() {
        Ok(device) => device,
        Err(code) => return code,
    };
    let used = lock(&MEMORY).used.get(&device).copied().unwrap_or(0);
    // SAFETY: see above.
    unsafe {
        *free = SETTINGS.memory - used;
        *total = SETTINGS.memory;
    }
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemHostAlloc(address: *mut Handle, bytes: usize, _: u32) -> Code {
    if let Err(code) = forbidden_in_capture() {
        return code;
    }
    // SAFETY: see above.
    unsafe {
        *address = libc::malloc(bytes.max(1));
        lock(&MEMORY).pinned.insert(*address as usize, bytes);
    }
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemFreeHost(address: Handle) -> Code {
    if lock(&MEMORY).pinned.remove(&(address as usize)).is_none() {
        return INVALID;
    }
    // SAFETY: from `cuMemHostAlloc`, and taken out of the table.
    unsafe { libc::free(address) };
    OK
}

fn pinned(address: usize) -> bool {
    lock(&MEMORY)
        .pinned
        .range(..=address)
        .next_back()
        .is_some_and(|(start, bytes)| address < start + bytes)
}
fn copy(to: usize, from: usize, bytes: usize) {
    // SAFETY: ranges that the program has named; those of a device end at a page that stops what goes beyond.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const u8,
    bytes: usize,
    stream: Handle,
) -> Code {
    let (to, address) = (to as usize, from as usize);
    if pinned(address) {
        return enqueue(stream, Arc::new(move || copy(to, address, bytes)));
    }
    match find(stream) {
        Ok(stream) if stream.capturing() => stream.lose_capture(),
        Ok(stream) => {
            // SAFETY: the caller's bytes, which the driver reads before it returns.
            let data = unsafe { std::slice::from_raw_parts(from, bytes) }.to_vec();
            code(stream.enqueue(Arc::new(move || {
                copy(to, data.as_ptr() as usize, data.len())
            })))
        }
        Err(code) => code,
    }
}
#[unsafe(no_mangle)]
extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut u8, from: u64, bytes: usize, stream: Handle) -> Code {
    let (to, from) = (to as usize, from as usize);
    let found = match find(stream) {
        Ok(stream) => stream,
        Err(code) => return code,
    };
    let pageable = !pinned(to);
    if pageable && found.capturing() {
        return found.lose_capture();
    }
    let result = found.enqueue(Arc::new(move || copy(to, from, bytes)));
    if pageable {
        found.drain();
    }
    result.map_or_else(|code| code, |()| status())
}
#[unsafe(no_mangle)]
extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) -> Code {
    enqueue(
        stream,
        Arc::new(move || copy(to as usize, from as usize, bytes)),
    )
}

fn set<T: Copy + Send + Sync + 'static>(
    address: u64,
    value: T,
    count: usize,
    stream: Handle,
) -> Code {
    enqueue(
        stream,
        Arc::new(move || {
            let start = address as *mut T;
            // SAFETY: as for copies.
            (0..count).for_each(|at| unsafe { start.add(at).write(value) });
        }),
    )
}
#[unsafe(no_mangle)]
extern "C" fn cuMemsetD8Async(address: u64, value: u8, count: usize, stream: Handle) -> Code {
    set(address, value, count, stream)
}
#[unsafe(no_mangle)]
extern "C" fn cuMemsetD16Async(address: u64, value: u16, count: usize, stream: Handle) -> Code {
    set(address, value, count, stream)
}
#[unsafe(no_mangle)]
extern "C" fn cuMemsetD32Async(address: u64, value: u32, count: usize, stream: Handle) -> Code {
    set(address, value, count, stream)
}
#[unsafe(no_mangle)]
extern "C" fn cuMemsetD2D8Async(
    address: u64,
    pitch: usize,
    value: u8,
    width: usize,
    height: usize,
    stream: Handle,
) -> Code {
    enqueue(
        stream,
        Arc::new(move || {
            for row in 0..height {
                // SAFETY: as for copies.
                unsafe {
                    std::ptr::write_bytes((address as usize + row * pitch) as *mut u8, value, width)
                }
            }
        }),
    )
}
#[unsafe(no_mangle)]
extern "C" fn cuMemsetD2D32Async(
    address: u64,
    pitch: usize,
    value: u32,
    width: usize,
    height: usize,
    stream: Handle,
) -> Code {
    enqueue(
        stream,
        Arc::new(move || {
            for row in 0..height {
                for column in 0..width {
                    // SAFETY: as for copies.
                    unsafe {
                        ((address as usize + row * pitch) as *mut u32)
                            .add(column)
                            .write(value)
                    }
                }
            }
        }),
    )
}
