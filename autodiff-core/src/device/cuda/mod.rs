//! An NVIDIA GPU.
//!
//! The crate `differentiable-gpu` has the machine: memory, kernels, products of matrices. Here operations become launches.
//!
//! | file | what it has |
//! |---|---|
//! | `buffer` | buffers, and how they get to the host |
//! | `dispatch` | which method has a kernel, and what is done with the others |
//! | `capture` | functions that run again as CUDA graphs |
//! | `launch` | modules of kernels, arguments, launches |
//! | `nest` | sizes and strides, which go to a kernel by value |
//! | the others | operations; files and functions have the names of those in `cpu/`, and the kernels are in `gpu/kernels` |
//!
//! **Types.** A kernel's text says `T`, and a `typedef` in front of it says what that is, so a module belongs to one type of
//! elements. A [`Mixed`](crate::ad::Mixed) is a `float`. Numbers with tangents are a struct with operators, so that the same
//! kernels compute with them; [`Cuda::without_kernel_for_duals`] lists those that do not.
//!
//! **Errors.** A launch does not wait. What goes wrong comes out at the next reading, as a [`DeviceError`]: an index outside its
//! range, a kernel that does not compile, memory that is not there.

mod attention;
mod buffer;
mod capture;
mod dispatch;
mod elementwise;
mod flat;
mod images;
mod index;
mod launch;
mod nest;
mod norm;
mod optim;
mod product;
mod random;
mod recurrent;
mod reduce;
mod region;
mod rows;
mod sequence;

pub use buffer::CudaBuf;
pub(crate) use capture::{Captive, Taken, check_state};
use launch::{Args, Key, Of};
pub(crate) use optim::{clip_factor, of_many, squares, together};

use super::*;
use core::fmt;
use differentiable_gpu::{Gpu, GpuError, Numbers};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// An NVIDIA GPU, behind the feature `cuda`: see [`Device::cuda`].
#[derive(Clone)]
pub struct Cuda {
    gpu: Arc<Gpu>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The first thing that went wrong since the last reading.
    fault: Option<DeviceError>,
    via_host: BTreeMap<&'static str, usize>,
    /// What a function that is being captured adds to its seeds.
    draws: Option<Draws>,
    /// Whether attention of mixed precision uses tensor cores.
    tensor_cores: bool,
}

/// A number on the card that is added to seeds.
#[derive(Debug)]
struct Draws {
    shift: Arc<Numbers<u64>>,
    /// Whether something was drawn.
    used: bool,
}

impl Cuda {
    /// The GPU of this number, from 0.
    ///
    /// # Errors
    /// If there is no driver, or no GPU of this number.
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        Ok(Cuda::of(Gpu::open(ordinal)?))
    }

    /// A GPU that was opened with a [`Setup`](differentiable_gpu::Setup) of one's own.
    pub fn of(gpu: Arc<Gpu>) -> Self {
        /// What is known of the cards that are open.
        static OPEN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
        type Known = (Weak<Gpu>, Weak<Mutex<State>>);
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(gpu, state)| gpu.strong_count() > 0 && state.strong_count() > 0);
        let same = open
            .iter()
            .find(|(other, _)| other.as_ptr() == Arc::as_ptr(&gpu));
        if let Some(state) = same.and_then(|(_, state)| state.upgrade()) {
            return Cuda { gpu, state };
        }
        let state = Arc::new(Mutex::new(State {
            tensor_cores: std::env::var("DIFFERENTIABLE_TENSOR_CORES").map_or(true, |on| on != "0"),
            ..State::default()
        }));
        open.push((Arc::downgrade(&gpu), Arc::downgrade(&state)));
        Cuda { gpu, state }
    }

    /// Whether attention of [`Mixed`](crate::ad::Mixed) numbers multiplies numbers of half precision on tensor cores, from compute
    /// capability 8.0 on, and not in `f32`. It does at first; the environment variable `DIFFERENTIABLE_TENSOR_CORES=0` turns it off
    /// for all devices of a program.
    ///
    /// Heads with keys and values of the same width, a multiple of 16 up to 128, without a mask other than causal ones and lengths,
    /// and without dropout, are computed so.
    pub fn set_tensor_cores(&self, on: bool) {
        self.state().tensor_cores = on;
    }

    /// What the crate below knows of it: memory in use, launches, transfers.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The operations that went through the host until now because they have no kernel, and how often each did.
    pub fn via_host(&self) -> BTreeMap<&'static str, usize> {
        self.state().via_host.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic in between leaves counters that are still counters.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an error for the next reading; the first one stays.
    fn fails(&self, error: GpuError) {
        let error = self.error(error);
        self.state().fault.get_or_insert(error);
    }

    /// What went wrong since the last reading.
    fn fault(&self) -> Result<(), DeviceError> {
        self.state().fault.take().map_or(Ok(()), Err)
    }

    /// The error as readers get it.
    fn error(&self, error: GpuError) -> DeviceError {
        match error {
            GpuError::Index {
                operation: launch::DIVISION,
                position,
                ..
            } => DeviceError::Division {
                device: self.to_string(),
                position: position as usize,
            },
            GpuError::Index {
                operation,
                position,
                found,
                len,
            } => DeviceError::Index {
                operation: launch::operation(operation),
                device: self.to_string(),
                error: IndexError {
                    position: position as usize,
                    found,
                    len: len as usize,
                },
            },
            error => DeviceError::Gpu {
                device: self.to_string(),
                error: Box::new(error),
            },
        }
    }
}

/// The same card.
impl PartialEq for Cuda {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.gpu, &other.gpu)
    }
}

impl fmt::Display for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cuda:{}", self.gpu.ordinal())
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cuda({self})")
    }
}

// A type parameter of structs of tensors.
crate::__discrete!([] Cuda);
