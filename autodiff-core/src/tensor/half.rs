//! Tensors of `bf16` and `f16` as differentiable values.
//!
//! Their derivatives are tensors of `f32`: a cotangent is a sum of many contributions, and in a format of
//! 8 or 11 bits small ones would be lost. Rounding to the format counts as the identity.

use super::Tensor;
use crate::ad::{Acc, Ct, Differentiable, Leaf, Mode, NotBoxed, ScalarOutput};
use crate::device::{Backend, Device};
use crate::shape::Shape;
use core::fmt;
use core::marker::PhantomData;
use half::{bf16, f16};

/// A cotangent of a tensor of `T`, which is `bf16` or `f16`, in `f32`. Zero takes no room.
pub struct HalfAcc<S, T, D: Backend = Device>(Option<Tensor<S, f32, D>>, PhantomData<T>);

impl<S: Shape, T, D: Backend> HalfAcc<S, T, D> {
    /// The cotangent; `None` if it is zero.
    #[inline]
    pub fn get(&self) -> Option<&Tensor<S, f32, D>> {
        self.0.as_ref()
    }
}

impl<S: Shape, T, D: Backend> From<Option<Tensor<S, f32, D>>> for HalfAcc<S, T, D> {
    fn from(x: Option<Tensor<S, f32, D>>) -> Self {
        HalfAcc(x, PhantomData)
    }
}

impl<S: Copy, T, D: Backend> Clone for HalfAcc<S, T, D> {
    fn clone(&self) -> Self {
        HalfAcc(self.0.clone(), PhantomData)
    }
}

impl<S: Shape, T, D: Backend> fmt::Debug for HalfAcc<S, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => write!(f, "HalfAcc(0)"),
            Some(x) => write!(f, "HalfAcc({x:?})"),
        }
    }
}

macro_rules! half {
    ($($t:ident)*) => { $(
        impl<S: Shape, D: Backend> Acc<Tensor<S, $t, D>> for HalfAcc<S, $t, D> {
            const ON: bool = true;
            fn acc(&mut self, ct: Self) {
                match (&mut self.0, ct.0) {
                    (_, None) => {}
                    (Some(sum), Some(ct)) => sum.raw_mut().add_assign(ct.raw()),
                    (none, some) => *none = some,
                }
            }
        }

        impl<S: Shape, D: Backend> NotBoxed for Tensor<S, $t, D> {}

        impl<S: Shape, D: Backend> Differentiable for Tensor<S, $t, D> {
            type Tangent = Tensor<S, f32, D>;
            type Proto = (S, D);
            type Adj<M: Mode> = M::Leaf<Self>;
            type Others = crate::ad::On;

            fn proto(&self) -> Self::Proto {
                (self.shape(), self.device().clone())
            }
            fn zero_ct(_: &Self::Proto) -> Ct<Self> {
                None.into()
            }
            fn zero_adj<M: Mode>(&self, _: M) -> Self::Adj<M> {
                M::leaf(self)
            }
            fn zero_tangent(&self) -> Self::Tangent {
                Tensor::full_with_on(self.device(), self.shape(), 0.0)
            }
            fn finish((shape, device): &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
                ct.0.unwrap_or_else(|| Tensor::full_with_on(device, *shape, 0.0))
            }
            fn start(tangent: Self::Tangent) -> Ct<Self> {
                Some(tangent).into()
            }
            fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
                let mut moved = self.cast::<f32>();
                moved.add_scaled(step, tangent);
                *self = moved.cast();
            }
            fn difference(&self, other: &Self) -> Self::Tangent {
                self.cast::<f32>() - other.cast::<f32>()
            }
        }

        impl<S: Shape, D: Backend> Leaf for Tensor<S, $t, D> {
            type LeafAdj = HalfAcc<S, $t, D>;
            fn zero_leaf(&self) -> Self::LeafAdj {
                None.into()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<F: ?Sized, D: Backend> ScalarOutput<'_, F, HalfAcc<(), $t, D>> for Tensor<(), $t, D> {
            fn one(&self) -> HalfAcc<(), $t, D> {
                Some(Tensor::full_with_on(self.device(), (), 1.0)).into()
            }
        }
    )* };
}
half!(bf16 f16);
