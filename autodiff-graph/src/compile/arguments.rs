//! Functions and what they are called with.

use crate::Whole;
use crate::any::AnyTensor;
use crate::control::Flow;
use autodiff_core::device::{Backend, Device, Float};
use autodiff_core::nn::{Module, Path, VisitorMut};
use autodiff_core::tensor::Raw;
use core::any::Any;

/// One argument: `&x` of tensors, or `Whole(&net)`.
pub trait Argument {
    /// What the function borrows.
    type Own;
    #[doc(hidden)]
    fn owned(&self, each: &mut dyn FnMut(&mut dyn AnyTensor)) -> Self::Own;
}

impl<V: Flow> Argument for &V {
    type Own = V;
    fn owned(&self, each: &mut dyn FnMut(&mut dyn AnyTensor)) -> V {
        let mut own = (*self).clone();
        own.__each(each);
        own
    }
}

impl<M: Module + Clone> Argument for Whole<'_, M> {
    type Own = M;
    fn owned(&self, each: &mut dyn FnMut(&mut dyn AnyTensor)) -> M {
        struct Each<'e>(&'e mut dyn FnMut(&mut dyn AnyTensor));
        impl VisitorMut for Each<'_> {
            fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &mut Raw<T, D>) {
                if let Some(raw) = (value as &mut dyn Any).downcast_mut::<Raw<T, Device>>() {
                    (self.0)(raw);
                }
            }
        }
        let (mut own, mut each) = (self.0.clone(), Each(each));
        own.visit_mut(&mut Path::default(), &mut each);
        own.visit_buffers_mut(false, &mut Path::default(), &mut each);
        own
    }
}

/// The arguments of a call, in a tuple: `(&w, &x)`, `(Whole(&net), &x)`.
pub trait Arguments {
    /// What the function borrows.
    type Own;
    #[doc(hidden)]
    fn owned(&self, each: &mut dyn FnMut(&mut dyn AnyTensor)) -> Self::Own;
}

/// A function of arguments like `A`, by reference: `Fn(&W, &X) -> Y` for `(&W, &X)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no function of `{A}` that can be compiled",
    note = "expected a function that takes each argument by reference, and gives tensors, or tuples, arrays or `Vec`s of them"
)]
pub trait Function<A: Arguments> {
    /// What it gives.
    type Out: Flow;
    #[doc(hidden)]
    fn call(&self, args: &A::Own) -> Self::Out;
}

macro_rules! tuples {
    ($(($($A:ident $i:tt),+))*) => { $(
        impl<$($A: Argument),+> Arguments for ($($A,)+) {
            type Own = ($($A::Own,)+);
            fn owned(&self, each: &mut dyn FnMut(&mut dyn AnyTensor)) -> Self::Own {
                ($(self.$i.owned(each),)+)
            }
        }
        impl<$($A: Argument,)+ F, Y: Flow> Function<($($A,)+)> for F
        where
            F: Fn($(&$A::Own),+) -> Y,
        {
            type Out = Y;
            fn call(&self, args: &($($A::Own,)+)) -> Y {
                self($(&args.$i),+)
            }
        }
    )* };
}
tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, G 5)
}
