//! Functions of each element and a number: powers, bounds, slopes below zero. The number is a constant.

use super::table::{of_floats_by_rule, of_tensors, with};
use crate::again::Cotangents;
use crate::operation::{Active, Operation};
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::*;
use autodiff_core::device::{Backend, Elem, Float};
use autodiff_core::rt::elementwise;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;

/// `xⁿ`.
#[derive(Clone, Copy, Debug)]
pub struct Powi(pub i32);
/// `xᵖ`.
#[derive(Clone, Copy, Debug)]
pub struct Powf(pub f64);
/// Between two bounds.
#[derive(Clone, Copy, Debug)]
pub struct Clamp(pub f64, pub f64);
/// `slope · x` below 0.
#[derive(Clone, Copy, Debug)]
pub struct LeakyRelu(pub f64);
/// `alpha · (e^x − 1)` below 0.
#[derive(Clone, Copy, Debug)]
pub struct Elu(pub f64);

macro_rules! operations {
    ($(
        $Op:ident $name:literal |$this:ident, $x:ident|
        tensor $tensor:expr, $with_pullback:expr;
        float $float:expr;
        rule |$operand:ident, $y:ident, $ct:ident| $pull:expr;
    )*) => { $(
        of_tensors!($Op, $name, |$this, $x| $tensor, $with_pullback, |$operand, $y, $ct| $pull);
        of_floats_by_rule!($Op, $name, |$this, $x| $float, |$operand, $y, $ct| $pull);
    )* };
}

operations! {
    Powi "powi" |this, x|
        tensor x.powi(this.0), with(x.powi(this.0), move |(x,), ct, sums| PowiRule::pull(x, this.0, &ct, &mut sums.0));
        float x.powi(this.0);
        rule |x, y, ct| elementwise::powi::pull(x, y, ct, this.0);
    Powf "powf" |this, x|
        tensor x.powf(T::lit(this.0)), {
            let y = x.powf(T::lit(this.0));
            with(y.clone(), move |(x,), ct, sums| PowfRule::pull_l(x, &T::lit(this.0), &y, &ct, &mut sums.0))
        };
        float Float::powf(x, this.0 as _);
        rule |x, y, ct| elementwise::powf::pull(x, y, ct, this.0);
    Clamp "clamp" |this, x|
        tensor x.clamp(T::lit(this.0), T::lit(this.1)),
        with(x.clamp(T::lit(this.0), T::lit(this.1)), move |(x,), ct, sums| {
            let kept = ClampRule::sel(x, &T::lit(this.0), &T::lit(this.1));
            ClampRule::<T>::pull_x(&Wit(x.proto()), &kept, &ct, &mut sums.0)
        });
        float x.clamp(this.0 as _, this.1 as _);
        rule |x, y, ct| elementwise::clamp::pull(x, y, ct, this.0, this.1);
    LeakyRelu "leaky_relu" |this, x|
        tensor x.leaky_relu(T::lit(this.0)), {
            let (y, pull) = x.__leaky_relu_vjp((On, Off), T::lit(this.0));
            with(y, move |(x,), ct, sums| pull(ct, x, &mut sums.0, &mut T::lit(this.0).zero_adj(Off)))
        };
        float elementwise::leaky_relu::value(x, this.0);
        rule |x, y, ct| elementwise::leaky_relu::pull(x, y, ct, this.0);
    Elu "elu" |this, x|
        tensor x.elu(T::lit(this.0)), {
            let (y, pull) = x.__elu_vjp((On, Off), T::lit(this.0));
            with(y, move |(x,), ct, sums| pull(ct, x, &mut sums.0, &mut T::lit(this.0).zero_adj(Off)))
        };
        float elementwise::elu::value(x, this.0);
        rule |x, y, ct| elementwise::elu::pull(x, y, ct, this.0);
}

/// Floats, and tensors of them.
#[diagnostic::on_unimplemented(
    message = "this method is one of floats and of tensors of floats, and not of `{Self}`"
)]
pub trait Numbers: super::unary::Functions {
    /// The type of a number: of the elements, of a tensor.
    type Number: Float;
    #[doc(hidden)]
    fn with_power(x: &Var<Self>, n: Powi) -> Var<Self>;
    #[doc(hidden)]
    fn with_real_power(x: &Var<Self>, p: Powf) -> Var<Self>;
    #[doc(hidden)]
    fn between(x: &Var<Self>, bounds: Clamp) -> Var<Self>;
    #[doc(hidden)]
    fn leaking(x: &Var<Self>, slope: LeakyRelu) -> Var<Self>;
    #[doc(hidden)]
    fn bent(x: &Var<Self>, alpha: Elu) -> Var<Self>;
}

macro_rules! numbers {
    ($([$($generics:tt)*] $V:ty, $T:ty;)*) => { $(
        impl<$($generics)*> Numbers for $V {
            type Number = $T;
            #[track_caller]
            fn with_power(x: &Var<Self>, n: Powi) -> Var<Self> {
                x.run(n)
            }
            #[track_caller]
            fn with_real_power(x: &Var<Self>, p: Powf) -> Var<Self> {
                x.run(p)
            }
            #[track_caller]
            fn between(x: &Var<Self>, bounds: Clamp) -> Var<Self> {
                x.run(bounds)
            }
            #[track_caller]
            fn leaking(x: &Var<Self>, slope: LeakyRelu) -> Var<Self> {
                x.run(slope)
            }
            #[track_caller]
            fn bent(x: &Var<Self>, alpha: Elu) -> Var<Self> {
                x.run(alpha)
            }
        }
    )* };
}
numbers! {
    [S: Shape, T: Float, D: Backend] Tensor<S, T, D>, T;
    [] f32, f32;
    [] f64, f64;
}

/// Functions with a number, of floats and of each element of a tensor.
impl<V: Numbers> Var<V> {
    /// `xⁿ`.
    #[track_caller]
    #[must_use]
    pub fn powi(&self, n: i32) -> Self {
        V::with_power(self, Powi(n))
    }

    /// `xᵖ`.
    #[track_caller]
    #[must_use]
    pub fn powf(&self, p: V::Number) -> Self {
        V::with_real_power(self, Powf(p.to_f64()))
    }

    /// Brought between two bounds; NaN stays NaN. The derivative is 0 beyond them.
    ///
    /// # Panics
    /// If `lo > hi` or one of them is NaN.
    #[track_caller]
    #[must_use]
    pub fn clamp(&self, lo: V::Number, hi: V::Number) -> Self {
        V::between(self, Clamp(lo.to_f64(), hi.to_f64()))
    }

    /// `x` above 0, `slope · x` below.
    #[track_caller]
    #[must_use]
    pub fn leaky_relu(&self, slope: V::Number) -> Self {
        V::leaking(self, LeakyRelu(slope.to_f64()))
    }

    /// `x` above 0, `alpha · (e^x − 1)` below.
    #[track_caller]
    #[must_use]
    pub fn elu(&self, alpha: V::Number) -> Self {
        V::bent(self, Elu(alpha.to_f64()))
    }
}
