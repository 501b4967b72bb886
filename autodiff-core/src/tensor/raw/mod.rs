//! Untyped tensor storage: a shared buffer seen through sizes and strides.
//!
//! Cloning, transposing, slicing, expanding and most reshapes share the buffer. Writing copies it
//! unless this is the only owner. Operations that take `self` by value reuse its buffer where they
//! can.

pub(super) mod acc;
pub(super) mod attention;
mod channels;
pub(super) mod conv;
mod ctc;
pub(super) mod examples;
mod fold;
#[cfg(feature = "fft")]
mod fourier;
mod in_place;
mod integer;
#[cfg(feature = "linalg")]
pub(super) mod linalg;
mod mask;
pub(super) mod norm;
mod ops;
mod pick;
pub(super) mod recurrent;
mod resample;
mod sort;

use crate::device::{
    Backend, DType, DeviceError, Dims, Elem, Float, Layout, Operand, Random, View, ViewMut, draws,
};
use core::fmt;
use std::sync::Arc;

/// A strided tensor without a type-level shape.
pub struct Raw<T: Elem, D: Backend> {
    buf: Arc<D::Buf<T>>,
    layout: Layout,
    device: D,
}

impl<T: Elem, D: Backend> Clone for Raw<T, D> {
    #[inline]
    fn clone(&self) -> Self {
        Raw {
            buf: Arc::clone(&self.buf),
            layout: self.layout,
            device: self.device.clone(),
        }
    }
}

impl<T: Elem, D: Backend> fmt::Debug for Raw<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Raw");
        shown.field("dims", self.dims());
        match self.examples() {
            Some(batch) => shown.field("examples", &batch.examples()),
            None => shown.field("data", &self.to_vec()),
        };
        shown.finish()
    }
}

// Construction and access.
impl<T: Elem, D: Backend> Raw<T, D> {
    /// Unspecified contents: for outputs that are written whole.
    #[inline]
    #[track_caller]
    pub fn unspecified(device: &D, dims: impl Into<Dims>) -> Self {
        let dims = dims.into();
        let buf = Arc::new(device.alloc(dims.numel()));
        Raw {
            buf,
            layout: Layout::dense(dims),
            device: device.clone(),
        }
    }

    /// The same value everywhere.
    #[track_caller]
    pub fn full(device: &D, dims: impl Into<Dims>, value: T) -> Self {
        let mut r = Self::unspecified(device, dims);
        device.fill(value, r.view_mut());
        r
    }

    /// The elements that `write` gives to a slice of unspecified values, in row-major order.
    #[track_caller]
    pub fn written(device: &D, dims: impl Into<Dims>, write: impl FnOnce(&mut [T])) -> Self {
        let dims = dims.into();
        Raw {
            buf: Arc::new(device.write(dims.numel(), write)),
            layout: Layout::dense(dims),
            device: device.clone(),
        }
    }

    /// Zero, or `false`, everywhere.
    #[track_caller]
    pub fn zeros(device: &D, dims: impl Into<Dims>) -> Self {
        Self::full(device, dims, T::default())
    }

    /// One value without axes.
    #[track_caller]
    pub fn scalar(device: &D, value: T) -> Self {
        Self::full(device, Dims::SCALAR, value)
    }

    /// Elements in row-major order.
    ///
    /// # Panics
    /// If their number is not that of `dims`.
    #[track_caller]
    pub fn from_slice(device: &D, dims: impl Into<Dims>, data: &[T]) -> Self {
        let dims = dims.into();
        assert_eq!(
            dims.numel(),
            data.len(),
            "{dims:?} needs {} elements, not {}",
            dims.numel(),
            data.len()
        );
        Raw {
            buf: Arc::new(device.upload(data)),
            layout: Layout::dense(dims),
            device: device.clone(),
        }
    }

    /// A buffer that is there, as it lies.
    pub fn from_shared(device: &D, buf: Arc<D::Buf<T>>, layout: Layout) -> Self {
        Raw {
            buf,
            layout,
            device: device.clone(),
        }
    }

    /// Whether it is all of its buffer, in row-major order.
    pub fn is_alone(&self) -> bool {
        self.is_contiguous() && D::len(&self.buf) == self.numel()
    }

    /// The elements in row-major order, alone in a buffer.
    #[track_caller]
    pub fn alone(&self) -> Arc<D::Buf<T>> {
        if self.is_alone() {
            Arc::clone(&self.buf)
        } else {
            self.copied().buf
        }
    }

    /// The device.
    #[inline]
    pub fn device(&self) -> &D {
        &self.device
    }

    /// Sizes.
    #[inline]
    pub fn dims(&self) -> &Dims {
        self.layout.dims()
    }

    /// Where the elements lie.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The number of elements.
    #[inline]
    pub fn numel(&self) -> usize {
        self.layout.numel()
    }

    /// What stays the same while clones share the buffer, and differs from that of every other buffer alive.
    pub fn storage_id(&self) -> usize {
        Arc::as_ptr(&self.buf).addr()
    }

    /// Whether the elements lie in row-major order without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// The buffer, if nothing else has it.
    #[cfg(feature = "cuda")]
    pub(crate) fn sole(&mut self) -> Option<&mut D::Buf<T>> {
        Arc::get_mut(&mut self.buf)
    }

    /// Whether an operation that takes `self` by value can work in place.
    #[inline]
    pub fn is_reusable(&mut self) -> bool {
        self.layout.is_contiguous() && Arc::get_mut(&mut self.buf).is_some()
    }

    /// The elements in row-major order.
    ///
    /// # Panics
    /// If an operation before could not be done, with the [`DeviceError`] of [`try_to_vec`](Raw::try_to_vec).
    #[track_caller]
    pub fn to_vec(&self) -> Vec<T> {
        self.try_to_vec().unwrap_or_else(|e| panic!("{e}"))
    }

    /// The elements in row-major order, or what went wrong on the device before.
    #[track_caller]
    pub fn try_to_vec(&self) -> Result<Vec<T>, DeviceError> {
        self.device.download(self.view())
    }

    /// Calls `read` with the elements in row-major order, without a copy where the host can see them.
    ///
    /// # Panics
    /// As [`to_vec`](Raw::to_vec).
    #[track_caller]
    pub fn read<R>(&self, read: impl FnOnce(&[T]) -> R) -> R {
        let result = self.device.read(self.view(), read);
        result.unwrap_or_else(|e| panic!("{e}"))
    }

    /// The same elements on another device; shares the buffer if they are there.
    #[must_use]
    #[track_caller]
    pub fn to<E: Backend>(&self, device: &E) -> Raw<T, E> {
        if let Some(same) = (self as &dyn core::any::Any).downcast_ref::<Raw<T, E>>()
            && same.device == *device
        {
            return same.clone();
        }
        self.read(|x| Raw::from_slice(device, *self.dims(), x))
    }

    /// The only element.
    ///
    /// # Panics
    /// If there is not exactly one, and as [`to_vec`](Raw::to_vec).
    #[track_caller]
    pub fn item(&self) -> T {
        assert_eq!(
            self.numel(),
            1,
            "{:?} does not hold exactly one element",
            self.dims()
        );
        self.to_vec()[0]
    }

    /// For reading by a device.
    #[inline]
    pub fn view(&self) -> View<'_, T, D> {
        View {
            buf: &self.buf,
            layout: self.layout,
        }
    }

    /// As an operand of an elementwise operation.
    #[inline]
    pub fn operand(&self) -> Operand<'_, T, D> {
        Operand::View(self.view())
    }

    /// For writing by a device: copied first if it is shared or has gaps.
    #[track_caller]
    pub fn view_mut(&mut self) -> ViewMut<'_, T, D> {
        if !self.is_reusable() {
            *self = self.copied();
        }
        let buf = Arc::get_mut(&mut self.buf).expect("a fresh copy has one owner");
        ViewMut {
            buf,
            layout: self.layout,
        }
    }

    /// A dense copy in a buffer of its own.
    #[must_use]
    #[track_caller]
    pub fn copied(&self) -> Self {
        let mut out = Self::unspecified(&self.device, *self.dims());
        self.device.copy(self.view(), out.view_mut());
        out
    }

    /// Row-major without gaps; copies only if it is not so already.
    #[must_use]
    #[track_caller]
    pub fn contiguous(self) -> Self {
        if self.is_contiguous() {
            self
        } else {
            self.copied()
        }
    }

    pub(super) fn with_layout(&self, layout: Layout) -> Self {
        Raw {
            buf: Arc::clone(&self.buf),
            layout,
            device: self.device.clone(),
        }
    }
}

impl<T: Elem, D: Backend> Raw<T, D> {
    /// The elements, if they lie in the memory of the host, in row-major order without gaps.
    #[track_caller]
    pub fn as_slice(&self) -> Option<&[T]> {
        let data = D::host(&self.buf).filter(|_| self.is_contiguous())?;
        Some(&data[self.layout.offset()..][..self.numel()])
    }

    /// The elements for writing: copied first if they are shared or have gaps.
    ///
    /// # Panics
    /// If they are not in the memory of the host.
    #[track_caller]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        let v = self.view_mut();
        let (at, n) = (v.layout.offset(), v.layout.numel());
        match D::host_mut(v.buf) {
            Some(data) => &mut data[at..at + n],
            None => panic!(
                "the elements are not in the memory of the host: bring them there with `.to(&Device::cpu())`"
            ),
        }
    }

    /// Whether the host sees the elements without a copy.
    pub(crate) fn is_on_host(&self) -> bool {
        D::host(&self.buf).is_some()
    }

    /// The only element, if the host sees it.
    #[inline]
    pub(crate) fn known(&self) -> Option<T> {
        let data = D::host(&self.buf).filter(|_| self.numel() == 1)?;
        Some(data[self.layout.offset()])
    }

    /// Lets the host change the elements, in row-major order: in place if it sees them and they have one owner, else in a
    /// copy that goes back to the device.
    #[track_caller]
    pub fn edit(&mut self, change: impl FnOnce(&mut [T])) {
        if self.is_on_host() {
            return change(self.as_mut_slice());
        }
        let mut data = self.to_vec();
        change(&mut data);
        *self = Raw::from_slice(&self.device, *self.dims(), &data);
    }

    /// The element at a position. `None` if the device keeps its elements from the host.
    #[track_caller]
    pub(super) fn at(&self, index: &[usize]) -> Option<&T> {
        let strides = self.layout.strides();
        let at: usize = index.iter().zip(strides).map(|(i, step)| i * step).sum();
        let data = self.device.mirror(&self.buf)?;
        let data = data.unwrap_or_else(|e| panic!("{e}"));
        Some(&data[self.layout.offset() + at])
    }
}

// Views and movement.
impl<T: Elem, D: Backend> Raw<T, D> {
    /// Two axes exchanged; shares the buffer.
    #[must_use]
    pub fn transpose(&self, i: usize, j: usize) -> Self {
        self.with_layout(self.layout.transpose(i, j))
    }

    /// Axis `i` of the result is axis `order[i]`; shares the buffer.
    #[must_use]
    pub fn permute(&self, order: &[usize]) -> Self {
        self.with_layout(self.layout.permute(order))
    }

    /// Entries `start .. start + len` along `axis`; shares the buffer.
    #[must_use]
    pub fn slice(&self, axis: usize, start: usize, len: usize) -> Self {
        self.with_layout(self.layout.slice(axis, start, len))
    }

    /// Entry `at` along `axis`, without that axis; shares the buffer.
    #[must_use]
    pub fn index(&self, axis: usize, at: usize) -> Self {
        self.with_layout(self.layout.slice(axis, at, 1).squeeze(axis))
    }

    /// A new axis of size 1; shares the buffer.
    #[must_use]
    pub fn unsqueeze(&self, axis: usize) -> Self {
        self.with_layout(self.layout.unsqueeze(axis))
    }

    /// Without an axis of size 1; shares the buffer.
    #[must_use]
    pub fn squeeze(&self, axis: usize) -> Self {
        self.with_layout(self.layout.squeeze(axis))
    }

    /// Repeated along missing leading axes and axes of size 1; shares the buffer.
    #[must_use]
    pub fn expand(&self, dims: impl Into<Dims>) -> Self {
        self.with_layout(self.layout.expand(&dims.into()))
    }

    /// The same elements in another shape; shares the buffer where strides allow it.
    #[must_use]
    #[track_caller]
    pub fn reshape(&self, dims: impl Into<Dims>) -> Self {
        let dims = dims.into();
        match self.layout.reshape(dims) {
            Some(layout) => self.with_layout(layout),
            None => self.copied().into_reshaped(dims),
        }
    }

    /// As [`Raw::reshape`], keeping sole ownership of the buffer.
    #[must_use]
    #[track_caller]
    pub fn into_reshaped(mut self, dims: impl Into<Dims>) -> Self {
        let dims = dims.into();
        match self.layout.reshape(dims) {
            Some(layout) => {
                self.layout = layout;
                self
            }
            None => self.copied().into_reshaped(dims),
        }
    }

    /// Writes `part` at `start..` along `axis`.
    #[track_caller]
    pub fn assign_slice(&mut self, axis: usize, start: usize, part: &Self) {
        let len = part.dims()[axis];
        let device = self.device.clone();
        let mut out = self.view_mut();
        out.layout = out.layout.slice(axis, start, len);
        assert_eq!(out.layout.dims(), part.dims(), "the part fits its place");
        device.copy(part.view(), out);
    }

    /// Joined along `axis`.
    ///
    /// # Panics
    /// If there are no parts, or their other sizes differ.
    #[must_use]
    #[track_caller]
    pub fn concat(axis: usize, parts: &[&Self]) -> Self {
        let first = parts.first().expect("at least one part");
        let total = parts.iter().map(|p| p.dims()[axis]).sum();
        let mut out = Self::unspecified(&first.device, first.dims().with(axis, total));
        let mut start = 0;
        for p in parts {
            out.assign_slice(axis, start, p);
            start += p.dims()[axis];
        }
        out
    }

    /// Converted element by element; to its own type it shares the buffer.
    #[must_use]
    #[track_caller]
    pub fn cast<U: Elem>(&self) -> Raw<U, D> {
        if let Some(same) = (self as &dyn core::any::Any).downcast_ref::<Raw<U, D>>() {
            return same.clone();
        }
        // Through plain numbers, which conversions go through, tangents would be lost.
        let duals = T::DTYPE == DType::Dual && U::DTYPE == DType::Dual;
        assert!(!duals, "duals are converted to their own type alone");
        let mut out = Raw::unspecified(&self.device, *self.dims());
        self.device.cast(self.view(), out.view_mut());
        out
    }
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// Random elements: element `i` depends on `seed`, `stream` and `i` only.
    #[track_caller]
    pub fn random(device: &D, dims: impl Into<Dims>, law: Random, seed: u64, stream: u64) -> Self {
        let mut r = Self::unspecified(device, dims);
        device.random(law, draws::seed(seed), stream, r.view_mut());
        r
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{BinaryOp, Cpu, ReduceOp, UnaryOp};

    fn iota(dims: &[usize]) -> Raw<f64, Cpu> {
        let n = dims.iter().product();
        Raw::from_slice(&Cpu, dims, &(0..n).map(|i| i as f64).collect::<Vec<_>>())
    }

    #[test]
    fn views_share_the_buffer_and_writing_copies_it() {
        let x = iota(&[2, 3]);
        let mut t = x.transpose(0, 1);
        assert_eq!(t.to_vec(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        assert!(Arc::ptr_eq(&x.buf, &t.buf));
        t.as_mut_slice()[0] = 9.0;
        assert_eq!(x.to_vec()[0], 0.0);
        assert_eq!(t.to_vec(), [9.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        assert_eq!(x.slice(1, 1, 2).to_vec(), [1.0, 2.0, 4.0, 5.0]);
        assert_eq!(
            x.index(0, 1).expand([2, 3]).to_vec(),
            [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]
        );
        assert_eq!(
            x.transpose(0, 1).reshape([6]).to_vec(),
            [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]
        );
    }

    #[test]
    fn a_sole_owner_is_reused_and_a_shared_one_is_not() {
        let x = iota(&[2, 3]);
        let p = x.as_slice().unwrap().as_ptr();
        let y = x.clone().unary(UnaryOp::Neg);
        assert_ne!(y.as_slice().unwrap().as_ptr(), p);
        let z = Raw::binary(BinaryOp::Add, x, y);
        assert_eq!(z.as_slice().unwrap().as_ptr(), p);
        assert_eq!(z.to_vec(), [0.0; 6]);
    }

    #[test]
    fn concat_and_slices_are_inverse() {
        let x = iota(&[2, 5]);
        let parts = [x.slice(1, 0, 2), x.slice(1, 2, 0), x.slice(1, 2, 3)];
        let joined = Raw::concat(1, &parts.each_ref());
        assert_eq!(joined.to_vec(), x.to_vec());
    }

    #[test]
    fn sums_over_each_axis() {
        let x = iota(&[2, 3]);
        assert_eq!(x.reduce_axis(ReduceOp::Sum, 0).to_vec(), [3.0, 5.0, 7.0]);
        assert_eq!(x.reduce_axis(ReduceOp::Mean, 1).to_vec(), [1.0, 4.0]);
        assert_eq!(x.reduce_all(ReduceOp::Max).item(), 5.0);
        assert_eq!(
            x.transpose(0, 1).sum_to(&Dims::new(&[2])).to_vec(),
            [3.0, 12.0]
        );
        assert_eq!(
            Raw::matmul(&x, &x.transpose(0, 1)).to_vec(),
            [5.0, 14.0, 14.0, 50.0]
        );
    }
}
