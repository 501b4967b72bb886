//! Tensors over duals.
//!
//! The elements are visited in row-major order.

use super::{Raw, Tensor};
use crate::ad::{Extends, Held, Layout, Lift, Lower, Scalar, ScalarValue, WithScalar};
use crate::device::{Device, Elem, Float, FloatElem};
use crate::shape::Shape;
use half::{bf16, f16};

impl<S: Shape, T: Float, D: Device> Tensor<S, T, D> {
    /// A tensor like this one, with these elements.
    fn like<U: Float>(&self, elements: Vec<U>) -> Tensor<S, U, D> {
        Tensor::new(
            self.shape(),
            Raw::from_slice(self.device(), self.dims(), &elements),
        )
    }
}

impl<S: Shape, T: Scalar + Float, U: Extends<T> + Float, D: Device> Lift<T, U> for Tensor<S, T, D> {
    type Lifted = Tensor<S, U, D>;

    fn lift<F: FnMut(T) -> U>(&self, f: &mut F) -> Self::Lifted {
        self.like(self.to_vec().into_iter().map(f).collect())
    }
    fn lift_along<F: FnMut(T, T) -> U>(&self, tangent: &Self, f: &mut F) -> Self::Lifted {
        assert_eq!(
            self.shape(),
            tangent.shape(),
            "a tangent has another shape than its tensor"
        );
        let pairs = self.to_vec().into_iter().zip(tangent.to_vec());
        self.like(pairs.map(|(x, t)| f(x, t)).collect())
    }
    fn part<F: Fn(U) -> T>(tangent: &Self::Lifted, f: &F) -> Self {
        tangent.like(tangent.to_vec().into_iter().map(f).collect())
    }
    fn read<F: FnMut(U)>(tangent: &Self::Lifted, f: &mut F) {
        tangent.to_vec().into_iter().for_each(f);
    }
    fn visit<F: FnMut(U)>(lifted: &Self::Lifted, f: &mut F) {
        lifted.to_vec().into_iter().for_each(f);
    }
    fn fill<F: FnMut() -> T>(&self, next: &mut F) -> Self {
        self.like((0..self.len()).map(|_| next()).collect())
    }
}

impl<'z, S: Shape, T: Scalar + Float, U: Extends<T> + Float, D: Device> Lower<'z, Tensor<S, U, D>>
    for Tensor<S, T, D>
{
    fn lower(lifted: &Tensor<S, U, D>) -> Self {
        lifted.like(lifted.to_vec().into_iter().map(U::base).collect())
    }
}

/// The rows in a `Vec`, those of the last axis first.
impl<S: Shape, T: Scalar + Float, D: Device> Layout for Tensor<S, T, D> {
    type With<G> = Vec<G>;
    fn count(&self) -> usize {
        self.len()
    }
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Vec<G> {
        (0..self.len()).map(|_| next()).collect()
    }
}

impl<S: Shape, T: Elem + Held<Out = T>, D: Device> Held for Tensor<S, T, D> {
    type Out = Self;
    fn held(self) -> Self {
        let elements: Vec<T> = self.to_vec().into_iter().map(T::held).collect();
        Tensor::new(
            self.shape(),
            Raw::from_slice(self.device(), self.dims(), &elements),
        )
    }
}

impl<S: Shape, T: Elem + Held<Out = T>, D: Device> Held for &Tensor<S, T, D> {
    type Out = Tensor<S, T, D>;
    fn held(self) -> Tensor<S, T, D> {
        self.clone().held()
    }
}

impl<T: Scalar + Float, D: Device> ScalarValue<T> for Tensor<(), T, D> {
    fn from_scalar(scalar: T) -> Self {
        Tensor::full_on(&D::default(), (), scalar)
    }
    fn scalar(&self) -> T {
        self.item()
    }
}

// For all floats at once the message about another element would be that it is no float.
macro_rules! floats {
    ($($t:ident)*) => { $(
        impl<S: Shape, D: Device, T: Scalar + FloatElem> WithScalar<T> for Tensor<S, $t, D> {
            type Type = Tensor<S, T, D>;
        }
    )* };
}
floats!(f32 f64);

macro_rules! others {
    ($($t:ident)*) => { $(
        impl<S: Shape, D: Device, T: Scalar> WithScalar<T> for Tensor<S, $t, D> {
            type Type = Self;
        }
    )* };
}
others!(bf16 f16);
