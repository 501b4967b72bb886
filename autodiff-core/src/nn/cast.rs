//! The same module with numbers of another type.

use super::Linear;
use super::tuples::each_tuple;
use crate::ad::{MixedBf16, MixedF16};
use crate::device::{Backend, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;
use core::marker::PhantomData;

/// A module whose numbers can be written in the type `U`: `net.cast::<f64>()`, and `net.cast::<Mixed<bf16>>()` for
/// training in mixed precision ([`Mixed`](crate::ad::Mixed)).
///
/// `#[module]` implements it for types that are generic over one `T: Float`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written in numbers of another type",
    note = "`#[module]` on a type that is generic over its numbers, `struct Net<T: Float = f32>`, makes it possible"
)]
pub trait Cast<U: Float> {
    /// The type with numbers of type `U`.
    type Out;

    /// The value with its numbers in the type `U`, rounded to the nearest where it is narrower.
    fn cast_to(&self) -> Self::Out;
}

impl<S: Shape, T: Float, U: Float, D: Backend> Cast<U> for Tensor<S, T, D> {
    type Out = Tensor<S, U, D>;
    fn cast_to(&self) -> Self::Out {
        self.cast()
    }
}

impl<const I: usize, const O: usize, T: Float, U: Float, D: Backend> Cast<U>
    for Linear<I, O, T, D>
{
    type Out = Linear<I, O, U, D>;
    fn cast_to(&self) -> Self::Out {
        Linear {
            weight: self.weight.cast(),
            bias: self.bias.cast(),
        }
    }
}

macro_rules! number {
    ($($t:ty),*) => { $(
        impl<U: Float> Cast<U> for $t {
            type Out = U;
            fn cast_to(&self) -> U {
                U::from_f64(f64::from(*self))
            }
        }
    )* };
}
number!(f32, f64, MixedBf16, MixedF16);

impl<A: Cast<U>, U: Float> Cast<U> for Vec<A> {
    type Out = Vec<A::Out>;
    fn cast_to(&self) -> Self::Out {
        self.iter().map(A::cast_to).collect()
    }
}

impl<A: Cast<U>, U: Float> Cast<U> for Option<A> {
    type Out = Option<A::Out>;
    fn cast_to(&self) -> Self::Out {
        self.as_ref().map(A::cast_to)
    }
}

impl<A: Cast<U>, U: Float> Cast<U> for Box<A> {
    type Out = Box<A::Out>;
    fn cast_to(&self) -> Self::Out {
        Box::new((**self).cast_to())
    }
}

impl<A: Cast<U>, U: Float, const N: usize> Cast<U> for [A; N] {
    type Out = [A::Out; N];
    fn cast_to(&self) -> Self::Out {
        self.each_ref().map(A::cast_to)
    }
}

impl<T, U: Float> Cast<U> for PhantomData<T> {
    type Out = PhantomData<U>;
    fn cast_to(&self) -> Self::Out {
        PhantomData
    }
}

macro_rules! tuple {
    ($(($($i:tt $A:ident),+))*) => { $(
        impl<U: Float, $($A: Cast<U>),+> Cast<U> for ($($A,)+) {
            type Out = ($($A::Out,)+);
            fn cast_to(&self) -> Self::Out {
                ($(self.$i.cast_to(),)+)
            }
        }
    )* };
}
each_tuple!(tuple);
