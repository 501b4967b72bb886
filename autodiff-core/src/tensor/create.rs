//! Constructors. Each comes as a pair: without sizes for static shapes, `_with` sizes for shapes
//! that have run-time dimensions.

use super::{Raw, Tensor};
use crate::device::{Backend, Device, Dims, Elem, Float, Random};
use crate::shape::{Insert, Shape, ShapeError, StaticShape, Sz};

fn check_len(dims: Dims, found: usize) -> Result<(), ShapeError> {
    let Some(expected) = dims.checked_numel() else {
        return Err(ShapeError::TooLarge { shape: dims, found });
    };
    if expected == found {
        Ok(())
    } else {
        Err(ShapeError::Length {
            shape: dims,
            expected,
            found,
        })
    }
}

/// Constructors on a given device; those without `_on` use [`Device::current`].
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Every element is 0; on a given device.
    pub fn zeros_with_on(device: &D, shape: S) -> Self {
        Self::full_with_on(device, shape, T::default())
    }

    /// Every element is 1; on a given device.
    pub fn ones_with_on(device: &D, shape: S) -> Self {
        Self::full_with_on(device, shape, T::ONE)
    }

    /// Every element is `value`; on a given device.
    pub fn full_with_on(device: &D, shape: S, value: T) -> Self {
        Tensor::new(shape, Raw::full(device, shape.dims(), value))
    }

    /// The elements of a slice in row-major order; on a given device.
    pub fn from_slice_with_on(device: &D, shape: S, data: &[T]) -> Result<Self, ShapeError> {
        check_len(shape.dims(), data.len())?;
        let raw = Raw::from_slice(device, shape.dims(), data);
        Ok(Tensor::new(shape, raw))
    }
}

impl<S: StaticShape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Every element is 0; on a given device.
    pub fn zeros_on(device: &D) -> Self {
        Self::zeros_with_on(device, S::default())
    }

    /// Every element is 1; on a given device.
    pub fn ones_on(device: &D) -> Self {
        Self::ones_with_on(device, S::default())
    }

    /// Every element is `value`; on a given device.
    pub fn full_on(device: &D, value: T) -> Self {
        Self::full_with_on(device, S::default(), value)
    }

    /// The elements of a slice in row-major order; on a given device.
    pub fn from_slice_on(device: &D, data: &[T]) -> Result<Self, ShapeError> {
        Self::from_slice_with_on(device, S::default(), data)
    }
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// Draws from the standard normal distribution, on a given device. The same seed gives the same numbers there.
    pub fn randn_with_on(device: &D, shape: S, seed: u64) -> Self {
        Self::random_with_on(device, shape, STANDARD_NORMAL, seed)
    }

    /// Draws from a distribution, on a given device. The same seed gives the same numbers there.
    pub fn random_with_on(device: &D, shape: S, law: Random, seed: u64) -> Self {
        Tensor::new(shape, Raw::random(device, shape.dims(), law, seed, 0))
    }
}

impl<S: StaticShape, T: Float, D: Backend> Tensor<S, T, D> {
    /// Draws from the standard normal distribution, on a given device. The same seed gives the same numbers there.
    pub fn randn_on(device: &D, seed: u64) -> Self {
        Self::randn_with_on(device, S::default(), seed)
    }
}

const STANDARD_NORMAL: Random = Random::Normal {
    mean: 0.0,
    std: 1.0,
};

impl<S: Shape, T: Elem> Tensor<S, T> {
    /// Every element is 0.
    pub fn zeros_with(shape: S) -> Self {
        Self::full_with(shape, T::default())
    }

    /// Every element is 1.
    pub fn ones_with(shape: S) -> Self {
        Self::full_with(shape, T::ONE)
    }

    /// Every element is `value`.
    pub fn full_with(shape: S, value: T) -> Self {
        Self::full_with_on(&Device::current(), shape, value)
    }

    /// The elements of a slice in row-major order.
    pub fn from_slice_with(shape: S, data: &[T]) -> Result<Self, ShapeError> {
        Self::from_slice_with_on(&Device::current(), shape, data)
    }

    /// The elements of a vector in row-major order.
    pub fn from_vec_with(shape: S, data: Vec<T>) -> Result<Self, ShapeError> {
        Self::from_slice_with_on(&Device::current(), shape, &data)
    }

    /// 0, 1, 2, … in row-major order.
    pub fn iota_with(shape: S) -> Self {
        let dims = shape.dims();
        let data: Vec<T> = (0..dims.numel()).map(|i| T::from_i64(i as i64)).collect();
        Tensor::new(shape, Raw::from_slice(&Device::current(), dims, &data))
    }

    /// Each element computed from its position in row-major order.
    pub fn from_fn_with(shape: S, f: impl FnMut(usize) -> T) -> Self {
        let dims = shape.dims();
        let data: Vec<T> = (0..dims.numel()).map(f).collect();
        Tensor::new(shape, Raw::from_slice(&Device::current(), dims, &data))
    }
}

impl<S: StaticShape, T: Elem> Tensor<S, T> {
    /// Every element is 0.
    pub fn zeros() -> Self {
        Self::zeros_with(S::default())
    }

    /// Every element is 1.
    pub fn ones() -> Self {
        Self::ones_with(S::default())
    }

    /// Every element is `value`.
    pub fn full(value: T) -> Self {
        Self::full_with(S::default(), value)
    }

    /// The elements of a slice in row-major order.
    pub fn from_slice(data: &[T]) -> Result<Self, ShapeError> {
        Self::from_slice_with(S::default(), data)
    }

    /// The elements of a vector in row-major order.
    pub fn from_vec(data: Vec<T>) -> Result<Self, ShapeError> {
        Self::from_vec_with(S::default(), data)
    }

    /// 0, 1, 2, … in row-major order.
    pub fn iota() -> Self {
        Self::iota_with(S::default())
    }

    /// Each element computed from its position in row-major order.
    pub fn from_fn(f: impl FnMut(usize) -> T) -> Self {
        Self::from_fn_with(S::default(), f)
    }
}

impl<T: Elem, const N: usize> Tensor<(Sz<N>, Sz<N>), T> {
    /// The identity matrix.
    pub fn eye() -> Self {
        Self::from_fn(|i| {
            if i % (N + 1) == 0 {
                T::ONE
            } else {
                T::default()
            }
        })
    }
}

impl<S: Shape, T: Float> Tensor<S, T> {
    /// Draws from the standard normal distribution. The same seed gives the same numbers.
    pub fn randn_with(shape: S, seed: u64) -> Self {
        Self::random_with(shape, STANDARD_NORMAL, seed)
    }

    /// Draws uniformly from `[low, high)`. The same seed gives the same numbers.
    pub fn rand_uniform_with(shape: S, seed: u64, low: T, high: T) -> Self {
        if low.changes() || high.changes() {
            let (from, to) = (T::lit(0.0), T::lit(1.0));
            return Self::rand_uniform_with(shape, seed, from, to) * (high - low) + low;
        }
        Self::random_with(
            shape,
            Random::Uniform {
                low: low.to_f64(),
                high: high.to_f64(),
            },
            seed,
        )
    }

    /// Draws from a distribution. The same seed gives the same numbers.
    pub fn random_with(shape: S, law: Random, seed: u64) -> Self {
        Tensor::new(
            shape,
            Raw::random(&Device::current(), shape.dims(), law, seed, 0),
        )
    }
}

impl<S: StaticShape, T: Float> Tensor<S, T> {
    /// Draws from the standard normal distribution. The same seed gives the same numbers.
    pub fn randn(seed: u64) -> Self {
        Self::randn_with(S::default(), seed)
    }

    /// Draws uniformly from `[low, high)`. The same seed gives the same numbers.
    pub fn rand_uniform(seed: u64, low: T, high: T) -> Self {
        Self::rand_uniform_with(S::default(), seed, low, high)
    }
}

/// Nested arrays of `T` with their shape.
// `T` is a parameter, not an associated type, so that `1.0` becomes `f32` where `f32` is wanted.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an array of `{T}` elements")]
pub trait Nested<T> {
    /// The shape of the arrays.
    type Shape: StaticShape;
    /// Appends the elements in row-major order.
    fn flat(self, out: &mut Vec<T>);
}

impl<T: Elem> Nested<T> for T {
    type Shape = ();
    fn flat(self, out: &mut Vec<T>) {
        out.push(self)
    }
}

impl<T, X: Nested<T>, const N: usize> Nested<T> for [X; N]
where
    X::Shape: Insert<0>,
    <X::Shape as Insert<0>>::Out<Sz<N>>: StaticShape,
{
    type Shape = <X::Shape as Insert<0>>::Out<Sz<N>>;
    fn flat(self, out: &mut Vec<T>) {
        for x in self {
            x.flat(out)
        }
    }
}

/// A tensor from nested arrays: `tensor([[1.0, 2.0], [3.0, 4.0]])`.
pub fn tensor<T: Elem, A: Nested<T>>(array: A) -> Tensor<A::Shape, T> {
    let mut data = Vec::new();
    array.flat(&mut data);
    let shape = A::Shape::default();
    Tensor::new(
        shape,
        Raw::from_slice(&Device::current(), shape.dims(), &data),
    )
}
