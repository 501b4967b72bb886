//! The seam between tensor operations and the machine that runs them.
//!
//! Operations are values ([`UnaryOp`], [`BinaryOp`], …), not closures, so that a GPU can implement
//! [`Backend`] as well as [`Cpu`] does. One set of differentiation rules serves every device.
//!
//! Conventions: inputs are strided views, and an axis with stride 0 is broadcast. Outputs are
//! dense (except for [`Backend::copy`] and [`Backend::gemm`]). Shapes have been checked by the
//! typed layer above; a wrong one here is a bug and panics. Results never depend on the number of
//! threads.

mod attention;
mod backend;
mod capture;
pub(crate) mod composite;
#[cfg(feature = "cuda")]
mod cuda;
mod dual;
mod elem;
mod error;
mod examples;
#[cfg(feature = "far")]
mod far;
pub(crate) mod float;
#[cfg(feature = "fft")]
mod fourier;
mod host;
mod images;
mod integer;
pub(crate) mod late;
mod lens;
#[cfg(feature = "linalg")]
mod linalg;
mod mixed;
mod name;
mod op;
mod place;
mod prefetch;
#[cfg(feature = "graph")]
pub mod record;
mod recurrent;
mod region;
mod resample;
mod run_time;
pub mod symbolic;
pub(crate) mod together;
mod view;
mod window;

pub use crate::cpu::Cpu;
pub use crate::shape::{Dims, Layout, MAX_RANK};
pub use attention::{
    AttentionGradients, AttentionInput, AttentionMask, AttentionShape, AttentionTangents,
};
pub use backend::Backend;
pub(crate) use backend::{implement_backend, methods_of_backend};
pub use capture::Captured;
pub(crate) use capture::draws;
#[cfg(feature = "cuda")]
pub use cuda::{Cuda, CudaBuf};
pub use elem::{DType, Elem, Index};
pub use error::{DeviceError, IndexError};
#[doc(hidden)]
pub use examples::{Batch, ExamplesBuf};
#[cfg(feature = "far")]
pub use far::{Counts, Far, FarBuf};
pub use float::{Float, FloatElem, Math, Real};
#[cfg(feature = "fft")]
pub use fourier::Fourier;
#[cfg(feature = "fft")]
pub(crate) use fourier::methods_of_fourier;
pub use host::{OnHost, Staged};
pub use images::Images;
pub(crate) use images::methods_of_images;
pub use integer::{Integer, IntegerOp};
pub use late::{OutOfRange, catch_index_errors, index_error};
#[cfg(feature = "linalg")]
pub(crate) use linalg::methods_of_linalg;
#[cfg(feature = "linalg")]
pub use linalg::{Factorize, Gaps, Linalg, Triangle};
pub use name::DeviceNameError;
pub use op::{
    AdamStep, ArgOp, BinaryOp, CompareOp, Decay, FoldOp, NormShape, Random, ReduceOp, Saves,
    ScanOp, SgdStep, Side, SoftmaxOp, SortOrder, UnaryOp, Write,
};
pub use place::ToDevice;
#[doc(hidden)]
pub use place::{AnyStorage, HostNumber, Moved, Stays};
pub use prefetch::Prefetched;
pub use recurrent::{Cell, Recurred, Recurrence, RecurrentCotangents, RecurrentGradients};
pub use region::{Region, RegionVisitor};
pub use resample::{Interpolation, Resample};
pub use run_time::{Device, DeviceBuf};
pub use view::{Operand, View, ViewMut};
pub use window::{ConvShape, PoolOp, PoolShape, Windows};

/// A buffer in the memory of the host.
type Buffer<T> = <Cpu as Backend>::Buf<T>;
