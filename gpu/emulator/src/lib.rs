//! A CUDA driver, NVRTC, cuBLAS and cuBLASLt without a GPU: one shared library with the symbols of all four, for tests.
//!
//! [`library`] tells where it is. A program that loads CUDA's libraries by path runs on it unchanged.
//!
//! Kernels are CUDA C++, compiled by `g++` with `shim/shim.h` in front; the "CUBIN" is a header and a shared library. Each
//! CUDA thread is a fiber; the blocks of a launch run one after the other. What it finds:
//!
//! | mistake | how it shows |
//! |---|---|
//! | a missing `__syncthreads` | another result under `EMULATOR_ORDER=reverse` or `shuffle`, which turn the order of threads and blocks round |
//! | a barrier that only some threads reach | the kernel's name and the block on standard error, then `CUDA_ERROR_LAUNCH_FAILED` for good, as on a card |
//! | a write behind a buffer | the process dies there: each allocation ends at a page that cannot be touched |
//! | a write in front of a buffer | reported when the buffer is freed |
//! | memory or shared memory read before it is written | NaN: all of it is filled with ones |
//! | a shuffle that reads a lane which takes no part | NaN |
//! | a missing wait between streams | the other stream sees old data: work is queued, and runs when something waits for it |
//! | allocation, waiting or pageable copies while a graph is captured | `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`, and the capture is lost |
//!
//! | variable | meaning |
//! |---|---|
//! | `EMULATOR_ORDER` | `forward` (default), `reverse` or `shuffle` |
//! | `EMULATOR_SOURCES` | a folder into which the sources are written that are compiled |
//! | `EMULATOR_EAGER` | `1`: work runs when it is queued |
//! | `EMULATOR_MEMORY` | bytes that a device has; 4 GiB by default |
//! | `EMULATOR_DEVICES` | number of devices; 1 by default |
//! | `EMULATOR_ARCH` | compute capability, `90` by default |
//! | `EMULATOR_DRIVER` | CUDA version of the driver, `13000` by default |
//!
//! What it cannot do: tensor cores, asynchronous copies, inline PTX (guard it with `#ifdef __CUDA_ARCH__` and give a plain
//! branch), cooperation of blocks, textures, timing. Threads of a warp run apart from each other between warp operations.
#![allow(non_snake_case, clippy::missing_safety_doc, clippy::too_many_arguments)]

/// Declares the modules of the emulator where there is one.
macro_rules! on_linux {
    ($($name:ident)*) => { $(#[cfg(all(target_os = "linux", target_arch = "x86_64"))] mod $name;)* };
}
on_linux!(blas blas_lt device fiber graphs launch machine memory modules multiply nvrtc settings source streams);

use std::path::PathBuf;

/// Where Cargo has put the shared library: beside the program that runs, or in its folder `deps`.
///
/// `None` says that there is none for this machine, or that `g++` is missing and no kernel could be compiled.
pub fn library() -> Option<PathBuf> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return None;
    }
    let gcc = std::process::Command::new("g++").arg("--version").output();
    if !gcc.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let exe = std::env::current_exe().ok()?;
    exe.ancestors()
        .skip(1)
        .take(3)
        .flat_map(|folder| [folder.to_path_buf(), folder.join("deps")])
        .map(|folder| folder.join("libdifferentiable_gpu_emulator.so"))
        .find(|path| path.exists())
}
