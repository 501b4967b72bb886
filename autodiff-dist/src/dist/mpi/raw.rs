//! The calls of MPI that this crate makes: each begins without waiting, and owns what MPI reads and writes until it is done.
//!
//! All of it runs on the one thread that started MPI, which `Thread` makes sure of: it is neither `Send` nor `Sync`.

use crate::dist::numbers::each;
use crate::dist::{Kind, Numbers};
use core::ffi::{c_int, c_void};
use core::marker::PhantomData;
use core::mem::{self, MaybeUninit};
use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Request, MPI_Status};

/// Why MPI refused.
pub(super) type Refused = String;

/// MPI, as long as it runs: two communicators of our own, so that what others in the program send stays apart.
pub(super) struct Thread {
    data: MPI_Comm,
    control: MPI_Comm,
    pub(super) rank: usize,
    pub(super) size: usize,
    _on_one_thread: PhantomData<*mut ()>,
}

/// Which communicator.
#[derive(Clone, Copy)]
pub(super) enum Channel {
    Data,
    Control,
}

/// A call that has begun.
pub(super) struct Request {
    request: MPI_Request,
    sent: Numbers,
    received: Numbers,
    done: bool,
}

fn check(code: c_int) -> Result<(), Refused> {
    if code == 0 {
        return Ok(());
    }
    let mut text = [0_u8; 1024];
    let mut len: c_int = 0;
    // SAFETY: the buffer is longer than MPI_MAX_ERROR_STRING of every implementation (256 to 1024 bytes).
    unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr().cast(), &mut len) };
    let len = usize::try_from(len).unwrap_or(0).min(text.len());
    Err(String::from_utf8_lossy(&text[..len]).into_owned())
}

fn count(len: usize) -> Result<c_int, Refused> {
    c_int::try_from(len).map_err(|_| {
        format!(
            "{len} numbers are too many for one call, which takes at most {}",
            c_int::MAX
        )
    })
}

fn datatype(kind: Kind) -> MPI_Datatype {
    // SAFETY: constants of the library, which are set before the program begins.
    unsafe {
        match kind {
            Kind::F32 => ffi::RSMPI_FLOAT,
            Kind::F64 => ffi::RSMPI_DOUBLE,
            Kind::I64 => ffi::RSMPI_INT64_T,
            // Moved, never added.
            Kind::Bf16 | Kind::F16 => ffi::RSMPI_UINT16_T,
            Kind::U8 => ffi::RSMPI_UINT8_T,
        }
    }
}

fn address_mut(x: &mut Numbers) -> *mut c_void {
    each!(x, x => x.as_mut_ptr().cast())
}

impl Thread {
    /// Starts MPI on this thread.
    pub(super) fn start() -> Result<Self, Refused> {
        let (mut begun, mut provided) = (0, 0);
        // SAFETY: may be asked at any time; the pointer is valid.
        check(unsafe { ffi::MPI_Initialized(&mut begun) })?;
        if begun != 0 {
            return Err("the program has started it already".to_string());
        }
        // SAFETY: MPI was not started; it may be called without arguments. Only this thread calls it from here on.
        check(unsafe {
            ffi::MPI_Init_thread(
                core::ptr::null_mut(),
                core::ptr::null_mut(),
                ffi::RSMPI_THREAD_FUNNELED,
                &mut provided,
            )
        })?;
        // SAFETY: MPI runs.
        check(unsafe {
            ffi::MPI_Comm_set_errhandler(ffi::RSMPI_COMM_WORLD, ffi::RSMPI_ERRORS_RETURN)
        })?;
        let own = || {
            let mut comm = MaybeUninit::uninit();
            // SAFETY: MPI runs; the pointer is valid, and written if the call succeeds.
            unsafe {
                check(ffi::MPI_Comm_dup(ffi::RSMPI_COMM_WORLD, comm.as_mut_ptr()))?;
                let comm = comm.assume_init();
                check(ffi::MPI_Comm_set_errhandler(comm, ffi::RSMPI_ERRORS_RETURN))?;
                Ok::<_, Refused>(comm)
            }
        };
        let (data, control) = (own()?, own()?);
        let (mut rank, mut size) = (0, 0);
        // SAFETY: the communicator is alive, the pointers valid.
        unsafe {
            check(ffi::MPI_Comm_rank(data, &mut rank))?;
            check(ffi::MPI_Comm_size(data, &mut size))?;
        }
        Ok(Thread {
            data,
            control,
            rank: rank as usize,
            size: size as usize,
            _on_one_thread: PhantomData,
        })
    }

    /// Ends MPI. All ranks do so, and none has a call under way.
    pub(super) fn finalize(self) {
        // SAFETY: MPI runs, on this thread, and nobody can call it afterwards: this value is gone.
        unsafe { ffi::MPI_Finalize() };
    }

    /// Ends the processes of all ranks.
    pub(super) fn abort(&self, code: i32) -> ! {
        // SAFETY: MPI runs. The call does not return.
        unsafe { ffi::MPI_Abort(self.data, code) };
        std::process::exit(code)
    }

    fn comm(&self, channel: Channel) -> MPI_Comm {
        match channel {
            Channel::Data => self.data,
            Channel::Control => self.control,
        }
    }

    /// Begins a call whose buffers live as long as the request.
    fn begin(
        &self,
        mut sent: Numbers,
        mut received: Numbers,
        call: impl FnOnce(*mut c_void, *mut c_void, *mut MPI_Request) -> c_int,
    ) -> Result<Request, Refused> {
        // The address of what has no room may be one that means something to MPI.
        for x in [&mut sent, &mut received] {
            each!(x, x => x.reserve(usize::from(x.is_empty())));
        }
        let mut request = MaybeUninit::uninit();
        check(call(
            address_mut(&mut sent),
            address_mut(&mut received),
            request.as_mut_ptr(),
        ))?;
        Ok(Request {
            // SAFETY: the call succeeded, so it has written the request.
            request: unsafe { request.assume_init() },
            sent,
            received,
            done: false,
        })
    }

    /// The sums of the numbers of all ranks, which are of no half precision.
    pub(super) fn sum(&self, x: Numbers) -> Result<Request, Refused> {
        let (n, kind) = (count(x.len())?, datatype(x.kind()));
        let out = Numbers::zeros(x.kind(), x.len());
        // SAFETY: both buffers have `n` numbers of the type, and the request keeps them until it is done.
        self.begin(x, out, |x, out, r| unsafe {
            ffi::MPI_Iallreduce(x, out, n, kind, ffi::RSMPI_SUM, self.data, r)
        })
    }

    /// This rank's share of the sums.
    pub(super) fn sum_of_share(&self, x: Numbers) -> Result<Request, Refused> {
        let share = x.len() / self.size;
        let (n, kind) = (count(share)?, datatype(x.kind()));
        let out = Numbers::zeros(x.kind(), share);
        // SAFETY: `out` has `n` numbers, `x` as many for each rank, and the request keeps them until it is done.
        self.begin(x, out, |x, out, r| unsafe {
            ffi::MPI_Ireduce_scatter_block(x, out, n, kind, ffi::RSMPI_SUM, self.data, r)
        })
    }

    pub(super) fn broadcast(&self, x: Numbers, from: usize) -> Result<Request, Refused> {
        let (n, kind) = (count(x.len())?, datatype(x.kind()));
        let nothing = Numbers::U8(Vec::new());
        // SAFETY: `x` has `n` numbers, and the request keeps it until it is done.
        self.begin(nothing, x, |_, x, r| unsafe {
            ffi::MPI_Ibcast(x, n, kind, from as c_int, self.data, r)
        })
    }

    /// The numbers of all ranks. On each channel all ranks make their calls in the same order.
    pub(super) fn gather(&self, channel: Channel, x: Numbers) -> Result<Request, Refused> {
        let (n, kind) = (count(x.len())?, datatype(x.kind()));
        let out = Numbers::zeros(x.kind(), x.len() * self.size);
        // SAFETY: `x` has `n` numbers, `out` as many for each rank, and the request keeps them until it is done.
        self.begin(x, out, |x, out, r| unsafe {
            ffi::MPI_Iallgather(x, n, kind, out, n, kind, self.comm(channel), r)
        })
    }

    pub(super) fn barrier(&self) -> Result<Request, Refused> {
        let nothing = || Numbers::U8(Vec::new());
        // SAFETY: the communicator is alive.
        self.begin(nothing(), nothing(), |_, _, r| unsafe {
            ffi::MPI_Ibarrier(self.data, r)
        })
    }

    pub(super) fn send(
        &self,
        channel: Channel,
        x: Vec<u8>,
        to: usize,
        tag: u16,
    ) -> Result<Request, Refused> {
        let n = count(x.len())?;
        let nothing = Numbers::U8(Vec::new());
        // SAFETY: `x` has `n` bytes, and the request keeps it until it is done.
        self.begin(Numbers::U8(x), nothing, |x, _, r| unsafe {
            let comm = self.comm(channel);
            ffi::MPI_Isend(
                x,
                n,
                datatype(Kind::U8),
                to as c_int,
                c_int::from(tag),
                comm,
                r,
            )
        })
    }

    /// The rank and the number of bytes of the next message under a tag, if one has come.
    pub(super) fn probe(
        &self,
        channel: Channel,
        from: Option<usize>,
        tag: u16,
    ) -> Result<Option<(usize, usize)>, Refused> {
        let (mut there, mut len) = (0, 0);
        let mut status = MaybeUninit::<MPI_Status>::zeroed();
        // SAFETY: the communicator is alive, the pointers valid; the status is read only where a message is there.
        unsafe {
            let from = from.map_or(ffi::RSMPI_ANY_SOURCE, |from| from as c_int);
            let (comm, tag) = (self.comm(channel), c_int::from(tag));
            check(ffi::MPI_Iprobe(
                from,
                tag,
                comm,
                &mut there,
                status.as_mut_ptr(),
            ))?;
            if there == 0 {
                return Ok(None);
            }
            let status = status.assume_init();
            check(ffi::MPI_Get_count(&status, datatype(Kind::U8), &mut len))?;
            Ok(Some((status.MPI_SOURCE as usize, len as usize)))
        }
    }

    /// Receives a message that [`probe`](Self::probe) has seen.
    pub(super) fn receive(
        &self,
        channel: Channel,
        from: usize,
        tag: u16,
        len: usize,
    ) -> Result<Request, Refused> {
        let n = count(len)?;
        let nothing = Numbers::U8(Vec::new());
        // SAFETY: the buffer has `n` bytes, and the request keeps it until it is done.
        self.begin(nothing, Numbers::zeros(Kind::U8, len), |_, x, r| unsafe {
            let comm = self.comm(channel);
            ffi::MPI_Irecv(
                x,
                n,
                datatype(Kind::U8),
                from as c_int,
                c_int::from(tag),
                comm,
                r,
            )
        })
    }
}

impl Request {
    /// Whether the call is done.
    pub(super) fn test(&mut self, _: &Thread) -> Result<bool, Refused> {
        if !self.done {
            let mut done = 0;
            // SAFETY: the request is that of a call that has begun, on this thread, and is not done; the status is not asked for.
            check(unsafe {
                ffi::MPI_Test(&mut self.request, &mut done, ffi::RSMPI_STATUS_IGNORE)
            })?;
            self.done = done != 0;
        }
        Ok(self.done)
    }

    /// What was received, of a call that is done.
    pub(super) fn received(mut self) -> Numbers {
        debug_assert!(self.done);
        mem::replace(&mut self.received, Numbers::U8(Vec::new()))
    }
}

/// MPI still reads and writes the buffers of a call that is not done, so these stay for good.
impl Drop for Request {
    fn drop(&mut self) {
        if !self.done {
            let nothing = || Numbers::U8(Vec::new());
            mem::forget(mem::replace(&mut self.sent, nothing()));
            mem::forget(mem::replace(&mut self.received, nothing()));
        }
    }
}
