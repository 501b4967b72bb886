//! Functions and what they are called with.

use crate::Whole;
use crate::any::{AnyTensor, map_module};
use crate::control::Flow;
use crate::tuples::each_tuple;
use autodiff_core::nn::Module;

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
        map_module(self.0, &mut |_, x| each(x))
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

macro_rules! tuple {
    ($($A:ident $i:tt),+) => {
        impl<$($A: Argument),+> Arguments for ($($A,)+) {
            type Own = ($($A::Own,)+);
            fn owned(&self, each: &mut dyn FnMut(&mut dyn AnyTensor)) -> Self::Own {
                ($(self.$i.owned(each),)+)
            }
        }
        impl<$($A: Argument,)+ Fun, Y: Flow> Function<($($A,)+)> for Fun
        where
            Fun: Fn($(&$A::Own),+) -> Y,
        {
            type Out = Y;
            fn call(&self, args: &($($A::Own,)+)) -> Y {
                self($(&args.$i),+)
            }
        }
    };
}
each_tuple!(6 tuple);
