//! NVRTC by g++.

use crate::modules::MAGIC;
use crate::source::{SHIM, unit};
use std::ffi::{CStr, c_char};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

const COMPILATION: u32 = 6;
const INTERNAL: u32 = 11;

struct Program {
    name: String,
    source: String,
    image: Vec<u8>,
    /// Ends with a zero.
    log: Vec<u8>,
}

type Handle = *mut Program;

/// Tells versions of the shim and of what g++ is told apart, so that caches of images do.
const fn version() -> i32 {
    let (mut hash, mut part) = (0u32, 0);
    while part <= FLAGS.len() {
        let text = if part < FLAGS.len() { FLAGS[part] } else { SHIM };
        let mut at = 0;
        while at < text.len() {
            hash = hash.wrapping_mul(31).wrapping_add(text.as_bytes()[at] as u32);
            at += 1;
        }
        part += 1;
    }
    1000 + (hash % 100_000) as i32
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcVersion(major: *mut i32, minor: *mut i32) -> u32 {
    // SAFETY: as NVRTC's function asks, here and below.
    unsafe {
        *major = 13;
        *minor = const { version() };
    }
    0
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetNumSupportedArchs(count: *mut i32) -> u32 {
    // SAFETY: see above.
    unsafe { *count = ARCHS.len() as i32 };
    0
}
const ARCHS: [i32; 6] = [75, 80, 86, 89, 90, 100];
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetSupportedArchs(archs: *mut i32) -> u32 {
    // SAFETY: see above.
    unsafe { std::ptr::copy_nonoverlapping(ARCHS.as_ptr(), archs, ARCHS.len()) };
    0
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcCreateProgram(
    program: *mut Handle,
    source: *const c_char,
    name: *const c_char,
    _: i32,
    _: *const *const c_char,
    _: *const *const c_char,
) -> u32 {
    // SAFETY: see above.
    unsafe {
        let text = |from: *const c_char| match from.is_null() {
            true => String::new(),
            false => CStr::from_ptr(from).to_string_lossy().into_owned(),
        };
        *program = Box::into_raw(Box::new(Program {
            name: text(name),
            source: text(source),
            image: vec![],
            log: vec![0],
        }));
    }
    0
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcDestroyProgram(program: *mut Handle) -> u32 {
    // SAFETY: from `nvrtcCreateProgram`.
    unsafe {
        drop(Box::from_raw(*program));
        *program = std::ptr::null_mut();
    }
    0
}

/// Kernels find each other within their library: libc has functions of such names.
const FLAGS: [&str; 8] = [
    "-std=c++17",
    "-O1",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-shared",
    "-fPIC",
    "-w",
    "-Wl,-Bsymbolic",
];

/// The text goes through standard input: a file's name would be part of the library, which is to be the same each time.
fn run_gcc(text: &str, library: &Path) -> std::io::Result<Output> {
    let mut gcc = Command::new("g++")
        .args(FLAGS)
        .args(["-x", "c++", "-", "-o"])
        .arg(library)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = gcc.stdin.take() {
        input.write_all(text.as_bytes())?;
    }
    gcc.wait_with_output()
}

/// The image of a text, from g++ or from what g++ made of the same text before.
fn compile(text: &str) -> Result<Vec<u8>, (u32, String)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let broken = |error: std::io::Error| (INTERNAL, format!("emulator: {error}"));
    let mut hash = DefaultHasher::new();
    (text, FLAGS).hash(&mut hash);
    // SAFETY: a question that cannot fail.
    let user = unsafe { libc::getuid() };
    let folder: PathBuf = std::env::temp_dir().join(format!("differentiable-gpu-emulator-{user}"));
    std::fs::create_dir_all(&folder).map_err(broken)?;
    let library = folder.join(format!("{:016x}.so", hash.finish()));
    if !library.exists() {
        let own = format!("{}-{}.part", std::process::id(), COUNT.fetch_add(1, SeqCst));
        let part = folder.join(own);
        let output = run_gcc(text, &part).map_err(|error| (INTERNAL, format!("emulator: g++: {error}")))?;
        if !output.status.success() {
            return Err((
                COMPILATION,
                String::from_utf8_lossy(&output.stderr).into_owned(),
            ));
        }
        std::fs::rename(&part, &library).map_err(broken)?;
    }
    let code = std::fs::read(&library).map_err(broken)?;
    Ok([&MAGIC[..], &(code.len() as u64).to_le_bytes(), &code].concat())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcCompileProgram(
    program: Handle,
    count: i32,
    options: *const *const c_char,
) -> u32 {
    // SAFETY: see above.
    let (program, options): (&mut Program, Vec<String>) = unsafe {
        let text = |at| {
            CStr::from_ptr(*options.add(at))
                .to_string_lossy()
                .into_owned()
        };
        (&mut *program, (0..count as usize).map(text).collect())
    };
    if let Some(folder) = std::env::var_os("EMULATOR_SOURCES") {
        keep(Path::new(&folder), program);
    }
    match compile(&unit(&program.source, &options)) {
        Ok(image) => {
            program.image = image;
            0
        }
        Err((code, log)) => {
            program.log = [log.as_bytes(), &[0]].concat();
            code
        }
    }
}

/// Writes what is compiled into a folder, for the real compiler. A folder that cannot be written to stays without.
fn keep(folder: &Path, program: &Program) {
    let mut hash = DefaultHasher::new();
    program.source.hash(&mut hash);
    let family = program.name.split('.').next().unwrap_or_default();
    let name = format!("{family}-{:016x}.cu", hash.finish());
    let _ = std::fs::create_dir_all(folder);
    let _ = std::fs::write(folder.join(name), &program.source);
}

unsafe fn give(from: &[u8], to: *mut u8) -> u32 {
    // SAFETY: the caller has asked for the size before.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) };
    0
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetPTXSize(program: Handle, bytes: *mut usize) -> u32 {
    // SAFETY: see above.
    unsafe { *bytes = (*program).image.len() };
    0
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetPTX(program: Handle, to: *mut u8) -> u32 {
    // SAFETY: see above.
    unsafe { give(&(*program).image, to) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetCUBINSize(program: Handle, bytes: *mut usize) -> u32 {
    // SAFETY: see above.
    unsafe { nvrtcGetPTXSize(program, bytes) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetCUBIN(program: Handle, to: *mut u8) -> u32 {
    // SAFETY: see above.
    unsafe { nvrtcGetPTX(program, to) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetProgramLogSize(program: Handle, bytes: *mut usize) -> u32 {
    // SAFETY: see above.
    unsafe { *bytes = (*program).log.len() };
    0
}
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetProgramLog(program: Handle, to: *mut u8) -> u32 {
    // SAFETY: see above.
    unsafe { give(&(*program).log, to) }
}
#[unsafe(no_mangle)]
extern "C" fn nvrtcGetErrorString(code: u32) -> *const c_char {
    let text = match code {
        0 => c"NVRTC_SUCCESS",
        COMPILATION => c"NVRTC_ERROR_COMPILATION",
        _ => c"NVRTC_ERROR_INTERNAL_ERROR",
    };
    text.as_ptr()
}
