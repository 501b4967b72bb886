use crate::device::{Backend, DType, Elem, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;
use crate::tensor::raw::Raw;
use core::fmt;
use half::{bf16, f16};
use std::borrow::Cow;

/// A tensor in host memory whose element type and sizes are known at run time only: what
/// checkpoints are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTensor {
    dims: Vec<usize>,
    data: HostData,
}

/// The elements of a [`HostTensor`] in row-major order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostData {
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// The upper half of single precision.
    Bf16(Vec<bf16>),
    /// Half precision.
    F16(Vec<f16>),
}

/// An element type that checkpoints hold: `f32`, `f64`, `bf16` and `f16`.
pub trait Storable: Elem + sealed::Sealed {
    /// Its name in messages.
    const NAME: &'static str;
    #[doc(hidden)]
    fn wrap(data: Vec<Self>) -> HostData;
    #[doc(hidden)]
    fn unwrap(data: &HostData) -> Option<&[Self]>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! storable {
    ($($t:ident $V:ident;)*) => { $(
        impl sealed::Sealed for $t {}
        impl Storable for $t {
            const NAME: &'static str = stringify!($t);
            fn wrap(data: Vec<Self>) -> HostData {
                HostData::$V(data)
            }
            fn unwrap(data: &HostData) -> Option<&[Self]> {
                match data {
                    HostData::$V(x) => Some(x),
                    _ => None,
                }
            }
        }
    )* };
}
storable! {
    f32 F32;
    f64 F64;
    bf16 Bf16;
    f16 F16;
}

impl HostData {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            HostData::F32(x) => x.len(),
            HostData::F64(x) => x.len(),
            HostData::Bf16(x) => x.len(),
            HostData::F16(x) => x.len(),
        }
    }

    /// The first element that is infinite or NaN, with its index.
    pub fn first_not_finite(&self) -> Option<(usize, f64)> {
        fn first(elements: impl Iterator<Item = f64>) -> Option<(usize, f64)> {
            elements.enumerate().find(|(_, x)| !x.is_finite())
        }
        match self {
            HostData::F32(x) => first(x.iter().map(|&x| f64::from(x))),
            HostData::F64(x) => first(x.iter().copied()),
            HostData::Bf16(x) => first(x.iter().map(|x| x.to_f64())),
            HostData::F16(x) => first(x.iter().map(|x| x.to_f64())),
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl HostTensor {
    /// A tensor of these sizes; `None` if the number of elements does not fit.
    pub fn new(dims: Vec<usize>, data: HostData) -> Option<Self> {
        let fits = dims.iter().try_fold(1_usize, |n, &d| n.checked_mul(d)) == Some(data.len());
        fits.then_some(HostTensor { dims, data })
    }

    /// A tensor without elements.
    pub(crate) fn empty() -> Self {
        HostTensor {
            dims: vec![0],
            data: HostData::F32(Vec::new()),
        }
    }

    /// A copy of a tensor on any device.
    pub fn download<T: Float, D: Backend>(raw: &Raw<T, D>) -> Self {
        HostTensor {
            dims: raw.dims().to_vec(),
            data: to_data(raw.to_vec()),
        }
    }

    /// A copy of a tensor of any of the types, on any device.
    pub fn of<S: Shape, T: Storable, D: Backend>(x: &Tensor<S, T, D>) -> Self {
        HostTensor {
            dims: x.dims().to_vec(),
            data: T::wrap(x.to_vec()),
        }
    }

    /// The tensor of this shape; `None` if element type or sizes are others.
    pub fn tensor<S: Shape, T: Storable>(&self, shape: S) -> Option<Tensor<S, T>> {
        let data = T::unwrap(&self.data)?;
        let fits = self.dims == shape.dims().as_slice();
        fits.then(|| Tensor::from_slice_with(shape, data).ok())?
    }

    /// The sizes.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The elements.
    pub fn data(&self) -> &HostData {
        &self.data
    }

    /// Element type and sizes.
    pub fn kind(&self) -> Kind {
        let dtype = match self.data {
            HostData::F32(_) => f32::NAME,
            HostData::F64(_) => f64::NAME,
            HostData::Bf16(_) => bf16::NAME,
            HostData::F16(_) => f16::NAME,
        };
        Kind {
            dtype,
            dims: self.dims.clone(),
        }
    }

    /// A copy on a device; `None` if the element type is not `T` or the rank is more than tensors
    /// have.
    pub fn upload<T: Float, D: Backend>(&self, device: &D) -> Option<Raw<T, D>> {
        if self.dims.len() > crate::device::MAX_RANK {
            return None;
        }
        let data = of_data::<T>(&self.data)?;
        Some(Raw::from_slice(device, &self.dims[..], &data))
    }
}

/// Element type and sizes of a tensor, as error messages show them: `f32 [64, 10]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The element type.
    pub dtype: &'static str,
    /// The sizes.
    pub dims: Vec<usize>,
}

impl Kind {
    /// That of a tensor on any device.
    pub fn of<T: Float, D: Backend>(raw: &Raw<T, D>) -> Self {
        Kind {
            dtype: match is_mixed::<T>() {
                true => f32::NAME,
                false => core::any::type_name::<T>(),
            },
            dims: raw.dims().to_vec(),
        }
    }

    /// What a program has, not what it stores: numbers of mixed precision are told from `f32`.
    pub(crate) fn live<T: Float>(dims: &[usize]) -> Self {
        Kind {
            dtype: match T::DTYPE {
                DType::MixedBf16 => "Mixed<bf16>",
                DType::MixedF16 => "Mixed<f16>",
                _ => core::any::type_name::<T>(),
            },
            dims: dims.to_vec(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.dtype, self.dims)
    }
}

/// Whether numbers of the type are stored as the `f32` that they are.
fn is_mixed<T: Float>() -> bool {
    matches!(T::DTYPE, DType::MixedBf16 | DType::MixedF16)
}

/// Rust cannot see that `T` is `f32` inside a generic function; `Any` can.
fn to_data<T: Float>(data: Vec<T>) -> HostData {
    if is_mixed::<T>() {
        return HostData::F32(data.iter().map(|x| Elem::to_f64(*x) as f32).collect());
    }
    let mut data: Box<dyn core::any::Any> = Box::new(data);
    if let Some(x) = data.downcast_mut::<Vec<f32>>() {
        HostData::F32(core::mem::take(x))
    } else if let Some(x) = data.downcast_mut::<Vec<f64>>() {
        HostData::F64(core::mem::take(x))
    } else {
        unreachable!("`Float` is sealed: f32, f64, and f32 of mixed precision")
    }
}

fn of_data<T: Float>(data: &HostData) -> Option<Cow<'_, [T]>> {
    let any: &dyn core::any::Any = match data {
        HostData::F32(x) if is_mixed::<T>() => {
            let numbers = x.iter().map(|x| T::from_f64(f64::from(*x)));
            return Some(Cow::Owned(numbers.collect()));
        }
        HostData::F32(x) => x,
        HostData::F64(x) => x,
        HostData::Bf16(_) | HostData::F16(_) => return None,
    };
    let data = any.downcast_ref::<Vec<T>>()?;
    Some(Cow::Borrowed(data))
}
