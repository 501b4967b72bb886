//! The CPU: buffers from a pool, kernels from [`crate::kernel`].
//!
//! For each method of the seam there is a function of its name in one of the files here.

mod elementwise;
#[cfg(feature = "fft")]
mod fourier;
mod images;
mod index;
#[cfg(feature = "linalg")]
mod linalg;
mod optim;
mod reduce;
mod region;
mod rows;
mod sequence;

use crate::device::late::keep;
use crate::device::*;
use crate::kernel::drive::Src;
use crate::kernel::fused::{Output, block};
use crate::kernel::index::positions;
use crate::kernel::map::{Arg, map1};
use crate::kernel::nest::Nest;
use crate::kernel::pool::Buffer;

/// One for each method of the seam.
mod functions {
    #[cfg(feature = "fft")]
    pub(super) use super::fourier::*;
    #[cfg(feature = "linalg")]
    pub(super) use super::linalg::*;
    pub(super) use super::{
        elementwise::*, images::*, index::*, optim::*, reduce::*, region::*, rows::*, sequence::*,
    };
}

/// The processor that runs the program, as a type; chosen at run time it is [`Device::Cpu`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu;

// A type parameter of structs of tensors.
crate::__discrete!([] Cpu);

/// The dense output: its elements, where they must lie without gaps.
fn dense<'a, T: Elem>(out: ViewMut<'a, T, Cpu>) -> (&'a mut [T], Dims) {
    assert!(out.layout.is_contiguous(), "outputs are dense");
    let (at, n) = (out.layout.offset(), out.layout.numel());
    (&mut out.buf[at..at + n], *out.layout.dims())
}

/// A dense input.
fn flat<'a, T: Elem>(x: View<'a, T, Cpu>) -> &'a [T] {
    assert!(x.layout.is_contiguous(), "this input is dense");
    &x.buf[x.layout.offset()..][..x.layout.numel()]
}

fn pair<'a, T: Elem>(x: View<'a, T, Cpu>) -> (&'a [T], Layout) {
    (x.buf, x.layout)
}

/// The positions below `len` that an index names. Where someone catches the errors of indices, it is 0 for one outside.
#[track_caller]
fn picked<I: Index>(
    operation: &'static str,
    index: View<'_, I, Cpu>,
    len: usize,
) -> Result<Vec<usize>, IndexError> {
    let (error, mut picks) = match positions(index.buf, index.layout, len) {
        Ok(picks) => return Ok(picks),
        Err(found) => found,
    };
    if len == 0 || !keep(operation, picks.len(), error) {
        return Err(error);
    }
    for pick in picks.iter_mut().filter(|pick| **pick >= len) {
        *pick = 0;
    }
    Ok(picks)
}

fn src<'a, T: Elem>(x: Operand<'a, T, Cpu>, dims: &Dims) -> Src<'a, T> {
    match x {
        Operand::Output => Src::Output,
        Operand::Scalar(s) => Src::Arg(Arg::Scalar(s)),
        Operand::View(v) => Src::Arg(arg(v, dims)),
    }
}

fn arg<'a, T: Elem>(v: View<'a, T, Cpu>, dims: &Dims) -> Arg<'a, T> {
    Arg::View(v.buf, v.layout.expand(dims))
}

/// A result of a region: dense, or a sum over the leading axes it lacks.
fn output<'a, T: Elem>(out: ViewMut<'a, T, Cpu>, dims: &Dims) -> Output<'a, T> {
    let (out, own) = dense(out);
    if own == *dims {
        Output::Dense(out)
    } else {
        Output::Sum(out, Layout::dense(own).expand(dims))
    }
}

/// A method of the seam is the function of its name.
macro_rules! function {
    ($this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {
        functions::$name($($p,)* $($x),*)
    };
}

methods_of_backend!(implement_backend [Backend for Cpu: function {
    type Buf<T: Elem> = Buffer<T>;

    fn current() -> Self {
        Cpu
    }
    fn alloc<T: Elem>(&self, len: usize) -> Buffer<T> {
        Buffer::unspecified(len)
    }
    fn len<T: Elem>(buf: &Buffer<T>) -> usize {
        buf.len()
    }
    fn upload<T: Elem>(&self, data: &[T]) -> Buffer<T> {
        Buffer::from_slice(data)
    }
    fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Result<Vec<T>, DeviceError> {
        if x.layout.is_contiguous() {
            return Ok(flat(x).to_vec());
        }
        let mut out = vec![T::default(); x.layout.numel()];
        let from = Arg::View(x.buf, x.layout);
        map1(&mut out, x.layout.dims(), from, 1, |_, x| x);
        Ok(out)
    }
    fn read<T: Elem, R>(&self, x: View<'_, T, Self>, read: impl FnOnce(&[T]) -> R) -> Result<R, DeviceError> {
        match x.layout.is_contiguous() {
            true => Ok(read(flat(x))),
            false => Ok(read(&self.download(x)?)),
        }
    }
    fn write<T: Elem>(&self, len: usize, write: impl FnOnce(&mut [T])) -> Buffer<T> {
        let mut buf = Buffer::unspecified(len);
        write(&mut buf);
        buf
    }
    fn host<T: Elem>(buf: &Buffer<T>) -> Option<&[T]> {
        Some(buf)
    }
    fn host_mut<T: Elem>(buf: &mut Buffer<T>) -> Option<&mut [T]> {
        Some(buf)
    }
}]);
methods_of_images!(implement_backend[Images for Cpu: function {}]);
#[cfg(feature = "linalg")]
methods_of_linalg!(implement_backend[Linalg for Cpu: function {}]);
#[cfg(feature = "fft")]
methods_of_fourier!(implement_backend[Fourier for Cpu: function {}]);
