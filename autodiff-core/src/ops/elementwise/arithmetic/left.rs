//! A scalar of any kind at the left of an operator: `0.5 * x`, where the scalar is a type parameter.
//!
//! The operators of other crates are for types, not for parameters: `f64 * Tensor` exists, `T * Tensor` cannot.
//! Code over any scalar calls these functions in their place.

use crate::ad::Scalar;
use crate::device::{Backend, BinaryOp, Float};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};
use core::ops::{Add, Div, Mul, Sub};

/// The left operand of an operator. Method lookup decides: for scalars there are inherent methods, for all else
/// those of [`AnyLeft`].
#[derive(Debug)]
pub struct Left<A>(pub A);

/// What may stand at the right of a scalar.
pub trait RightOf<S> {
    /// The result.
    type Output;
    #[doc(hidden)]
    #[track_caller]
    fn joined(op: BinaryOp, left: S, right: Self) -> Self::Output;
}

#[track_caller]
fn numbers<S: Scalar>(op: BinaryOp, a: S, b: S) -> S {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => unreachable!("an operator"),
    }
}

impl<S: Scalar> RightOf<S> for S {
    type Output = S;
    #[inline(always)]
    #[track_caller]
    fn joined(op: BinaryOp, left: S, right: S) -> S {
        numbers(op, left, right)
    }
}

impl<S: Scalar> RightOf<S> for &S {
    type Output = S;
    #[inline(always)]
    #[track_caller]
    fn joined(op: BinaryOp, left: S, right: &S) -> S {
        numbers(op, left, *right)
    }
}

impl<Sh: Shape, S: Scalar + Float, D: Backend> RightOf<S> for Tensor<Sh, S, D> {
    type Output = Self;
    #[track_caller]
    fn joined(op: BinaryOp, left: S, right: Self) -> Self {
        let shape = right.shape();
        Tensor::new(shape, Raw::scalar_binary(op, left, right.into_raw()))
    }
}

impl<Sh: Shape, S: Scalar + Float, D: Backend> RightOf<S> for &Tensor<Sh, S, D> {
    type Output = Tensor<Sh, S, D>;
    #[track_caller]
    fn joined(op: BinaryOp, left: S, right: Self) -> Self::Output {
        RightOf::joined(op, left, right.clone())
    }
}

macro_rules! operators {
    ($($Op:ident $op:ident;)*) => {
        #[allow(clippy::should_implement_trait)] // the operators have traits of another form
        impl<S: Scalar> Left<S> {
            $(
                #[doc = concat!("The operator `", stringify!($op), "`.")]
                #[inline(always)]
                #[track_caller]
                pub fn $op<B: RightOf<S>>(self, right: B) -> B::Output {
                    B::joined(BinaryOp::$Op, self.0, right)
                }
            )*
        }

        /// The methods of [`Left`] for what is no scalar.
        pub trait AnyLeft<A> {
            $(
                #[doc = concat!("The operator `", stringify!($op), "`.")]
                fn $op<B>(self, right: B) -> <A as $Op<B>>::Output
                where
                    A: $Op<B>;
            )*
        }

        impl<A> AnyLeft<A> for Left<A> {
            $(
                #[inline(always)]
                fn $op<B>(self, right: B) -> <A as $Op<B>>::Output
                where
                    A: $Op<B>,
                {
                    $Op::$op(self.0, right)
                }
            )*
        }
    };
}
operators! { Add add; Sub sub; Mul mul; Div div; }
