//! The libraries: a device with a stream, and the communicator of NCCL.

use crate::dist::{Kind, Reduce, limit};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DriverError};
use cudarc::nccl::result::{self, NcclError, NcclStatus};
use cudarc::nccl::sys::{
    self, ncclComm_t, ncclDataType_t, ncclRedOp_t, ncclResult_t, ncclUniqueId,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Bytes on the device.
pub(super) type Memory = CudaSlice<u8>;

/// A GPU, and the stream on which NCCL works.
pub(super) struct Device {
    stream: Arc<CudaStream>,
}

/// Runs calls of the libraries. cudarc panics where a library lacks a function: that is an error here.
fn guarded<T>(f: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let lacks =
        |_| Err("the library lacks a function that is needed: install a newer one".to_string());
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(lacks)
}

fn driver(error: DriverError) -> String {
    format!("the driver reports {:?}", error.0)
}

fn nccl(error: NcclError) -> String {
    format!("it reports {:?}", error.0)
}

impl Device {
    /// Opens a device by its number.
    pub fn open(number: usize) -> Result<Self, String> {
        // SAFETY: the initialisers of both libraries do nothing but set up the libraries.
        let (has_driver, has_nccl) = unsafe {
            (
                cudarc::driver::sys::is_culib_present(),
                sys::is_culib_present(),
            )
        };
        if !has_driver {
            return Err("no driver of NVIDIA (libcuda.so.1) is found: use the ranks of MPI".into());
        }
        if !has_nccl {
            return Err(
                "libnccl.so.2 is not found: install NCCL, or name its folder in LD_LIBRARY_PATH"
                    .into(),
            );
        }
        guarded(|| {
            let context = CudaContext::new(number)
                .map_err(|e| format!("GPU {number} cannot be opened: {}", driver(e)))?;
            let stream = context.new_stream().map_err(driver)?;
            Ok(Device { stream })
        })
    }

    /// An id for ranks that begin together.
    pub fn unique_id() -> Result<Vec<u8>, String> {
        let id = guarded(|| result::get_uniqueid().map_err(nccl))?;
        Ok(id.internal.iter().map(|c| c.cast_unsigned()).collect())
    }

    /// Memory with these bytes.
    pub fn upload(&self, bytes: &[u8]) -> Result<Memory, String> {
        let mut memory = self.alloc(bytes.len())?;
        self.stream
            .memcpy_htod(bytes, &mut memory)
            .map_err(driver)?;
        Ok(memory)
    }

    /// So many bytes, of at least one.
    pub fn alloc(&self, len: usize) -> Result<Memory, String> {
        self.stream.alloc_zeros(len.max(1)).map_err(driver)
    }

    /// Reads memory. All that was asked for before is done then.
    pub fn download(&self, memory: &Memory, bytes: &mut [u8]) -> Result<(), String> {
        let view = memory.slice(..bytes.len());
        self.stream.memcpy_dtoh(&view, bytes).map_err(driver)?;
        self.stream.synchronize().map_err(driver)
    }
}

/// This rank among the others.
pub(super) struct Comm {
    raw: ncclComm_t,
    pub device: Device,
    limit: Duration,
}

// SAFETY: the handle is used by one thread at a time, that of the worker.
unsafe impl Send for Comm {}

/// What NCCL does with two pieces of memory, of `count` numbers of a type.
pub(super) enum Job {
    AllReduce(Reduce),
    Broadcast(usize),
    AllGather,
    ReduceScatter(Reduce),
    Send(usize),
    Receive(usize),
}

impl Comm {
    /// Joins the ranks; waits until all have.
    pub fn join(device: Device, id: &[u8], rank: usize, size: usize) -> Result<Self, String> {
        let mut internal = [0; 128];
        if id.len() != internal.len() {
            return Err("rank 0 sent no id".into());
        }
        internal
            .iter_mut()
            .zip(id)
            .for_each(|(to, from)| *to = from.cast_signed());
        let number = |n: usize| i32::try_from(n).map_err(|_| format!("{n} ranks are too many"));
        let (rank, size) = (number(rank)?, number(size)?);
        let limit = limit().map_err(|e| e.to_string())?;
        guarded(|| {
            device.stream.context().bind_to_thread().map_err(driver)?;
            let mut raw = null_mut();
            // SAFETY: a handle to write to, and an id that NCCL has made.
            let joined =
                unsafe { result::comm_init_rank(&mut raw, size, ncclUniqueId { internal }, rank) };
            joined.map_err(nccl)?;
            Ok(Comm { raw, device, limit })
        })
    }

    /// Does a job, and waits until it is done. `count` is that of `from` where both are as long, else of the smaller one.
    pub fn run(
        &self,
        job: &Job,
        kind: Kind,
        count: usize,
        from: &Memory,
        to: &mut Memory,
    ) -> Result<(), String> {
        guarded(|| {
            self.begin(job, kind, count, from, to).map_err(nccl)?;
            self.wait()
        })
    }

    fn begin(
        &self,
        job: &Job,
        kind: Kind,
        count: usize,
        from: &Memory,
        to: &mut Memory,
    ) -> Result<NcclStatus, NcclError> {
        let stream = &self.device.stream;
        let (x, _reads) = from.device_ptr(stream);
        let (y, _writes) = to.device_ptr_mut(stream);
        let (x, y) = (x as *const core::ffi::c_void, y as *mut core::ffi::c_void);
        let (on, comm, of) = (stream.cu_stream().cast(), self.raw, datatype(kind));
        // SAFETY: both pieces of memory hold what the job reads and writes, live until `wait` is over, and the communicator is that of
        // this thread. Numbers of ranks were checked, and fit.
        unsafe {
            match *job {
                Job::AllReduce(op) => result::all_reduce(x, y, count, of, operation(op), comm, on),
                Job::Broadcast(root) => result::broadcast(x, y, count, of, root as i32, comm, on),
                Job::AllGather => result::all_gather(x, y, count, of, comm, on),
                Job::ReduceScatter(op) => {
                    result::reduce_scatter(x, y, count, of, operation(op), comm, on)
                }
                Job::Send(to) => result::send(x, count, of, to as i32, comm, on),
                Job::Receive(from) => result::recv(y, count, of, from as i32, comm, on),
            }
        }
    }

    /// Waits until the stream is done. A rank that does not come is an error when the time is over, and so is one that NCCL loses.
    fn wait(&self) -> Result<(), String> {
        let event = self.device.stream.record_event(None).map_err(driver)?;
        let (begun, limit) = (Instant::now(), self.limit);
        let mut pause = Duration::from_micros(5);
        while !event.is_complete() {
            let mut state = ncclResult_t::ncclSuccess;
            // SAFETY: the communicator of this thread, and a place to write to.
            let asked = unsafe { sys::ncclCommGetAsyncError(self.raw, &mut state) };
            let why = match (asked, state) {
                (
                    ncclResult_t::ncclSuccess,
                    ncclResult_t::ncclSuccess | ncclResult_t::ncclInProgress,
                ) => {
                    if begun.elapsed() < limit {
                        thread::sleep(pause);
                        pause = (pause * 2).min(Duration::from_millis(1));
                        continue;
                    }
                    format!(
                        "not all ranks came within {limit:?} (the variable DIFFERENTIABLE_RANK_LIMIT sets the limit, in seconds)"
                    )
                }
                (ncclResult_t::ncclSuccess, other) | (other, _) => format!("it reports {other:?}"),
            };
            self.abort();
            return Err(why);
        }
        // Errors of kernels show here.
        self.device.stream.synchronize().map_err(driver)
    }

    /// Ends what is under way. No call is possible then.
    pub fn abort(&self) {
        // SAFETY: the communicator of this thread, which is not used again: the worker ends after an error.
        let _ended = unsafe { result::comm_abort(self.raw) };
    }

    /// Leaves the others, in peace.
    pub fn leave(self) {
        // SAFETY: as above. A failure changes nothing any more.
        let _left = guarded(|| unsafe { result::comm_destroy(self.raw) }.map_err(nccl));
    }
}

fn datatype(kind: Kind) -> ncclDataType_t {
    match kind {
        Kind::F32 => ncclDataType_t::ncclFloat32,
        Kind::F64 => ncclDataType_t::ncclFloat64,
        Kind::Bf16 => ncclDataType_t::ncclBfloat16,
        Kind::F16 => ncclDataType_t::ncclFloat16,
        Kind::I64 => ncclDataType_t::ncclInt64,
        Kind::U8 => ncclDataType_t::ncclUint8,
    }
}

fn operation(op: Reduce) -> ncclRedOp_t {
    match op {
        Reduce::Sum => ncclRedOp_t::ncclSum,
        Reduce::Max => ncclRedOp_t::ncclMax,
        Reduce::Min => ncclRedOp_t::ncclMin,
    }
}
