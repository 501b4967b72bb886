//! What can go wrong.

/// An error of a GPU or of the libraries that drive it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no NVIDIA driver.
    #[error("no NVIDIA driver: tried {}", tried.join(", "))]
    NoDriver {
        /// Names and paths, with the reason where it is not that there is no such file.
        tried: Vec<String>,
    },
    /// There are fewer devices.
    #[error("no GPU {asked}: the driver has {found}")]
    NoDevice {
        /// The number asked for, from 0.
        asked: usize,
        /// How many there are.
        found: usize,
    },
    /// NVRTC is missing, which compiles kernels.
    #[error("no NVRTC, which compiles kernels: install the CUDA toolkit or `pip install nvidia-cuda-nvrtc`; tried {}", tried.join(", "))]
    NoCompiler {
        /// See [`GpuError::NoDriver`].
        tried: Vec<String>,
    },
    /// cuBLAS is missing, which multiplies matrices.
    #[error("no cuBLAS, which multiplies matrices: install the CUDA toolkit or `pip install nvidia-cublas`; tried {}", tried.join(", "))]
    NoProducts {
        /// See [`GpuError::NoDriver`].
        tried: Vec<String>,
    },
    /// The device has no memory left.
    #[error("out of GPU memory: asked for {asked} bytes, {used} of {total} are in use")]
    OutOfMemory {
        /// Bytes asked for.
        asked: usize,
        /// Bytes in use on the device, by all programs.
        used: usize,
        /// Bytes that the device has.
        total: usize,
    },
    /// A kernel does not compile, or the driver refuses what was compiled.
    #[error("kernel `{name}` does not compile:\n{log}")]
    Kernel {
        /// The name of the source, or of the kernel that it lacks.
        name: String,
        /// What the compiler or the driver says.
        log: String,
    },
    /// A launch has other arguments than the kernel.
    #[error("kernel `{kernel}` takes arguments of {expected:?} bytes, found {found:?}")]
    Arguments {
        /// The kernel's name.
        kernel: String,
        /// Sizes of its parameters.
        expected: Vec<usize>,
        /// Sizes of the arguments.
        found: Vec<usize>,
    },
    /// A kernel failed while it ran. The device is of no use after this.
    #[error("{} failed: {error} ({code})", named(kernels))]
    Launch {
        /// The kernels launched since the last wait, the newest first: one of them failed. With `DIFFERENTIABLE_SYNC=1` it
        /// is a single one.
        kernels: Vec<String>,
        /// The driver's code.
        code: u32,
        /// The driver's name for it.
        error: String,
    },
    /// A kernel found an index out of range. It went on with another index, and the results are of no use.
    #[error(
        "operation {operation}, position {position}: index {found} out of range for length {len}"
    )]
    Index {
        /// The operation, as the kernel's caller numbers them.
        operation: u32,
        /// Which of the indices.
        position: u32,
        /// The index.
        found: i64,
        /// How many there are.
        len: i64,
    },
    /// Something that a captured graph cannot do.
    #[error("{what} is not possible while a graph is captured")]
    Capturing {
        /// The call.
        what: &'static str,
    },
    /// A range that does not lie in its buffer.
    #[error("{what}: bytes {at}..{} of a buffer of {len}", at.saturating_add(*bytes))]
    Range {
        /// The call.
        what: &'static str,
        /// Where the range begins.
        at: usize,
        /// Its length.
        bytes: usize,
        /// The length of the buffer.
        len: usize,
    },
    /// A buffer or kernel of another device.
    #[error("{what}: a buffer or kernel of another GPU")]
    Elsewhere {
        /// The call.
        what: &'static str,
    },
    /// A library refuses a call.
    #[error("{what}: {error} ({code})")]
    Failed {
        /// The call.
        what: String,
        /// The library's code.
        code: u32,
        /// The library's name for it.
        error: String,
    },
}

fn named(kernels: &[String]) -> String {
    match kernels {
        [] => "a kernel".to_owned(),
        [one] => format!("kernel `{one}`"),
        many => format!(
            "one of the kernels `{}` (DIFFERENTIABLE_SYNC=1 tells which)",
            many.join("`, `")
        ),
    }
}
