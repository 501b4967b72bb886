//! What gradients of a program are taken by.

use crate::tuples::each_tuple;
use autodiff_core::ad::Differentiable;
use autodiff_core::device::Float;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use autodiff_tape::{Tape, Var, Wrt};

/// What gradients of a [`Program`](super::Program) are taken by: `&w`, tuples of up to eight of these, arrays and `Vec`s.
#[diagnostic::on_unimplemented(
    message = "gradients of a program are not taken by `{Self}`",
    note = "write `&w`, a tuple `(&w1, &w2)` of up to eight, or an array of references to values of one shape"
)]
pub trait Trained: Wrt + Clone {
    /// The gradient as values of the program.
    type Vars;
    /// The tensors themselves, owned.
    type Net;
    #[doc(hidden)]
    fn vars(&self, tape: &Tape, gradient: Self::Gradient) -> Self::Vars;
    #[doc(hidden)]
    fn net(&self) -> Self::Net;
}

impl<S: Shape, T: Float> Trained for &Var<Tensor<S, T>>
where
    Tensor<S, T>: Differentiable<Tangent = Tensor<S, T>>,
{
    type Vars = Var<Tensor<S, T>>;
    type Net = Tensor<S, T>;
    fn vars(&self, tape: &Tape, gradient: Tensor<S, T>) -> Self::Vars {
        tape.constant(gradient)
    }
    fn net(&self) -> Tensor<S, T> {
        self.value().clone()
    }
}

impl<S: Shape, T: Float, const N: usize> Trained for [&Var<Tensor<S, T>>; N]
where
    Tensor<S, T>: Differentiable<Tangent = Tensor<S, T>>,
{
    type Vars = [Var<Tensor<S, T>>; N];
    type Net = [Tensor<S, T>; N];
    fn vars(&self, tape: &Tape, gradient: [Tensor<S, T>; N]) -> Self::Vars {
        gradient.map(|x| tape.constant(x))
    }
    fn net(&self) -> [Tensor<S, T>; N] {
        self.map(|w| w.value().clone())
    }
}

impl<S: Shape, T: Float> Trained for &Vec<Var<Tensor<S, T>>>
where
    Tensor<S, T>: Differentiable<Tangent = Tensor<S, T>>,
{
    type Vars = Vec<Var<Tensor<S, T>>>;
    type Net = Vec<Tensor<S, T>>;
    fn vars(&self, tape: &Tape, gradient: Vec<Tensor<S, T>>) -> Self::Vars {
        gradient.into_iter().map(|x| tape.constant(x)).collect()
    }
    fn net(&self) -> Vec<Tensor<S, T>> {
        self.iter().map(|w| w.value().clone()).collect()
    }
}

macro_rules! tuple {
    ($($W:ident $i:tt),+) => {
        impl<$($W: Trained),+> Trained for ($($W,)+) {
            type Vars = ($($W::Vars,)+);
            type Net = ($($W::Net,)+);
            fn vars(&self, tape: &Tape, gradient: Self::Gradient) -> Self::Vars {
                ($(self.$i.vars(tape, gradient.$i),)+)
            }
            fn net(&self) -> Self::Net {
                ($(self.$i.net(),)+)
            }
        }
    };
}
each_tuple!(8 tuple);
