//! Tensors over duals.
//!
//! The elements are visited in row-major order.

use super::raw::acc::Owed;
use super::{Raw, Tensor};
use crate::ad::{
    Ct, Differentiable, Extends, Held, Layout, Lift, Loss, Lower, MixedBf16, MixedF16, Recast,
    Scalar, ScalarValue, ToFloats, ToScalars, WithScalar,
};
use crate::device::{Backend, Elem, Float, FloatElem};
use crate::shape::Shape;
use half::{bf16, f16};

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// A tensor like this one, element by element.
    fn mapped<U: Elem>(&self, f: &mut impl FnMut(T) -> U) -> Tensor<S, U, D> {
        Tensor::new(self.shape(), self.raw().mapped(f))
    }
}

// What does the work knows no shape: it is compiled once for all of them.
impl<T: Elem, D: Backend> Raw<T, D> {
    /// `f` of each element.
    fn mapped<U: Elem>(&self, f: &mut impl FnMut(T) -> U) -> Raw<U, D> {
        Raw::written(self.device(), *self.dims(), |to| {
            self.read(|x| to.iter_mut().zip(x).for_each(|(to, x)| *to = f(*x)));
        })
    }

    /// `f` of each element and that of another tensor.
    fn mapped_with<U: Elem>(&self, other: &Self, f: &mut impl FnMut(T, T) -> U) -> Raw<U, D> {
        Raw::written(self.device(), *self.dims(), |to| {
            self.read(|x| {
                other.read(|other| {
                    let pairs = x.iter().zip(other);
                    to.iter_mut()
                        .zip(pairs)
                        .for_each(|(to, (x, o))| *to = f(*x, *o));
                });
            });
        })
    }
}

/// `f` of a product that is owed, by the product rule: `f(ab) = f(a)·b + a·f(b)`, without `ab`.
fn product_along<T: Scalar + Float, U: Extends<T> + Float, D: Backend>(
    Owed { left, right, .. }: &Owed<U, D>,
    f: &impl Fn(U) -> T,
) -> Raw<T, D> {
    let (a, b) = (left.each(&U::base), right.each(&U::base));
    let mut along = Raw::matmul(&a, &right.each(f));
    if left.any(|x| !f(x).is_zero()) {
        Raw::matmul_into(&left.each(f), &b, &mut along);
    }
    along
}

/// Matrices, also transposed ones, where they lie.
impl<U: Elem, D: Backend> Raw<U, D> {
    /// Without a transposition that only turns what lies in one piece; and whether there was one.
    fn straight(&self) -> (Self, bool) {
        let turned = self.transpose(0, 1);
        match !self.is_contiguous() && turned.is_contiguous() {
            true => (turned, true),
            false => (self.clone(), false),
        }
    }

    /// `f` of each element.
    fn each<T: Elem>(&self, f: &impl Fn(U) -> T) -> Raw<T, D> {
        let (straight, turned) = self.straight();
        let all = Raw::written(self.device(), *straight.dims(), |to| {
            straight.read(|x| to.iter_mut().zip(x).for_each(|(to, x)| *to = f(*x)));
        });
        if turned { all.transpose(0, 1) } else { all }
    }

    /// Whether something holds for an element.
    fn any(&self, holds: impl Fn(U) -> bool) -> bool {
        // Many at a time, without a branch for each: most matrices are read to their end.
        let some = |some: &[U]| some.iter().fold(false, |any, x| any | holds(*x));
        self.straight().0.read(|x| x.chunks(256).any(some))
    }
}

impl<S: Shape, T: Scalar + Float, U: Extends<T> + Float, D: Backend> Lift<T, U>
    for Tensor<S, T, D>
{
    type Lifted = Tensor<S, U, D>;

    fn lift<F: FnMut(T) -> U>(&self, f: &mut F) -> Self::Lifted {
        self.mapped(f)
    }
    fn lift_along<F: FnMut(T, T) -> U>(&self, tangent: &Self, f: &mut F) -> Self::Lifted {
        assert_eq!(
            self.shape(),
            tangent.shape(),
            "a tangent has another shape than its tensor"
        );
        Tensor::new(self.shape(), self.raw().mapped_with(tangent.raw(), f))
    }
    fn part<F: Fn(U) -> T>(tangent: &Self::Lifted, f: &F) -> Self {
        tangent.mapped(&mut |d| f(d))
    }
    fn along<F: Fn(U) -> T>(
        proto: &<Self::Lifted as Differentiable>::Proto,
        ct: Ct<Self::Lifted>,
        f: &F,
    ) -> Self {
        let Some(owed) = ct.owed() else {
            return Self::part(&Self::Lifted::finish(proto, ct), f);
        };
        let shape = proto.0;
        Tensor::new(shape, product_along(owed, f).into_reshaped(shape.dims()))
    }
    fn read<F: FnMut(U)>(tangent: &Self::Lifted, f: &mut F) {
        tangent.raw().read(|x| x.iter().for_each(|x| f(*x)));
    }
    fn visit<F: FnMut(U)>(lifted: &Self::Lifted, f: &mut F) {
        lifted.raw().read(|x| x.iter().for_each(|x| f(*x)));
    }
    fn fill<F: FnMut() -> T>(&self, next: &mut F) -> Self {
        self.mapped(&mut |_| next())
    }
}

impl<'z, S: Shape, T: Scalar + Float, U: Extends<T> + Float, D: Backend> Lower<'z, Tensor<S, U, D>>
    for Tensor<S, T, D>
{
    fn lower(lifted: &Tensor<S, U, D>) -> Self {
        lifted.mapped(&mut U::base)
    }
}

impl<S: Shape, T: Scalar + Elem, F: Scalar + Elem, D: Backend> Recast<ToFloats<F>>
    for Tensor<S, T, D>
{
    type Out = Tensor<S, F, D>;
    fn recast(&self) -> Tensor<S, F, D> {
        self.mapped(&mut |x| F::lit(Scalar::to_f64(x)))
    }
}

/// The rows in a `Vec`, those of the last axis first.
impl<S: Shape, T: Scalar + Float, D: Backend> Layout for Tensor<S, T, D> {
    type With<G> = Vec<G>;
    fn count(&self) -> usize {
        self.len()
    }
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Vec<G> {
        (0..self.len()).map(|_| next()).collect()
    }
}

impl<S: Shape, T: Elem + Held<Out = T>, D: Backend> Held for Tensor<S, T, D> {
    type Out = Self;
    fn held(self) -> Self {
        self.mapped(&mut T::held)
    }
}

impl<S: Shape, T: Elem + Held<Out = T>, D: Backend> Held for &Tensor<S, T, D> {
    type Out = Tensor<S, T, D>;
    fn held(self) -> Tensor<S, T, D> {
        self.clone().held()
    }
}

impl<T: Scalar + Float, D: Backend> Loss<T> for Tensor<(), T, D> {
    fn cotangent(ct: T, _: impl FnOnce() -> Self) -> Self {
        Self::from_scalar(ct)
    }
}

impl<T: Scalar + Float, D: Backend> ScalarValue<T> for Tensor<(), T, D> {
    fn from_scalar(scalar: T) -> Self {
        Tensor::full_with_on(&D::current(), (), scalar)
    }
    fn scalar(&self) -> T {
        self.item()
    }
}

// For all floats at once the message about another element would be that it is no float.
macro_rules! floats {
    ($($t:ident)*) => { $(
        impl<S: Shape, D: Backend, T: Scalar + FloatElem> WithScalar<T> for Tensor<S, $t, D> {
            type Type = Tensor<S, T, D>;
        }
        impl<S: Shape, D: Backend, T: Scalar + FloatElem> Recast<ToScalars<T>> for Tensor<S, $t, D> {
            type Out = Tensor<S, T, D>;
            fn recast(&self) -> Tensor<S, T, D> {
                self.mapped(&mut |x| T::lit(x.into()))
            }
        }
    )* };
}
floats!(f32 f64 MixedBf16 MixedF16);

macro_rules! others {
    ($($t:ident)*) => { $(
        impl<S: Shape, D: Backend, T: Scalar> WithScalar<T> for Tensor<S, $t, D> {
            type Type = Self;
        }
    )* };
}
others!(bf16 f16);
