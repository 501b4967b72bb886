//! Launches and their arguments.

use super::{Function, Kernel};
use crate::counters::add;
use crate::error::GpuError;
use crate::gpu::{Gpu, Work};
use crate::memory::{Buffer, Place};
use cudarc::driver::sys::CUfunction_attribute;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// How many threads run, in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Bytes of `extern __shared__` memory.
    pub shared: u32,
}

impl Launch {
    /// One thread for each of `n` elements, in blocks along x; the last block may have more threads than elements are left.
    pub fn over(n: usize, block: u32) -> Self {
        Self {
            grid: [
                n.div_ceil(block as usize).clamp(1, i32::MAX as usize) as u32,
                1,
                1,
            ],
            block: [block, 1, 1],
            shared: 0,
        }
    }
}

/// An argument of a launch.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A pointer into a buffer.
    At(Place<'a>),
    /// A pointer.
    Address(u64),
    /// The pointer to the fault word; see [`crate::text::FAULT`].
    Fault,
    /// A number.
    U8(u8),
    /// A number.
    U16(u16),
    /// A number.
    U32(u32),
    /// A number.
    I32(i32),
    /// A number.
    U64(u64),
    /// A number.
    I64(i64),
    /// A number.
    F32(f32),
    /// A number.
    F64(f64),
    /// A `struct` by value. If it has pointers into buffers, a graph must be told of these by [`Gpu::hold`].
    Bytes(&'a [u8]),
}

macro_rules! arguments {
    ($($ty:ty => $variant:ident),*) => {
        $(impl From<$ty> for Arg<'_> { fn from(value: $ty) -> Self { Arg::$variant(value) } })*
    };
}
arguments!(u8 => U8, u16 => U16, u32 => U32, i32 => I32, u64 => U64, i64 => I64, f32 => F32, f64 => F64);
impl<'a> From<&'a Buffer> for Arg<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Arg::At(buffer.into())
    }
}
impl<'a> From<Place<'a>> for Arg<'a> {
    fn from(place: Place<'a>) -> Self {
        Arg::At(place)
    }
}

/// A `repr(C)` struct without padding, of which every byte is a number.
///
/// # Safety
/// All bytes of a value are initialised: the struct is `repr(C)`, its fields are numbers or such structs, and there are no
/// gaps between them.
pub unsafe trait Plain: Copy + 'static {
    /// The bytes of a value.
    fn bytes(&self) -> &[u8] {
        // SAFETY: the implementor's promise.
        unsafe { std::slice::from_raw_parts((&raw const *self).cast(), size_of::<Self>()) }
    }
}
macro_rules! plain { ($($ty:ty)*) => { $(
    // SAFETY: numbers.
    unsafe impl Plain for $ty {}
)* } }
plain!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
// SAFETY: elements stand without gaps.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// Arguments of one launch at most.
const MOST: usize = 128;

impl Gpu {
    /// Runs a kernel behind all that was queued. Errors come out of the next [`Gpu::download`] or [`Gpu::synchronise`].
    ///
    /// # Safety
    /// The arguments are those that the kernel takes, in their order, and with them it touches no memory but that of living
    /// buffers.
    pub unsafe fn launch(&self, kernel: &Kernel, launch: Launch, arguments: &[Arg<'_>]) {
        // SAFETY: the caller's promise.
        self.queue(|work| unsafe { self.queue_launch(work, kernel, launch, arguments) });
        if self.setup.synchronous && self.lock().capture.is_none() {
            // An index out of range or a failed allocation waits for the reader.
            let _ = self.settle();
        }
    }

    unsafe fn queue_launch(
        &self,
        work: &mut Work,
        kernel: &Kernel,
        launch: Launch,
        arguments: &[Arg<'_>],
    ) -> Result<(), GpuError> {
        let function = &*kernel.inner;
        if !Arc::ptr_eq(&function.code.context, &self.context) {
            return Err(GpuError::Elsewhere { what: "launch" });
        }
        let mut words = [0u64; MOST];
        let mut pointers = [null_mut::<c_void>(); MOST];
        let mut sizes = [0usize; MOST];
        if arguments.len() > MOST {
            return Err(self.other_arguments(function, arguments.len(), &sizes));
        }
        for (at, argument) in arguments.iter().enumerate() {
            let (word, size) = match *argument {
                Arg::At(place) => {
                    place.check(self, 0, "launch")?;
                    work.hold(&place);
                    (place.address(), 8)
                }
                Arg::Address(address) => (address, 8),
                Arg::Fault => {
                    work.arm();
                    (self.fault.address(), 8)
                }
                Arg::U8(value) => (value.into(), 1),
                Arg::U16(value) => (value.into(), 2),
                Arg::U32(value) => (value.into(), 4),
                Arg::I32(value) => ((value as u32).into(), 4),
                Arg::U64(value) => (value, 8),
                Arg::I64(value) => (value as u64, 8),
                Arg::F32(value) => (value.to_bits().into(), 4),
                Arg::F64(value) => (value.to_bits(), 8),
                Arg::Bytes(bytes) => {
                    (pointers[at], sizes[at]) = (bytes.as_ptr() as *mut c_void, bytes.len());
                    continue;
                }
            };
            words[at] = word;
            (pointers[at], sizes[at]) = ((&raw mut words[at]).cast(), size);
        }
        if function
            .parameters
            .as_ref()
            .is_some_and(|sizes_| sizes_[..] != sizes[..arguments.len()])
        {
            return Err(self.other_arguments(function, arguments.len(), &sizes));
        }
        if launch.grid.contains(&0) {
            return Ok(());
        }
        function.allow_shared(launch.shared)?;
        let ([x, y, z], [bx, by, bz]) = (launch.grid, launch.block);
        // SAFETY: the handles are alive, and there is a pointer for each parameter, as far as the driver tells; the caller
        // promises the rest.
        let code = unsafe {
            (self.driver().cuLaunchKernel)(
                function.raw,
                x,
                y,
                z,
                bx,
                by,
                bz,
                launch.shared,
                self.stream.raw,
                pointers.as_mut_ptr(),
                null_mut(),
            )
        };
        add(&self.counters.launches, 1);
        work.launched(&function.name);
        if code == 0 {
            Ok(())
        } else {
            self.refused(work, code, &function.name)
        }
    }

    fn other_arguments(&self, function: &Function, count: usize, sizes: &[usize]) -> GpuError {
        let found = sizes.iter().copied().take(count).collect();
        GpuError::Arguments {
            kernel: function.name.to_string(),
            expected: function.parameters.clone().unwrap_or_default(),
            found,
        }
    }

    /// The error of a call that the driver refuses at once, which may be that of an earlier kernel.
    fn refused(&self, work: &mut Work, code: u32, name: &str) -> Result<(), GpuError> {
        self.sort(work, code, &format!("launching kernel `{name}`"))
    }
}

impl Function {
    /// Asks for more dynamic shared memory than a block has without asking.
    fn allow_shared(&self, bytes: u32) -> Result<(), GpuError> {
        const WITHOUT_ASKING: u32 = 48 << 10;
        if bytes <= WITHOUT_ASKING || bytes <= self.shared.load(Relaxed) {
            return Ok(());
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let driver = self.code.context.driver;
        // SAFETY: the function is alive.
        let code = unsafe { (driver.cuFuncSetAttribute)(self.raw, attribute, bytes as i32) };
        driver.check(
            code,
            &format!("kernel `{}`: {bytes} bytes of shared memory", self.name),
        )?;
        self.shared.fetch_max(bytes, Relaxed);
        Ok(())
    }
}
