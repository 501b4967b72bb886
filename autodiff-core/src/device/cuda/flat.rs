//! Dense operands: copies where there are gaps, and those of products that are asked for without views.

use super::*;
use core::any::TypeId;
use differentiable_gpu::{Arg, Element, Place};

/// A dense operand as elements of type `A`: as it is where that is its own type, and rounded otherwise.
pub(super) struct Flat<'a, T: Elem, A: Elem> {
    buf: &'a CudaBuf<T>,
    offset: usize,
    rounded: Option<CudaBuf<A>>,
}

impl<'a, T: Elem, A: Elem> Flat<'a, T, A> {
    pub fn new(cuda: &Cuda, x: View<'a, T, Cuda>) -> Self {
        assert!(x.layout.is_contiguous(), "this operand is dense");
        let mut flat = Flat {
            buf: x.buf,
            offset: x.layout.offset(),
            rounded: None,
        };
        if TypeId::of::<T>() != TypeId::of::<A>() {
            let layout = Layout::dense(*x.layout.dims());
            let mut buf = CudaBuf::new(cuda, layout.numel());
            elementwise::cast(
                cuda,
                x,
                ViewMut {
                    buf: &mut buf,
                    layout,
                },
            );
            flat.rounded = Some(buf);
        }
        flat
    }

    /// The place of an element.
    pub fn at(&self, element: usize) -> Place<'_> {
        match &self.rounded {
            Some(buf) => place(buf, element),
            None => place(self.buf, self.offset + element),
        }
    }
}

/// The place of an element of a buffer.
pub(super) fn place<T: Elem>(buf: &CudaBuf<T>, element: usize) -> Place<'_> {
    buf.memory().at(element * size_of::<T>())
}

/// What results of products consist of: sums are not rounded to halves.
pub(super) fn output<T: Float>() -> Element {
    match T::DTYPE {
        DType::F64 => Element::F64,
        _ => Element::F32,
    }
}

/// Calls `f::<T, A>(element, arguments)`, where products take `T` as elements of type `A`, which `element` names.
macro_rules! as_factors {
    ($T:ident: $f:ident($($arg:expr),* $(,)?)) => {
        match $T::DTYPE {
            DType::F64 => $f::<$T, $T>(differentiable_gpu::Element::F64, $($arg),*),
            DType::MixedBf16 => $f::<$T, half::bf16>(differentiable_gpu::Element::Bf16, $($arg),*),
            DType::MixedF16 => $f::<$T, half::f16>(differentiable_gpu::Element::F16, $($arg),*),
            _ => $f::<$T, $T>(differentiable_gpu::Element::F32, $($arg),*),
        }
    };
}
pub(super) use as_factors;

/// A struct of a kernel whose fields have 64 bits each.
#[derive(Default)]
pub(super) struct Fields(Vec<u8>);

impl Fields {
    /// Whole numbers.
    pub fn sizes(mut self, all: &[usize]) -> Self {
        all.iter()
            .for_each(|n| self.0.extend_from_slice(&(*n as u64).to_ne_bytes()));
        self
    }

    /// `double`.
    pub fn real(mut self, x: f64) -> Self {
        self.0.extend_from_slice(&x.to_ne_bytes());
        self
    }

    pub fn arg(&self) -> Arg<'_> {
        Arg::Bytes(&self.0)
    }
}

/// An operand as it is, or a dense copy of it.
pub(super) struct Copied<'a, T: Elem> {
    copy: Option<CudaBuf<T>>,
    buf: &'a CudaBuf<T>,
    pub layout: Layout,
}

impl<'a, T: Elem> Copied<'a, T> {
    /// A copy where the operand has gaps.
    pub fn dense(cuda: &Cuda, x: View<'a, T, Cuda>) -> Self {
        Copied::unless(cuda, x, x.layout.is_contiguous())
    }

    /// A copy unless the operand can be read as it is.
    pub fn unless(cuda: &Cuda, x: View<'a, T, Cuda>, readable: bool) -> Self {
        if readable {
            let (buf, layout) = (x.buf, x.layout);
            return Copied {
                copy: None,
                buf,
                layout,
            };
        }
        let layout = Layout::dense(*x.layout.dims());
        let mut copy = CudaBuf::new(cuda, layout.numel());
        elementwise::copy(
            cuda,
            x,
            ViewMut {
                buf: &mut copy,
                layout,
            },
        );
        Copied {
            copy: Some(copy),
            buf: x.buf,
            layout,
        }
    }

    pub fn buf(&self) -> &CudaBuf<T> {
        self.copy.as_ref().unwrap_or(self.buf)
    }

    /// A part of it.
    pub fn part(&self, layout: Layout) -> Copied<'_, T> {
        Copied {
            copy: None,
            buf: self.buf(),
            layout,
        }
    }
}
