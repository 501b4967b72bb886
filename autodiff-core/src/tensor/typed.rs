//! The typed shell: a shape in the type over untyped storage.

use super::Raw;
use crate::device::{AnyStorage, Backend, Device, DeviceError, Dims, Elem, ToDevice};
use crate::shape::{Shape, ShapeError, check_same};
use core::ops::Index;

/// A tensor with shape `S`, elements `T`, on device `D`.
///
/// Clones share their elements until one of them is written to. Transposing, slicing and expanding
/// make views without copying. The short form of the type is [`Tensor!`](crate::Tensor).
pub struct Tensor<S, T: Elem = f32, D: Backend = Device> {
    shape: S,
    raw: Raw<T, D>,
}

impl<S: Copy, T: Elem, D: Backend> Clone for Tensor<S, T, D> {
    fn clone(&self) -> Self {
        Tensor {
            shape: self.shape,
            raw: self.raw.clone(),
        }
    }
}

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// A typed shell around storage whose sizes are those of `shape`, which only debug builds check.
    #[doc(hidden)]
    #[inline]
    pub fn new(shape: S, raw: Raw<T, D>) -> Self {
        debug_assert_eq!(shape.dims().as_slice(), raw.dims().as_slice());
        Tensor { shape, raw }
    }

    /// The shape; run-time dimensions hold their sizes.
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The sizes of the axes.
    pub fn dims(&self) -> Dims {
        *self.raw.dims()
    }

    /// The number of elements.
    #[allow(clippy::len_without_is_empty)] // `is_empty` follows
    pub fn len(&self) -> usize {
        self.raw.dims().numel()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        S::RANK
    }

    /// The device that holds the elements.
    pub fn device(&self) -> &D {
        self.raw.device()
    }

    /// The untyped storage.
    #[inline]
    pub fn raw(&self) -> &Raw<T, D> {
        &self.raw
    }

    /// The untyped storage, for updates in place that keep the sizes.
    #[inline]
    pub fn raw_mut(&mut self) -> &mut Raw<T, D> {
        &mut self.raw
    }

    /// The untyped storage.
    #[inline]
    pub fn into_raw(self) -> Raw<T, D> {
        self.raw
    }

    /// The storage, leaving this tensor without elements until it is given some again.
    #[inline]
    pub(crate) fn take_raw(&mut self) -> Raw<T, D> {
        let empty = Raw::unspecified(self.raw.device(), [0]);
        core::mem::replace(&mut self.raw, empty)
    }

    /// The elements in row-major order.
    ///
    /// # Panics
    /// If an operation before could not be done, with the [`DeviceError`] of [`try_to_vec`](Tensor::try_to_vec).
    #[track_caller]
    pub fn to_vec(&self) -> Vec<T> {
        self.raw.to_vec()
    }

    /// The elements in row-major order, or what went wrong on the device before: an index outside its range, for
    /// example, is known when the device has come to it.
    #[track_caller]
    pub fn try_to_vec(&self) -> Result<Vec<T>, DeviceError> {
        self.raw.try_to_vec()
    }

    /// The element at a position, one index for each axis; `None` outside.
    pub fn get<const R: usize>(&self, index: [usize; R]) -> Option<T> {
        let inside = R == S::RANK && index.iter().zip(self.dims().iter()).all(|(i, n)| i < n);
        inside.then(|| {
            index
                .iter()
                .fold(self.raw.clone(), |x, &i| x.index(0, i))
                .item()
        })
    }

    /// Whether the run-time dimensions have the sizes of `other`'s.
    pub fn check_same_shape<U: Elem>(&self, other: &Tensor<S, U, D>) -> Result<(), ShapeError> {
        check_same(self.shape, other.shape)
    }
}

impl<S: Shape, T: Elem> ToDevice for Tensor<S, T> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        each(&mut self.raw);
    }
}

impl<T: Elem, D: Backend> Tensor<(), T, D> {
    /// The only element of a rank-0 tensor.
    ///
    /// # Panics
    /// As [`to_vec`](Tensor::to_vec).
    #[track_caller]
    pub fn item(&self) -> T {
        self.raw.item()
    }

    /// The only element of a rank-0 tensor, or what went wrong on the device before.
    #[track_caller]
    pub fn try_item(&self) -> Result<T, DeviceError> {
        Ok(self.raw.try_to_vec()?[0])
    }
}

impl<S: Shape, T: Elem, D: Backend> PartialEq for Tensor<S, T, D> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.to_vec() == other.to_vec()
    }
}

impl<S: Shape, T: Elem, D: Backend, const R: usize> Index<[usize; R]> for Tensor<S, T, D> {
    type Output = T;

    /// The element at a position, one index for each axis.
    ///
    /// # Panics
    /// Outside the tensor, and on a device that keeps its elements from the host: there is nothing to refer to. A device
    /// may copy all elements of the buffer to the host, once until it is written to.
    #[track_caller]
    fn index(&self, index: [usize; R]) -> &T {
        let dims = self.raw.dims();
        let inside = R == S::RANK && index.iter().zip(dims.iter()).all(|(i, n)| i < n);
        assert!(
            inside,
            "index {index:?} is outside a tensor of shape {dims:?}"
        );
        match self.raw.at(&index) {
            Some(x) => x,
            None => panic!(
                "the elements are not in the memory of the host: use `get`, or bring them there with `.to(&Device::cpu())`"
            ),
        }
    }
}
