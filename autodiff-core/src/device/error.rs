//! What can go wrong on a machine.

/// A row number or class outside its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("index {found} at position {position} is out of range: there are {len} entries, 0 to {}", *len as i64 - 1)]
pub struct IndexError {
    /// Where in the index tensor it stands.
    pub position: usize,
    /// The index.
    pub found: i64,
    /// The number of valid indices.
    pub len: usize,
}

/// What a machine reports when something is read from it: an operation before could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// An operation met an index outside its range.
    #[error("`{operation}` on {device}: {error}")]
    Index {
        /// The method of [`Backend`](super::Backend), such as `gather`.
        operation: &'static str,
        /// The device.
        device: String,
        /// Which index, and where.
        error: IndexError,
    },
    /// A recorder was asked for a number that depends on an input: it records, and computes nothing.
    #[error(
        "the program reads a number that depends on {inputs} while it is recorded, so its graph would hold for one number \
         only: keep it a tensor, or read it outside"
    )]
    Recording {
        /// The names of the inputs.
        inputs: String,
    },
    /// The host asked for a number of one example of `vmap!(#[batched] ..)`, which computes all of them at once.
    #[error(
        "`vmap!(#[batched] ..)` computes all examples at once, so the host cannot read a number of one of them, as `item()`, \
         `x[[i]]`, `to_vec()` and the derivative by an `f64` do: keep it a tensor (`Tensor![f64;]` holds one number), or leave out \
         `#[batched]`, which takes one example after the other"
    )]
    Batched,
    /// A number that depends on constants alone could not be computed while a graph was recorded.
    #[error("{error}")]
    Folding {
        /// What went wrong.
        error: String,
    },
    /// Whole numbers were divided by zero on a GPU.
    #[cfg(feature = "cuda")]
    #[error("`integer` on {device}: attempt to divide by zero in element {position}")]
    Division {
        /// The device.
        device: String,
        /// The element of the result, in the order of the result.
        position: usize,
    },
    /// A GPU, or one of the libraries that drive it, failed.
    #[cfg(feature = "cuda")]
    #[error("{device}: {error}")]
    Gpu {
        /// The device.
        device: String,
        /// What went wrong.
        error: Box<differentiable_gpu::GpuError>,
    },
}
