//! Buffers.

use super::*;
use differentiable_gpu::Buffer as Memory;
use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    /// Whether this thread's uploads run beside the computation.
    static BESIDE: Cell<bool> = const { Cell::new(false) };
}

impl Cuda {
    /// Runs `f`, whose uploads are beside the computation: until
    /// [`join_uploads`](differentiable_gpu::Gpu::join_uploads) nothing may use or drop what they brought.
    pub(in super::super) fn beside(&self, f: impl FnOnce()) {
        /// Sets it back, also when `f` panics.
        struct Before(bool);
        impl Drop for Before {
            fn drop(&mut self) {
                BESIDE.set(self.0);
            }
        }
        let _before = Before(BESIDE.replace(true));
        f();
    }
}

/// A buffer of [`Cuda`].
#[derive(Debug)]
pub struct CudaBuf<T: Elem> {
    pub(super) store: Store<T>,
    device: Cuda,
    /// A copy on the host, from when an element was asked for until the buffer is written to.
    pub(super) mirror: OnceLock<Vec<T>>,
}

/// Where the elements are.
#[derive(Debug)]
pub(super) enum Store<T: Elem> {
    /// On the card.
    Card { memory: Memory, len: usize },
    /// Those without kernels stay with the host.
    Host(Buffer<T>),
}

impl<T: Elem> CudaBuf<T> {
    /// With unspecified contents. Where there is no memory, the error comes out of the next reading.
    pub(super) fn new(device: &Cuda, len: usize) -> Self {
        let store = match launch::has_kernels::<T>() {
            false => Store::Host(Cpu.alloc(len)),
            true => Store::Card {
                memory: device.gpu.alloc_late(len * size_of::<T>()),
                len,
            },
        };
        CudaBuf {
            store,
            device: device.clone(),
            mirror: OnceLock::new(),
        }
    }

    pub(super) fn uploaded(device: &Cuda, data: &[T]) -> Self {
        let mut buf = CudaBuf::new(device, data.len());
        match &mut buf.store {
            Store::Host(to) => *to = Cpu.upload(data),
            Store::Card { memory, .. } if !data.is_empty() => match BESIDE.get() {
                true => device.gpu.upload_beside(&*memory, bytes(data)),
                false => device.gpu.upload(&*memory, bytes(data)),
            },
            Store::Card { .. } => {}
        }
        buf
    }

    pub(super) fn len(&self) -> usize {
        match &self.store {
            Store::Host(buf) => Cpu::len(buf),
            Store::Card { len, .. } => *len,
        }
    }

    /// Where it is.
    pub(super) fn device(&self) -> &Cuda {
        &self.device
    }

    /// Whether it belongs to a device.
    pub(crate) fn is_of(&self, device: &Cuda) -> bool {
        self.device == *device
    }

    /// Drops the copy on the host, which is going to be old.
    pub(crate) fn forget_mirror(&mut self) {
        self.mirror.take();
    }

    /// The memory of the card.
    pub(super) fn memory(&self) -> &Memory {
        match &self.store {
            Store::Card { memory, .. } => memory,
            Store::Host(_) => unreachable!("elements without kernels"),
        }
    }

    /// All elements. Waits for what was asked for before.
    pub(super) fn to_host(&self) -> Result<Vec<T>, DeviceError> {
        optim::settle_all();
        self.device.fault()?;
        match &self.store {
            Store::Host(buf) => Ok(buf.to_vec()),
            Store::Card { memory, len } => {
                let mut raw = vec![0; len * size_of::<T>()];
                self.device
                    .gpu
                    .download(memory, &mut raw)
                    .map_err(|e| self.device.error(e))?;
                Ok(elements(&raw))
            }
        }
    }
}

/// Brings elements to a buffer of as many.
pub(super) fn write<T: Elem>(device: &Cuda, data: &[T], to: &CudaBuf<T>) {
    if !data.is_empty() {
        optim::settle_all();
        device.gpu.upload(to.memory(), bytes(data));
    }
}

/// The bytes of elements.
pub(super) fn bytes<T: Elem>(data: &[T]) -> &[u8] {
    // SAFETY: elements are numbers, truth values, structs of one number, or numbers with tangents of the same type, one behind
    // the other (`repr(C)`): they have no gaps.
    unsafe { core::slice::from_raw_parts(data.as_ptr().cast(), size_of_val(data)) }
}

/// The elements with these bytes.
fn elements<T: Elem>(raw: &[u8]) -> Vec<T> {
    let mut data = vec![T::default(); raw.len() / size_of::<T>()];
    if T::ANY_BITS {
        // SAFETY: every bit pattern is a value of the type, and both have so many bytes.
        unsafe {
            core::ptr::copy_nonoverlapping(raw.as_ptr(), data.as_mut_ptr().cast(), raw.len())
        };
    } else {
        // Truth values.
        data.iter_mut()
            .zip(raw)
            .for_each(|(x, byte)| *x = T::from_i64(i64::from(*byte != 0)));
    }
    data
}
