//! Modules and functions: a "CUBIN" is a header and a shared library.

use crate::device::{Code, Handle, INVALID, INVALID_IMAGE, NOT_FOUND, OK, lock, next};
use crate::machine::Shared;
use crate::streams::forbidden_in_capture;
use libloading::Library;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::{Arc, LazyLock, Mutex};

pub const MAGIC: &[u8; 8] = b"EMUCUBIN";

/// A kernel: what the shim has written for it.
pub struct Function {
    pub name: String,
    pub enter: unsafe extern "C" fn(*mut *mut c_void),
    pub bind: unsafe extern "C" fn(*const Shared),
    pub statics: (usize, usize),
    pub sizes: Vec<usize>,
    /// One launch of a module at a time: its shared memory and its view of the machine are static.
    pub alone: Arc<Mutex<()>>,
    _library: Arc<Image>,
}

/// A shared library and its file, which stays open: the loader tells libraries apart by their paths, and the path of this
/// one is its number among the open files.
struct Image {
    library: Library,
    _file: std::fs::File,
}

struct Module {
    image: Arc<Image>,
    alone: Arc<Mutex<()>>,
    functions: Vec<usize>,
}

static MODULES: LazyLock<Mutex<HashMap<usize, Module>>> = LazyLock::new(Default::default);
static FUNCTIONS: LazyLock<Mutex<HashMap<usize, Arc<Function>>>> = LazyLock::new(Default::default);

pub fn live() -> u64 {
    lock(&MODULES).len() as u64
}

pub fn function(handle: Handle) -> Option<Arc<Function>> {
    lock(&FUNCTIONS).get(&(handle as usize)).cloned()
}

/// Opens a shared library from memory.
fn open(code: &[u8]) -> std::io::Result<Image> {
    // SAFETY: a file in memory with a name for listings; the descriptor is owned by `file`.
    let mut file = unsafe {
        let descriptor = libc::memfd_create(c"kernels".as_ptr(), libc::MFD_CLOEXEC);
        if descriptor < 0 {
            return Err(std::io::Error::last_os_error());
        }
        std::fs::File::from_raw_fd(descriptor)
    };
    std::io::Write::write_all(&mut file, code)?;
    // SAFETY: code that our own compiler run has made.
    let library = unsafe { Library::new(format!("/proc/self/fd/{}", file.as_raw_fd())) }
        .map_err(std::io::Error::other)?;
    Ok(Image {
        library,
        _file: file,
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const u8,
    _: u32,
    _: *mut u32,
    _: *mut Handle,
) -> Code {
    if let Err(code) = forbidden_in_capture() {
        return code;
    }
    // SAFETY: an image has at least a header; ours says how long it is.
    let code = unsafe {
        if std::slice::from_raw_parts(image, 8) != MAGIC {
            return INVALID_IMAGE;
        }
        std::slice::from_raw_parts(
            image.add(16),
            image.add(8).cast::<u64>().read_unaligned() as usize,
        )
    };
    let image = match open(code) {
        Ok(image) => Arc::new(image),
        Err(error) => {
            eprintln!("emulator: {error}");
            return INVALID_IMAGE;
        }
    };
    let id = next();
    lock(&MODULES).insert(
        id,
        Module {
            image,
            alone: Arc::default(),
            functions: Vec::new(),
        },
    );
    // SAFETY: the caller passes a handle to write to.
    unsafe { *module = id as Handle };
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuModuleUnload(module: Handle) -> Code {
    let Some(module) = lock(&MODULES).remove(&(module as usize)) else {
        return INVALID;
    };
    let mut functions = lock(&FUNCTIONS);
    for function in module.functions {
        functions.remove(&function);
    }
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> Code {
    let mut modules = lock(&MODULES);
    let Some(module) = modules.get_mut(&(module as usize)) else {
        return INVALID;
    };
    // SAFETY: the caller passes text that ends with a zero, and a handle to write to; the symbols are the shim's.
    unsafe {
        let name = CStr::from_ptr(name).to_string_lossy().into_owned();
        let Ok(enter) = module
            .image
            .library
            .get(format!("emulator_enter_{name}").as_bytes())
        else {
            return NOT_FOUND;
        };
        let (Ok(sizes), Ok(bind), Ok(statics)) = (
            module
                .image
                .library
                .get::<unsafe extern "C" fn(*mut u32) -> u32>(
                    format!("emulator_sizes_{name}").as_bytes(),
                ),
            module.image.library.get("emulator_bind"),
            module
                .image
                .library
                .get::<unsafe extern "C" fn(*mut usize)>("emulator_statics"),
        ) else {
            return NOT_FOUND;
        };
        let mut found = [0u32; 256];
        let count = sizes(found.as_mut_ptr()) as usize;
        let mut range = [0usize; 2];
        statics(range.as_mut_ptr());
        let id = next();
        module.functions.push(id);
        let new = Function {
            name,
            enter: *enter,
            bind: *bind,
            statics: (range[0], range[1] - range[0]),
            sizes: found[..count].iter().map(|n| *n as usize).collect(),
            alone: module.alone.clone(),
            _library: module.image.clone(),
        };
        lock(&FUNCTIONS).insert(id, Arc::new(new));
        *function = id as Handle;
    }
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuFuncSetAttribute(_: Handle, _: u32, _: i32) -> Code {
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuFuncGetAttribute(value: *mut i32, attribute: u32, function: Handle) -> Code {
    let Some(function) = self::function(function) else {
        return INVALID;
    };
    // The threads of a block, and the static shared memory.
    let found = match attribute {
        0 => 1024,
        1 => function.statics.1 as i32,
        _ => 0,
    };
    // SAFETY: the caller passes a number to write to.
    unsafe { *value = found };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuFuncGetParamInfo(
    function: Handle,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Code {
    let Some(function) = self::function(function) else {
        return INVALID;
    };
    let Some(&bytes) = function.sizes.get(index) else {
        return INVALID;
    };
    // SAFETY: the caller passes numbers to write to.
    unsafe {
        *offset = function.sizes[..index].iter().sum();
        *size = bytes;
    }
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuFuncLoad(_: Handle) -> Code {
    OK
}
