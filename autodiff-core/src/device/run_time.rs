//! A device that is chosen when the program runs.

use super::backend::{implement_backend, methods_of_backend};
#[cfg(feature = "fft")]
use super::examples::seams::BatchedFourier;
#[cfg(feature = "linalg")]
use super::examples::seams::BatchedLinalg;
use super::examples::seams::{BatchedBackend, BatchedImages};
use super::examples::{Operands, joint};
#[cfg(feature = "fft")]
use super::fourier::methods_of_fourier;
use super::images::methods_of_images;
use super::lens::{Lens, Seen};
#[cfg(feature = "linalg")]
use super::linalg::methods_of_linalg;
#[cfg(feature = "graph")]
use super::record::{RecordedBuf, Recorder};
use super::*;
use core::cell::RefCell;
use core::fmt;
use std::sync::Arc;

/// Where a tensor is, and what computes with it: the default of [`Tensor`](crate::tensor::Tensor)'s parameter `D`.
///
/// A function over plain tensors runs on every device. The operands of an operation are on one of them: what is
/// elsewhere is brought there by `to`.
///
/// ```
/// use differentiable::prelude::*;
///
/// let device = Device::cpu();
/// let x = Tensor::<(Sz<2>,)>::zeros_on(&device);
/// assert_eq!(x.to(&Device::cpu()), x);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Device {
    /// The processor that runs the program.
    #[default]
    Cpu,
    /// The processor behind buffers that the host does not see; for tests.
    #[cfg(feature = "far")]
    Far(Far),
    /// It computes nothing, and records a graph.
    #[cfg(feature = "graph")]
    Recorder(Recorder),
    /// An NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda(Cuda),
}

thread_local! {
    static CURRENT: RefCell<Device> = RefCell::new(Device::of_environment());
}

impl Device {
    /// The processor that runs the program.
    pub fn cpu() -> Self {
        Device::Cpu
    }

    /// A device of its own that computes on the processor, keeps its buffers from the host and counts what crosses
    /// the border.
    #[cfg(feature = "far")]
    pub fn far() -> Self {
        Device::Far(Far::new())
    }

    /// The NVIDIA GPU of this number, from 0. Opening it again gives the same device.
    ///
    /// # Errors
    /// [`GpuError::NoDriver`](differentiable_gpu::GpuError::NoDriver) without a driver, and
    /// [`GpuError::NoDevice`](differentiable_gpu::GpuError::NoDevice) if there are not so many.
    #[cfg(feature = "cuda")]
    pub fn cuda(ordinal: usize) -> Result<Self, differentiable_gpu::GpuError> {
        Cuda::open(ordinal).map(Device::Cuda)
    }

    /// The operations that a GPU has left to the host until now, because it has no kernel for them, and how often; empty for
    /// other devices. The program waits in each of them.
    pub fn via_host(&self) -> std::collections::BTreeMap<&'static str, usize> {
        match self {
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => cuda.via_host(),
            _ => Default::default(),
        }
    }

    /// What `DIFFERENTIABLE_DEVICE` names, or the processor.
    fn of_environment() -> Self {
        match std::env::var("DIFFERENTIABLE_DEVICE").as_deref() {
            Err(_) | Ok("") => Device::Cpu,
            #[cfg(feature = "far")]
            Ok("far") => Device::Far(Far::of_thread()),
            #[cfg(feature = "graph")]
            Ok("recorder") => Device::Recorder(Recorder::of_thread()),
            Ok(name) => name
                .parse()
                .unwrap_or_else(|e| panic!("DIFFERENTIABLE_DEVICE: {e}")),
        }
    }

    /// The device on which this thread makes new tensors: that of the innermost [`scope`](Device::scope), or the one that the
    /// environment variable `DIFFERENTIABLE_DEVICE` [names](DeviceNameError), or the processor.
    pub fn current() -> Self {
        CURRENT.with(|c| c.borrow().clone())
    }

    /// Runs `f`, in which new tensors are made on this device: `Tensor::zeros()`, `Linear::new(..)`, `tensor(..)`.
    /// It holds for this thread.
    ///
    /// ```
    /// use differentiable::prelude::*;
    ///
    /// let device = Device::cpu();
    /// let w = device.scope(|| Tensor::<(Sz<2>,)>::ones());
    /// assert_eq!(w.device(), &device);
    /// ```
    pub fn scope<R>(&self, f: impl FnOnce() -> R) -> R {
        /// Sets the device back, also when `f` panics.
        struct Before(Device);
        impl Drop for Before {
            fn drop(&mut self) {
                CURRENT.with(|c| core::mem::swap(&mut *c.borrow_mut(), &mut self.0));
            }
        }
        let _before = Before(CURRENT.with(|c| c.replace(self.clone())));
        f()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => f.write_str("the cpu"),
            #[cfg(feature = "far")]
            Device::Far(far) => write!(f, "{far}"),
            #[cfg(feature = "graph")]
            Device::Recorder(recorder) => write!(f, "{recorder}"),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => write!(f, "{cuda}"),
        }
    }
}

// A type parameter of structs of tensors.
crate::__discrete!([] Device);

/// A buffer of [`Device`].
#[derive(Debug)]
pub enum DeviceBuf<T: Elem> {
    /// In the memory of the host.
    Cpu(Buffer<T>),
    /// With a part for each example of `vmap!(#[batched] ..)`.
    #[doc(hidden)]
    Examples(ExamplesBuf<T>),
    /// Of a device for tests.
    #[cfg(feature = "far")]
    Far(FarBuf<T>),
    /// Of a recorder.
    #[cfg(feature = "graph")]
    Recorded(RecordedBuf<T>),
    /// Of an NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda(CudaBuf<T>),
}

impl<T: Elem> DeviceBuf<T> {
    /// The kind of device that it is on.
    fn place(&self) -> &'static str {
        match self {
            DeviceBuf::Cpu(_) => "the cpu",
            DeviceBuf::Examples(_) => "all examples of a batch",
            #[cfg(feature = "far")]
            DeviceBuf::Far(_) => "the far device",
            #[cfg(feature = "graph")]
            DeviceBuf::Recorded(_) => "a recorder",
            #[cfg(feature = "cuda")]
            DeviceBuf::Cuda(_) => "a GPU",
        }
    }
}

/// An operand of an operation, for the message when it is elsewhere.
#[derive(Clone, Copy)]
struct Site<'a> {
    device: &'a Device,
    operation: &'static str,
    operands: &'static [&'static str],
    operand: &'static str,
}

impl Site<'_> {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn elsewhere(&self, place: &'static str) -> ! {
        let other = self.operands.iter().find(|o| **o != self.operand);
        let operation = match self.operation {
            "gemm" | "affine" => "a matrix product".to_string(),
            name if name.starts_with("binary") || name.starts_with("region") => {
                "an elementwise operation".to_string()
            }
            name => format!("`{name}`"),
        };
        panic!(
            "the operands of {operation} are on two devices: `{}` is on {}, `{}` on {place}; bring them together with `.to(&device)`",
            other.unwrap_or(&"the result"),
            self.device,
            self.operand,
        )
    }
}

/// Buffers that are on the processor.
struct OnCpu<'a>(Site<'a>);

impl Lens for OnCpu<'_> {
    type From = Device;
    type To = Cpu;
    #[inline(always)]
    #[track_caller]
    fn shared<'a, T: Elem>(&self, buf: &'a DeviceBuf<T>) -> &'a Buffer<T> {
        match buf {
            DeviceBuf::Cpu(buf) => buf,
            buf => self.0.elsewhere(buf.place()),
        }
    }
    #[inline(always)]
    #[track_caller]
    fn owned<'a, T: Elem>(&self, buf: &'a mut DeviceBuf<T>) -> &'a mut Buffer<T> {
        match buf {
            DeviceBuf::Cpu(buf) => buf,
            buf => self.0.elsewhere(buf.place()),
        }
    }
}

/// Buffers of one of several devices of a kind.
///
/// `$written` is told of a buffer that is going to be written.
#[cfg(any(feature = "far", feature = "graph", feature = "cuda"))]
macro_rules! on_one {
    ($Lens:ident: $Device:ident, $Variant:ident($Buf:ident), $written:expr) => {
        struct $Lens<'a>(Site<'a>, &'a $Device);

        impl Lens for $Lens<'_> {
            type From = Device;
            type To = $Device;
            #[inline(always)]
            #[track_caller]
            fn shared<'a, T: Elem>(&self, buf: &'a DeviceBuf<T>) -> &'a $Buf<T> {
                match buf {
                    DeviceBuf::$Variant(buf) if buf.is_of(self.1) => buf,
                    buf => self.0.elsewhere(buf.place()),
                }
            }
            #[inline(always)]
            #[track_caller]
            fn owned<'a, T: Elem>(&self, buf: &'a mut DeviceBuf<T>) -> &'a mut $Buf<T> {
                let place = buf.place();
                match buf {
                    DeviceBuf::$Variant(buf) if buf.is_of(self.1) => {
                        ($written)(&mut *buf);
                        buf
                    }
                    _ => self.0.elsewhere(place),
                }
            }
        }
    };
}
#[cfg(feature = "far")]
on_one!(OnFar: Far, Far(FarBuf), |_| ());
#[cfg(feature = "graph")]
on_one!(OnRecorder: Recorder, Recorded(RecordedBuf), |_| ());
#[cfg(feature = "cuda")]
on_one!(OnCuda: Cuda, Cuda(CudaBuf), CudaBuf::forget_mirror);

/// Passes a call on to the device meant.
macro_rules! on_device {
    ($Batched:ident: $this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {{
        let site = |operand| Site {
            device: $this,
            operation: stringify!($name),
            operands: &[$(stringify!($x)),*],
            operand,
        };
        let mut batch = None;
        $( batch = joint(batch, $x.batch()); )*
        if let Some(batch) = batch {
            return $Batched::$name($this, batch, $($p,)* $($x),*);
        }
        match $this {
            Device::Cpu => Cpu.$name($($p,)* $($x.seen(&OnCpu(site(stringify!($x))))),*),
            #[cfg(feature = "far")]
            Device::Far(far) => far.$name($($p,)* $($x.seen(&OnFar(site(stringify!($x)), far))),*),
            #[cfg(feature = "graph")]
            Device::Recorder(r) => r.$name($($p,)* $($x.seen(&OnRecorder(site(stringify!($x)), r))),*),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => cuda.$name($($p,)* $($x.seen(&OnCuda(site(stringify!($x)), cuda))),*),
        }
    }};
}

/// [`on_device`] for each seam: what has a part for each example goes to the trait beside it.
macro_rules! seams {
    ($d:tt $($call:ident: $Batched:ident;)*) => { $(
        #[allow(unused_macros, reason = "features leave seams out")]
        macro_rules! $call { ($d($c:tt)*) => { on_device!($Batched: $d($c)*) }; }
    )* };
}
seams! { $
    call_backend: BatchedBackend;
    call_images: BatchedImages;
    call_linalg: BatchedLinalg;
    call_fourier: BatchedFourier;
}

methods_of_backend!(implement_backend [Backend for Device: call_backend {
    type Buf<T: Elem> = DeviceBuf<T>;

    fn current() -> Self {
        Device::current()
    }
    #[inline]
    fn alloc<T: Elem>(&self, len: usize) -> DeviceBuf<T> {
        match self {
            Device::Cpu => DeviceBuf::Cpu(Cpu.alloc(len)),
            #[cfg(feature = "far")]
            Device::Far(far) => DeviceBuf::Far(far.alloc(len)),
            #[cfg(feature = "graph")]
            Device::Recorder(r) => DeviceBuf::Recorded(r.alloc(len)),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => DeviceBuf::Cuda(cuda.alloc(len)),
        }
    }
    fn len<T: Elem>(buf: &DeviceBuf<T>) -> usize {
        match buf {
            DeviceBuf::Cpu(buf) => Cpu::len(buf),
            DeviceBuf::Examples(buf) => buf.len(),
            #[cfg(feature = "far")]
            DeviceBuf::Far(buf) => Far::len(buf),
            #[cfg(feature = "graph")]
            DeviceBuf::Recorded(buf) => Recorder::len(buf),
            #[cfg(feature = "cuda")]
            DeviceBuf::Cuda(buf) => Cuda::len(buf),
        }
    }
    #[track_caller]
    fn upload<T: Elem>(&self, data: &[T]) -> DeviceBuf<T> {
        match self {
            Device::Cpu => DeviceBuf::Cpu(Cpu.upload(data)),
            #[cfg(feature = "far")]
            Device::Far(far) => DeviceBuf::Far(far.upload(data)),
            #[cfg(feature = "graph")]
            Device::Recorder(r) => DeviceBuf::Recorded(r.upload(data)),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => DeviceBuf::Cuda(cuda.upload(data)),
        }
    }
    #[track_caller]
    fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Result<Vec<T>, DeviceError> {
        let site = Site { device: self, operation: "download", operands: &["x"], operand: "x" };
        if x.batch().is_some() {
            return Err(DeviceError::Batched);
        }
        match self {
            Device::Cpu => Cpu.download(x.seen(&OnCpu(site))),
            #[cfg(feature = "far")]
            Device::Far(far) => far.download(x.seen(&OnFar(site, far))),
            #[cfg(feature = "graph")]
            Device::Recorder(r) => r.download(x.seen(&OnRecorder(site, r))),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => cuda.download(x.seen(&OnCuda(site, cuda))),
        }
    }
    #[track_caller]
    fn synchronise(&self) -> Result<(), DeviceError> {
        match self {
            Device::Cpu => Cpu.synchronise(),
            #[cfg(feature = "far")]
            Device::Far(far) => far.synchronise(),
            #[cfg(feature = "graph")]
            Device::Recorder(r) => r.synchronise(),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => cuda.synchronise(),
        }
    }
    #[track_caller]
    fn read<T: Elem, R>(&self, x: View<'_, T, Self>, read: impl FnOnce(&[T]) -> R) -> Result<R, DeviceError> {
        let site = Site { device: self, operation: "read", operands: &["x"], operand: "x" };
        if x.batch().is_some() {
            return Err(DeviceError::Batched);
        }
        match self {
            Device::Cpu => Cpu.read(x.seen(&OnCpu(site)), read),
            #[cfg(feature = "far")]
            Device::Far(far) => far.read(x.seen(&OnFar(site, far)), read),
            #[cfg(feature = "graph")]
            Device::Recorder(r) => r.read(x.seen(&OnRecorder(site, r)), read),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => cuda.read(x.seen(&OnCuda(site, cuda)), read),
        }
    }
    #[track_caller]
    fn write<T: Elem>(&self, len: usize, write: impl FnOnce(&mut [T])) -> DeviceBuf<T> {
        match self {
            Device::Cpu => DeviceBuf::Cpu(Cpu.write(len, write)),
            #[cfg(feature = "far")]
            Device::Far(far) => DeviceBuf::Far(far.write(len, write)),
            #[cfg(feature = "graph")]
            Device::Recorder(r) => DeviceBuf::Recorded(r.write(len, write)),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => DeviceBuf::Cuda(cuda.write(len, write)),
        }
    }
    fn host<T: Elem>(buf: &DeviceBuf<T>) -> Option<&[T]> {
        match buf {
            DeviceBuf::Cpu(buf) => Cpu::host(buf),
            DeviceBuf::Examples(_) => None,
            #[cfg(feature = "far")]
            DeviceBuf::Far(buf) => Far::host(buf),
            #[cfg(feature = "graph")]
            DeviceBuf::Recorded(buf) => Recorder::host(buf),
            #[cfg(feature = "cuda")]
            DeviceBuf::Cuda(buf) => Cuda::host(buf),
        }
    }
    #[track_caller]
    fn mirror<'b, T: Elem>(&self, buf: &'b DeviceBuf<T>) -> Option<Result<&'b [T], DeviceError>> {
        match (self, buf) {
            (_, DeviceBuf::Examples(_)) => Some(Err(DeviceError::Batched)),
            #[cfg(feature = "far")]
            (Device::Far(far), DeviceBuf::Far(buf)) => far.mirror(buf),
            #[cfg(feature = "graph")]
            (Device::Recorder(r), DeviceBuf::Recorded(buf)) => r.mirror(buf),
            #[cfg(feature = "cuda")]
            (Device::Cuda(cuda), DeviceBuf::Cuda(buf)) => cuda.mirror(buf),
            (_, buf) => Self::host(buf).map(Ok),
        }
    }
    fn with_examples<T: Elem>(buf: Arc<DeviceBuf<T>>, batch: Batch, len: usize) -> Option<Arc<DeviceBuf<T>>> {
        let parts = ExamplesBuf::new(buf, batch, len);
        Some(Arc::new(DeviceBuf::Examples(parts)))
    }
    fn examples<T: Elem>(buf: &DeviceBuf<T>) -> Option<(Arc<DeviceBuf<T>>, Batch)> {
        match buf {
            DeviceBuf::Examples(buf) => Some((buf.all(), buf.batch())),
            _ => None,
        }
    }
    fn host_mut<T: Elem>(buf: &mut DeviceBuf<T>) -> Option<&mut [T]> {
        match buf {
            DeviceBuf::Cpu(buf) => Cpu::host_mut(buf),
            DeviceBuf::Examples(_) => None,
            #[cfg(feature = "far")]
            DeviceBuf::Far(buf) => Far::host_mut(buf),
            #[cfg(feature = "graph")]
            DeviceBuf::Recorded(buf) => Recorder::host_mut(buf),
            #[cfg(feature = "cuda")]
            DeviceBuf::Cuda(buf) => Cuda::host_mut(buf),
        }
    }
}]);
methods_of_images!(implement_backend[Images for Device: call_images {}]);
#[cfg(feature = "linalg")]
methods_of_linalg!(implement_backend[Linalg for Device: call_linalg {}]);
#[cfg(feature = "fft")]
methods_of_fourier!(implement_backend[Fourier for Device: call_fourier {}]);
