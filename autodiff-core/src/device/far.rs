//! A device for tests: it computes on the processor and behaves like a machine far away.
//!
//! The host does not see its buffers. Operations answer at once, and what went wrong comes out at the next reading, as
//! on a GPU. Launches and transfers are counted, and can be forbidden, so that a test can show that a training step
//! reads nothing back.

use super::backend::{implement_backend, methods_of_backend};
#[cfg(feature = "fft")]
use super::fourier::methods_of_fourier;
use super::images::methods_of_images;
use super::lens::{Lens, Seen};
#[cfg(feature = "linalg")]
use super::linalg::methods_of_linalg;
use super::*;
use core::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// A device for tests, behind the feature `far`; each has counters of its own.
///
/// ```
/// use differentiable::prelude::*;
///
/// let device = Device::far();
/// let Device::Far(far) = &device else { unreachable!() };
/// let x = Tensor::<(Sz<2>,)>::ones_on(&device);
/// let y = far.without_transfers(|| (&x + &x).sum());
/// assert_eq!(y.item(), 4.0);
/// assert_eq!(far.counts().downloads, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Far {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    counts: Counts,
    sealed: bool,
    fault: Option<DeviceError>,
}

/// What a [`Far`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Operations.
    pub launches: usize,
    /// Copies from the host.
    pub uploads: usize,
    /// Copies to the host, and results that the host waits for.
    pub downloads: usize,
}

impl PartialEq for Far {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }
}

impl fmt::Display for Far {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the far device")
    }
}

impl Far {
    /// A device of its own.
    #[allow(clippy::new_without_default, reason = "each is another device")]
    pub fn new() -> Self {
        Far {
            state: Arc::default(),
        }
    }

    /// The one of this thread: what goes wrong in one test is not read in another.
    pub(super) fn of_thread() -> Self {
        thread_local! {
            static OWN: Far = Far::new();
        }
        OWN.with(Far::clone)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic of a test in between leaves counters that are still counters.
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What it has done until now.
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// Runs `f`, in which nothing may be copied to the host or from it.
    ///
    /// # Panics
    /// Where something is.
    pub fn without_transfers<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Sealed<'a>(&'a Far, bool);
        impl Drop for Sealed<'_> {
            fn drop(&mut self) {
                self.0.state().sealed = self.1;
            }
        }
        let before = core::mem::replace(&mut self.state().sealed, true);
        let _sealed = Sealed(self, before);
        f()
    }

    #[track_caller]
    fn transfer(&self, what: &str, count: impl FnOnce(&mut Counts)) {
        let mut state = self.state();
        count(&mut state.counts);
        let sealed = state.sealed;
        drop(state);
        assert!(!sealed, "{what} where transfers are forbidden");
    }

    #[track_caller]
    fn uploads(&self) {
        self.transfer("a copy from the host", |c| c.uploads += 1);
    }

    #[track_caller]
    fn downloads(&self) -> Result<(), DeviceError> {
        self.transfer("a copy to the host", |c| c.downloads += 1);
        self.state().fault.take().map_or(Ok(()), Err)
    }
}

/// A buffer of [`Far`].
#[derive(Debug)]
pub struct FarBuf<T: Elem> {
    buf: Buffer<T>,
    device: Far,
    /// A copy on the host, from when an element was asked for until the buffer is written to.
    mirror: OnceLock<Vec<T>>,
}

impl<T: Elem> FarBuf<T> {
    fn new(buf: Buffer<T>, device: &Far) -> Self {
        FarBuf {
            buf,
            device: device.clone(),
            mirror: OnceLock::new(),
        }
    }

    /// Whether it belongs to a device.
    pub(super) fn is_of(&self, device: &Far) -> bool {
        self.device == *device
    }
}

/// The buffers that the host does not see.
struct Inside;

impl Lens for Inside {
    type From = Far;
    type To = Cpu;
    fn shared<'a, T: Elem>(&self, buf: &'a FarBuf<T>) -> &'a Buffer<T> {
        &buf.buf
    }
    fn owned<'a, T: Elem>(&self, buf: &'a mut FarBuf<T>) -> &'a mut Buffer<T> {
        buf.mirror.take();
        &mut buf.buf
    }
}

/// What an operation answers.
trait Answer {
    /// As the device gives it, before it knows.
    #[track_caller]
    fn at_once(self, far: &Far, operation: &'static str) -> Self;
}

impl Answer for () {
    fn at_once(self, _: &Far, _: &'static str) {}
}

/// The first error is kept until something is read.
impl Answer for Result<(), IndexError> {
    fn at_once(self, far: &Far, operation: &'static str) -> Self {
        if let Err(error) = self {
            let device = far.to_string();
            far.state().fault.get_or_insert(DeviceError::Index {
                operation,
                device,
                error,
            });
        }
        Ok(())
    }
}

/// Whether a factorisation failed is asked for at once.
impl Answer for Option<usize> {
    fn at_once(self, far: &Far, _: &'static str) -> Self {
        far.transfer("a factorisation, whose success is read back,", |c| {
            c.downloads += 1;
        });
        self
    }
}

/// Counts a call and passes it on to the processor.
macro_rules! counted {
    ($this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {{
        $this.state().counts.launches += 1;
        Cpu.$name($($p,)* $($x.seen(&Inside)),*).at_once($this, stringify!($name))
    }};
}

methods_of_backend!(implement_backend [Backend for Far: counted {
    type Buf<T: Elem> = FarBuf<T>;

    fn current() -> Self {
        Far::of_thread()
    }
    fn alloc<T: Elem>(&self, len: usize) -> FarBuf<T> {
        FarBuf::new(Cpu.alloc(len), self)
    }
    fn len<T: Elem>(buf: &FarBuf<T>) -> usize {
        Cpu::len(&buf.buf)
    }
    #[track_caller]
    fn upload<T: Elem>(&self, data: &[T]) -> FarBuf<T> {
        self.uploads();
        FarBuf::new(Cpu.upload(data), self)
    }
    #[track_caller]
    fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Result<Vec<T>, DeviceError> {
        self.downloads()?;
        Cpu.download(x.seen(&Inside))
    }
    #[track_caller]
    fn mirror<'b, T: Elem>(&self, buf: &'b FarBuf<T>) -> Option<Result<&'b [T], DeviceError>> {
        if buf.mirror.get().is_none()
            && let Err(e) = self.downloads()
        {
            return Some(Err(e));
        }
        Some(Ok(buf.mirror.get_or_init(|| buf.buf.to_vec())))
    }
    #[track_caller]
    fn synchronise(&self) -> Result<(), DeviceError> {
        self.state().fault.take().map_or(Ok(()), Err)
    }
}]);
methods_of_images!(implement_backend[Images for Far: counted {}]);
#[cfg(feature = "linalg")]
methods_of_linalg!(implement_backend[Linalg for Far: counted {}]);
#[cfg(feature = "fft")]
methods_of_fourier!(implement_backend[Fourier for Far: counted {}]);

// A type parameter of structs of tensors.
crate::__discrete!([] Far);
