//! A device to test on: the emulator, or the real one if `DIFFERENTIABLE_TEST_GPU=1` says so.
#![allow(dead_code)]

use differentiable_gpu::{Buffer, Gpu, Kernel, Key, MemoryMode, Module, Setup, Source};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;

/// Whether the tests run on a card.
pub fn real() -> bool {
    std::env::var("DIFFERENTIABLE_TEST_GPU").is_ok_and(|value| value == "1")
}

/// How to open the emulator, without a cache on disk. `None` says, on standard error, why there is none.
pub fn setup() -> Option<Setup> {
    if real() {
        return Some(Setup {
            cache: None,
            ..Setup::default()
        });
    }
    let Some(library) = differentiable_gpu_emulator::library() else {
        eprintln!("no emulator: g++ is missing, or this is not x86-64 Linux; skipped");
        return None;
    };
    Some(Setup {
        libraries: Some(vec![library]),
        cache: None,
        memory: MemoryMode::Exact,
        synchronous: false,
    })
}

/// A device of its own for a test.
pub fn gpu() -> Option<Arc<Gpu>> {
    Some(setup()?.open(0).unwrap())
}

/// The kernels that tests use.
pub fn module(gpu: &Gpu) -> Module {
    gpu.module(Key::of("tests"), || {
        Source::new(
            "tests",
            format!(
                "{}{}",
                differentiable_gpu::text::FAULT,
                include_str!("kernels.cu")
            ),
        )
    })
    .unwrap()
}

pub fn kernel(gpu: &Gpu, name: &str) -> Kernel {
    module(gpu).kernel(name).unwrap()
}

/// Numbers as bytes, and back.
pub trait Number: Copy + Default {
    fn bytes(all: &[Self]) -> &[u8] {
        // SAFETY: numbers have no padding.
        unsafe { std::slice::from_raw_parts(all.as_ptr().cast(), size_of_val(all)) }
    }
    fn bytes_mut(all: &mut [Self]) -> &mut [u8] {
        // SAFETY: numbers have no padding, and all bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(all.as_mut_ptr().cast(), size_of_val(all)) }
    }
}
impl Number for f32 {}
impl Number for f64 {}
impl Number for u32 {}
impl Number for u64 {}
impl Number for i64 {}
impl Number for u16 {}
impl Number for half::f16 {}
impl Number for half::bf16 {}

pub fn put<T: Number>(gpu: &Arc<Gpu>, all: &[T]) -> Buffer {
    let buffer = gpu.alloc(size_of_val(all)).unwrap();
    gpu.upload(&buffer, T::bytes(all));
    buffer
}

pub fn get<T: Number>(gpu: &Gpu, buffer: &Buffer) -> Vec<T> {
    let mut all = vec![T::default(); buffer.bytes() / size_of::<T>()];
    gpu.download(buffer, T::bytes_mut(&mut all)).unwrap();
    all
}

/// Whether this process is the child that runs the second half of a test.
pub fn is_child() -> bool {
    std::env::var_os("DIFFERENTIABLE_TEST_CHILD").is_some()
}

/// Runs a test of this program once more, alone, in a process of its own.
pub fn child(test: &str, variables: &[(&str, &str)]) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("DIFFERENTIABLE_TEST_CHILD", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

pub fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// A folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("differentiable-gpu-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What the emulator counts; see `emulator_live`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// What has not been given back to the emulator.
pub fn live() -> Live {
    let path = differentiable_gpu_emulator::library().expect("checked before");
    let mut live = Live::default();
    // SAFETY: the library is the emulator, which is open already, and the function writes a `Live`.
    unsafe {
        let library = libloading::Library::new(path).unwrap();
        let count: libloading::Symbol<'_, unsafe extern "C" fn(*mut Live)> =
            library.get(b"emulator_live").unwrap();
        count(&mut live);
    }
    live
}

/// Chooses the order of threads and blocks: 0 forward, 1 reversed, 2 shuffled. A card has its own.
pub fn set_order(order: u32) {
    if real() {
        return;
    }
    let path = differentiable_gpu_emulator::library().expect("checked before");
    // SAFETY: as in `live`.
    unsafe {
        let library = libloading::Library::new(path).unwrap();
        let set: libloading::Symbol<'_, extern "C" fn(u32)> =
            library.get(b"emulator_set_order").unwrap();
        set(order);
    }
}

/// Writes a whole entry of the cache on disk with another image: header, length, checksum.
pub fn write_entry(path: &std::path::Path, image: &[u8]) {
    let (mut sum, prime) = (
        0x6c62_272e_07bb_0142_62b8_2175_6295_c58du128,
        0x0000_0000_0100_0000_0000_0000_0000_013bu128,
    );
    for byte in image.iter().chain(&(image.len() as u64).to_le_bytes()) {
        sum = (sum ^ u128::from(*byte)).wrapping_mul(prime);
    }
    let length = (image.len() as u64).to_le_bytes();
    std::fs::write(
        path,
        [&b"DIFFGPU1"[..], &length, &sum.to_le_bytes(), image].concat(),
    )
    .unwrap();
}
