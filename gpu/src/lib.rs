//! The runtime for NVIDIA GPUs below the `differentiable` crate. It knows bytes and kernels, no tensors.
//!
//! ```no_run
//! use differentiable_gpu::{Gpu, Key, Launch, Source};
//!
//! let gpu = Gpu::open(0)?;
//! let module = gpu.module(Key::of("twice"), || {
//!     Source::new("twice", r#"extern "C" __global__ void twice(float* x, unsigned n) {
//!         unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
//!         if (i < n) x[i] *= 2.0f;
//!     }"#)
//! })?;
//! let twice = module.kernel("twice")?;
//! let x = gpu.alloc(12)?;
//! gpu.upload(&x, &[1f32, 2.0, 3.0].map(f32::to_ne_bytes).concat());
//! // SAFETY: the kernel takes a pointer to `n` numbers, and `n`.
//! unsafe { gpu.launch(&twice, Launch::over(3, 256), &[(&x).into(), 3u32.into()]) };
//! let mut bytes = [0; 12];
//! gpu.download(&x, &mut bytes)?; // waits, and tells errors of all that was queued
//! # Ok::<(), differentiable_gpu::GpuError>(())
//! ```
//!
//! No library of CUDA is needed to build it. At run time it looks for the driver, for NVRTC when the first kernel is
//! compiled and for cuBLAS at the first product; what is missing is a [`GpuError`].
//!
//! | variable | meaning |
//! |---|---|
//! | `DIFFERENTIABLE_CUDA` | files or folders in which the libraries are looked for first |
//! | `DIFFERENTIABLE_SYNC=1` | waits after each launch, so that an error names one kernel |
//! | `DIFFERENTIABLE_MEMORY=exact` | an allocation for each buffer: for the emulator and compute-sanitizer |
//! | `XDG_CACHE_HOME` | where compiled kernels are kept, in the folder `differentiable`; `~/.cache` by default |

mod beside;
mod context;
mod counters;
mod error;
mod fault;
mod gpu;
mod graph;
mod kernel;
mod load;
mod memory;
mod product;
mod setup;
mod stream;
pub mod text;
mod transfer;

pub use counters::{Counters, MemoryUse};
pub use error::GpuError;
pub use gpu::Gpu;
pub use graph::{Graph, Numbers};
pub use kernel::{Arg, Kernel, Key, Launch, Module, Plain, Source};
pub use memory::{Buffer, MemoryMode, Place};
pub use product::{Element, Matrix, Product};
pub use setup::{Properties, Setup};
pub use transfer::Pattern;
